#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/base/system.hpp"
#include "tests/core/filter/naive.hpp"

namespace aprscope {
namespace {

struct Case {
  Size3 size;
  Stencil stencil;
};

class ConvolveWithTree : public testing::TestWithParam<Case> {};

// Grids of even and odd size, where cells lack children in one dimension or in several; stencils
// that are multiplied as they are, folded, and passed.
TEST_P(ConvolveWithTree, SameBitsAsTreeThenConvolution) {
  const auto access = test::random_access({GetParam().size, 7, 0.7, true});
  const std::vector<float> values = test::random_values(access->count(), 3);
  const auto pyramid =
      StencilPyramid::create(GetParam().stencil, StencilMode::same, false, access->level_max())
          .value();
  for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
    const std::vector<float> tree = fill_tree(*access, values, Reduction::mean).value();
    std::vector<float> expected(values.size());
    ASSERT_TRUE(
        convolve({access.get(), values, tree}, pyramid, boundary, whole(access->size()), expected)
            .ok());
    for (const int threads : {1, 3}) {
      set_thread_count(threads);
      std::vector<float> filled(tree.size(), -1.0F);
      std::vector<float> out(values.size(), -1.0F);
      const Status done = convolve_with_tree(*access, values, pyramid, boundary, filled, out);
      set_thread_count(0);
      ASSERT_TRUE(done.ok());
      EXPECT_EQ(filled, tree);
      EXPECT_EQ(out, expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ConvolveWithTree,
                         testing::Values(Case{{64, 64, 64}, test::counting_stencil({3, 3, 3})},
                                         Case{{33, 40, 63}, test::counting_stencil({3, 3, 3})},
                                         Case{{24, 31, 50}, test::counting_stencil({5, 3, 7})},
                                         Case{{1, 65, 129}, test::counting_stencil({1, 3, 3})},
                                         Case{{1, 1, 71}, test::counting_stencil({1, 1, 5})},
                                         Case{{40, 21, 90}, gaussian_stencil({1, 1, 1}, {5, 5, 5})},
                                         Case{{18, 37, 1100},
                                              gaussian_stencil({2, 2, 2}, {13, 13, 13})}));

TEST(ConvolveWithTreeLengths, SaysWhenLengthsDoNotFit) {
  const auto access = test::random_access({{16, 16, 16}, 1, 0.5, true});
  const std::vector<float> values(access->count(), 1.0F);
  const auto pyramid =
      StencilPyramid::create(box_stencil({3, 3, 3}), StencilMode::same, false, access->level_max())
          .value();
  std::vector<float> out(values.size());
  std::vector<float> tree(access->tree().count() + 1);
  EXPECT_FALSE(convolve_with_tree(*access, values, pyramid, Boundary::zero, tree, out).ok());
}

}  // namespace
}  // namespace aprscope

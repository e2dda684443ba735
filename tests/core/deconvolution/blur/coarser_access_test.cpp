#include "core/deconvolution/blur/coarser_access.hpp"

#include <gtest/gtest.h>

#include "tests/core/filter/naive.hpp"

namespace aprscope {
namespace {

TEST(CoarserAccess, ShowsTheImageOfTheNextLevel) {
  for (const bool balanced : {true, false}) {
    for (const Size3& size : {Size3{32, 32, 32}, Size3{13, 27, 21}, Size3{1, 30, 17}}) {
      test::RandomAprOptions options;
      options.size = size;
      options.balanced = balanced;
      const test::Sample sample(test::random_access(options));
      const auto coarse = coarser(*sample.access);
      ASSERT_TRUE(coarse) << coarse.error().message();
      const int level = sample.access->level_max() - 1;
      EXPECT_EQ((*coarse)->size(), sample.access->particles().grid(level));

      std::vector<float> values((*coarse)->count());
      restrict_values(*sample.access, sample.values, sample.tree, **coarse, values);
      const Pixels<float> expected =
          test::naive_at_level(*sample.access, sample.values, sample.tree, level);
      const Pixels<float> found = test::naive_reconstruct(**coarse, values);
      EXPECT_EQ(found.values, expected.values);

      // Its tree is the beginning of the finer one's.
      const std::vector<float> tree = test::naive_tree(**coarse, values, Reduction::mean);
      ASSERT_LE(tree.size(), sample.tree.size());
      for (std::size_t i = 0; i < tree.size(); ++i) {
        EXPECT_NEAR(tree[i], sample.tree[i], 1e-3) << i;
      }

      // Particles that both have get back what they gave; the finest ones get nothing.
      std::vector<float> back(sample.values.size(), 0.0F);
      add_shared(*sample.access, **coarse, values, back);
      const ParticleRange finest = sample.access->particles().level(level + 1);
      for (std::uint64_t i = 0; i < back.size(); ++i) {
        EXPECT_EQ(back[i], i < finest.begin ? sample.values[i] : 0.0F);
      }
    }
  }
}

TEST(CoarserAccess, RefusesTheSmallestImage) {
  const auto access = test::full_access({2, 2, 2});
  EXPECT_FALSE(coarser(*access));
}

}  // namespace
}  // namespace aprscope

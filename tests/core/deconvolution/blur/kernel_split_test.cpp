#include "core/deconvolution/blur/kernel_split.hpp"

#include <gtest/gtest.h>

#include "core/filter/stencil_pyramid.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

namespace aprscope {
namespace {

TEST(KernelSplit, HalvingIsRestrictionByOneLevel) {
  for (const Size3& size : {Size3{1, 3, 5}, Size3{7, 9, 11}, Size3{13, 1, 15}, Size3{1, 1, 1}}) {
    const Stencil stencil = test::counting_stencil(size);
    const Stencil expected = restrict_stencil(stencil, 1);
    const Stencil found = halved(stencil);
    ASSERT_EQ(found.size, expected.size);
    for (std::size_t i = 0; i < expected.weights.size(); ++i) {
      EXPECT_NEAR(found.weights[i], expected.weights[i], 1e-14);
    }
  }
}

TEST(KernelSplit, BothPartsTogetherAreThePsf) {
  const Stencil psf = test::tailed_psf({11, 15, 9}, 2.0, 0.3);
  const SplitPsf parts = split(psf, {5, 5, 5});
  ASSERT_TRUE(parts.has_far());
  EXPECT_EQ(parts.near.size, (Size3{5, 5, 5}));
  EXPECT_EQ(parts.near.weights[62], psf.weights[static_cast<std::size_t>((5 * 15 + 7) * 9 + 4)]);
  EXPECT_NEAR(parts.near.sum() + parts.far.sum(), psf.sum(), 1e-12);
  const Stencil whole = halved(psf);
  const Stencil inner = halved(parts.near);
  // The middle of the far part: the whole without what the near part becomes.
  const std::size_t middle = whole.weights.size() / 2;
  EXPECT_NEAR(parts.far.weights[middle],
              whole.weights[middle] - inner.weights[inner.weights.size() / 2], 1e-14);
}

TEST(KernelSplit, NothingIsLeftOfASmallPsf) {
  const SplitPsf parts = split(test::tailed_psf({3, 5, 5}, 1.0), {5, 5, 5});
  EXPECT_FALSE(parts.has_far());
  EXPECT_EQ(parts.near.size, (Size3{3, 5, 5}));
}

TEST(KernelSplit, ThinPsfsStayThin) {
  const SplitPsf parts = split(test::tailed_psf({1, 15, 15}, 2.0), {5, 5, 5});
  EXPECT_EQ(parts.near.size, (Size3{1, 5, 5}));
  EXPECT_EQ(parts.far.size, (Size3{1, 9, 9}));
}

TEST(KernelSplit, KnowsEvenKernels) {
  EXPECT_TRUE(is_even(test::tailed_psf({5, 7, 9}, 2.0)));
  EXPECT_FALSE(is_even(test::tailed_psf({5, 7, 9}, 2.0, 0.1)));
  Stencil one_side = test::tailed_psf({5, 7, 9}, 2.0);
  one_side.weights[3] *= 1.5;
  EXPECT_FALSE(is_even(one_side));
}

}  // namespace
}  // namespace aprscope

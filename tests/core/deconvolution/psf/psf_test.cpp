#include "core/deconvolution/psf/psf.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

constexpr Size3 kUnknown{0, 0, 0};

bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

TEST(Psf, AGaussianHasItsWidthAndItsCoverage) {
  const auto made = gaussian_psf({3.0, 6.0, 4.0}, {9, 0, 25}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{9, 37, 25}));
  const PsfReport report = psf_report(made->psf);
  EXPECT_NEAR(report.sum, 1.0, 1e-12);
  const double width = 2.0 * std::sqrt(2.0 * std::log(2.0));
  EXPECT_NEAR(report.fwhm[0], width * 3.0, 0.03);
  EXPECT_NEAR(report.fwhm[1], width * 6.0, 0.03);
  EXPECT_NEAR(report.fwhm[2], width * 4.0, 0.03);
  // The integral of the Gaussian over the pixels of the box.
  const auto share = [](double half, double sigma) {
    return std::erf((half + 0.5) / (sigma * std::sqrt(2.0)));
  };
  EXPECT_NEAR(made->coverage, share(4, 3.0) * share(18, 6.0) * share(12, 4.0), 2e-3);
  EXPECT_LT(made->coverage, 0.92);
}

TEST(Psf, AnAutomaticSizeFitsIntoTheImageAndAnAskedOneMust) {
  const auto fitted = gaussian_psf({2.0, 2.0, 0.0}, {0, 0, 0}, {8, 64, 1});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->psf.size, (Size3{7, 13, 1}));
  const auto larger = gaussian_psf({2.0, 2.0, 2.0}, {9, 9, 9}, {8, 64, 64});
  ASSERT_FALSE(larger);
  EXPECT_TRUE(mentions(larger.error().message(), "use 7 or less")) << larger.error().message();
  EXPECT_FALSE(gaussian_psf({2.0, 2.0, 2.0}, {4, 9, 9}, kUnknown));
  EXPECT_FALSE(gaussian_psf({-1.0, 2.0, 2.0}, {0, 0, 0}, kUnknown));
}

TEST(Psf, EveryBadPsfGetsASentenceThatSaysWhatToDo) {
  const auto error_of = [](Stencil psf, const Size3& image) {
    const auto checked = check_psf(psf, image);
    return checked ? std::string() : checked.error().message();
  };
  const Stencil good = gaussian_stencil({1, 1, 1}, {5, 5, 5});
  EXPECT_EQ(error_of(good, {20, 20, 20}), "");
  Stencil even;
  even.size = {4, 5, 5};
  even.weights.assign(100, 0.01);
  EXPECT_TRUE(mentions(error_of(even, kUnknown), "crop it to odd sizes"));
  Stencil bad = good;
  bad.weights[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(error_of(bad, kUnknown), "not a finite number"));
  bad = good;
  bad.weights[7] = -0.1;
  EXPECT_TRUE(mentions(error_of(bad, kUnknown), "subtract its background"));
  bad.weights.assign(125, 0.0);
  EXPECT_TRUE(mentions(error_of(bad, kUnknown), "zero everywhere"));
  EXPECT_TRUE(mentions(error_of(good, {4, 20, 20}), "3,5,5 or less"))
      << error_of(good, {4, 20, 20});
}

TEST(Psf, OffCentreAndAnOffsetAreWarnings) {
  Stencil shifted;
  shifted.size = {7, 7, 7};
  shifted.weights.assign(343, 0.0);
  shifted.weights[171 + 2] = 1.0;
  auto warnings = check_psf(shifted, kUnknown);
  ASSERT_TRUE(warnings);
  ASSERT_EQ(warnings->size(), 1U);
  EXPECT_TRUE(mentions(warnings->front(), "0.0, 0.0, 2.0 px")) << warnings->front();
  Stencil offset = gaussian_stencil({1, 1, 1}, {9, 9, 9});
  for (double& w : offset.weights) w += 0.2 * offset.weights[364];
  warnings = check_psf(offset, kUnknown);
  ASSERT_TRUE(warnings);
  ASSERT_EQ(warnings->size(), 1U);
  EXPECT_TRUE(mentions(warnings->front(), "background")) << warnings->front();
}

TEST(Psf, ACutOffPsfIsAWarning) {
  const auto warnings = check_psf(gaussian_stencil({2, 2, 2}, {13, 5, 13}), kUnknown);
  ASSERT_TRUE(warnings);
  ASSERT_EQ(warnings->size(), 1U);
  EXPECT_TRUE(mentions(warnings->front(), "61 % of its peak")) << warnings->front();
}

TEST(Psf, TruncationKeepsTheMiddleAndSaysHowMuch) {
  Stencil psf;
  psf.size = {3, 1, 5};
  psf.weights = {0, 0, 1, 0, 0, 1, 2, 8, 2, 1, 0, 0, 1, 0, 0};
  EXPECT_DOUBLE_EQ(psf_coverage(psf, {1, 1, 3}), 12.0 / 16.0);
  EXPECT_DOUBLE_EQ(psf_coverage(psf, {9, 9, 9}), 1.0);
  const Stencil cut = truncate_psf(psf, {1, 3, 3});
  EXPECT_EQ(cut.size, (Size3{1, 1, 3}));
  EXPECT_EQ(cut.weights, (std::vector<double>{2.0 / 12.0, 8.0 / 12.0, 2.0 / 12.0}));
}

}  // namespace
}  // namespace aprscope

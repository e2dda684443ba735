#include "core/deconvolution/psf/psf_models.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr Size3 kUnknown{0, 0, 0};
constexpr double kPi = std::numbers::pi;

double weight(const Stencil& psf, std::int64_t z, std::int64_t x, std::int64_t y) {
  const Size3& n = psf.size;
  return psf
      .weights[static_cast<std::size_t>(((z + n.z / 2) * n.x + x + n.x / 2) * n.y + y + n.y / 2)];
}

// The integral of the definition by the midpoint rule, far finer than the code's own.
double intensity(double na, double wavelength, double r,
                 const std::function<double(double)>& path) {
  constexpr int kSteps = 20000;
  const double k = 2.0 * kPi / wavelength;
  std::complex<double> sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double rho = (i + 0.5) / kSteps;
    sum += std::cyl_bessel_j(0.0, k * na * r * rho) * std::polar(1.0, k * path(na * rho)) * rho;
  }
  return std::norm(sum * 2.0 / static_cast<double>(kSteps));
}

TEST(BornWolf, InFocusItIsTheAiryDisk) {
  Microscope lens;
  lens.na = 1.4;
  lens.wavelength = 500.0;
  const auto made = born_wolf_psf(lens, {0.1, 0.03, 0.05, "µm"}, {1, 61, 61}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  const double peak = weight(made->psf, 0, 0, 0);
  for (std::int64_t x = -30; x <= 30; ++x) {
    for (std::int64_t y = -30; y <= 30; ++y) {
      const double r = std::hypot(0.03 * static_cast<double>(x), 0.05 * static_cast<double>(y));
      const double v = 2.0 * kPi / 0.5 * 1.4 * r;
      const double airy = v == 0.0 ? 1.0 : std::pow(2.0 * std::cyl_bessel_j(1.0, v) / v, 2);
      ASSERT_NEAR(weight(made->psf, 0, x, y) / peak, airy, 1e-5) << x << ", " << y;
    }
  }
}

TEST(BornWolf, AlongTheAxisOfAWeakLensItIsSincSquared) {
  Microscope lens;
  lens.na = 0.05;
  lens.wavelength = 500.0;
  lens.n_immersion = 1.0;
  const auto made = born_wolf_psf(lens, {16000, 500, 500, "nm"}, {61, 1, 1}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  const double peak = weight(made->psf, 0, 0, 0);
  for (std::int64_t z = -30; z <= 30; ++z) {
    const double u = 2.0 * kPi / 0.5 * 0.0025 * 16.0 * static_cast<double>(z) / 4.0;
    const double sinc = u == 0.0 ? 1.0 : std::sin(u) / u;
    EXPECT_NEAR(weight(made->psf, z, 0, 0) / peak, sinc * sinc, 1e-3) << z;
  }
}

TEST(BornWolf, OutOfFocusItAgreesWithTheIntegral) {
  Microscope lens;
  const auto made = born_wolf_psf(lens, {0.2, 0.08, 0.08, "µm"}, {31, 63, 63}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  const double peak = weight(made->psf, 0, 0, 0);
  for (const auto& [z, x, y] : {std::array<std::int64_t, 3>{3, 4, 0},
                                {-7, 10, 11},
                                {15, 0, 0},
                                {15, 31, 31},
                                {-15, 20, 5},
                                {1, 30, 2}}) {
    const double r = 0.08 * std::hypot(static_cast<double>(x), static_cast<double>(y));
    const double defocus = 0.2 * static_cast<double>(z);
    const double expected = intensity(
        1.4, 0.52, r, [&](double s) { return defocus * std::sqrt(1.518 * 1.518 - s * s); });
    EXPECT_NEAR(weight(made->psf, z, x, y) / peak, expected, 1e-6) << z << " " << x << " " << y;
  }
}

// Jonsson et al. 2022 give 6.3, 12 and 23.5 % for their wide-field PSF.
TEST(BornWolf, CoverageIsThatOfAPsfAsLargeAsTheImage) {
  Microscope lens;
  lens.wavelength = 500.0;
  const VoxelSize voxel{0.115, 0.064, 0.064, "µm"};
  const Size3 image{128, 256, 512};
  const auto coverage = [&](std::int64_t n) {
    const auto made = born_wolf_psf(lens, voxel, {n, n, n}, image);
    return made ? made->coverage : 0.0;
  };
  EXPECT_NEAR(coverage(11), 0.063, 0.004);
  EXPECT_NEAR(coverage(21), 0.120, 0.005);
  EXPECT_NEAR(coverage(41), 0.235, 0.006);
}

TEST(BornWolf, TheAutomaticSizeHoldsTheFocusAndFitsIntoTheImage) {
  Microscope lens;
  const auto free = born_wolf_psf(lens, {0.125, 0.05, 0.05, "µm"}, {0, 0, 0}, kUnknown);
  ASSERT_TRUE(free);
  const PsfReport report = psf_report(free->psf);
  // Theory in focus: 0.51 λ ÷ NA; along the axis about 0.88 λ ÷ (n − √(n² − NA²)).
  EXPECT_NEAR(report.fwhm[1] * 0.05, 0.51 * 0.52 / 1.4, 0.01);
  EXPECT_NEAR(report.fwhm[0] * 0.125, 0.88 * 0.52 / (1.518 - std::sqrt(1.518 * 1.518 - 1.96)),
              0.05);
  EXPECT_GT(free->psf.size.z, 6 * static_cast<std::int64_t>(report.fwhm[0]));
  const auto fitted = born_wolf_psf(lens, {0.125, 0.05, 0.05, "µm"}, {0, 0, 0}, {20, 100, 1});
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->psf.size, (Size3{19, 99, 1}));
}

// Filters need fewer products for a stencil that is symmetric to the bit.
TEST(BornWolf, ItIsExactlySymmetric) {
  const auto made = born_wolf_psf({}, {0.25, 0.11, 0.09, "µm"}, {9, 13, 11}, kUnknown);
  ASSERT_TRUE(made);
  for (std::int64_t z = -4; z <= 4; ++z) {
    for (std::int64_t x = -6; x <= 6; ++x) {
      for (std::int64_t y = -5; y <= 5; ++y) {
        ASSERT_EQ(weight(made->psf, z, x, y),
                  weight(made->psf, std::abs(z), std::abs(x), std::abs(y)));
      }
    }
  }
}

TEST(GibsonLanni, ItIsExactlySymmetricAcrossTheAxis) {
  Microscope lens;
  lens.depth = 10.0;
  const auto made = gibson_lanni_psf(lens, {0.25, 0.11, 0.09, "µm"}, {9, 13, 11}, kUnknown);
  ASSERT_TRUE(made);
  for (std::int64_t z = -4; z <= 4; ++z) {
    for (std::int64_t x = -6; x <= 6; ++x) {
      for (std::int64_t y = -5; y <= 5; ++y) {
        ASSERT_EQ(weight(made->made.psf, z, x, y),
                  weight(made->made.psf, z, std::abs(x), std::abs(y)));
      }
    }
  }
}

TEST(BornWolf, WhatNoMicroscopeHasIsRefused) {
  const VoxelSize voxel{0.2, 0.1, 0.1, "µm"};
  const auto error_of = [&](const Microscope& lens, const VoxelSize& size) {
    const auto made = born_wolf_psf(lens, size, {5, 5, 5}, kUnknown);
    return made ? std::string() : made.error().message();
  };
  EXPECT_EQ(error_of({}, voxel), "");
  EXPECT_NE(error_of({}, {1, 1, 1, "px"}).find("no voxel size"), std::string::npos);
  Microscope lens;
  lens.n_immersion = 1.33;
  EXPECT_NE(error_of(lens, voxel).find("not below the index"), std::string::npos);
  lens = {};
  lens.wavelength = std::nan("");
  EXPECT_NE(error_of(lens, voxel).find("wavelength"), std::string::npos);
}

TEST(BornWolf, TheNumberOfThreadsChangesNothing) {
  Microscope lens;
  const VoxelSize voxel{0.2, 0.1, 0.1, "µm"};
  set_thread_count(1);
  const auto one = born_wolf_psf(lens, voxel, {21, 41, 41}, kUnknown);
  set_thread_count(3);
  const auto three = born_wolf_psf(lens, voxel, {21, 41, 41}, kUnknown);
  set_thread_count(0);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->psf.weights, three->psf.weights);
}

TEST(GibsonLanni, WithoutMismatchItIsBornWolf) {
  Microscope lens;
  lens.n_sample = lens.n_immersion;
  lens.depth = 25.0;
  const VoxelSize voxel{0.15, 0.07, 0.07, "µm"};
  const auto plain = born_wolf_psf(lens, voxel, {21, 31, 31}, kUnknown);
  const auto made = gibson_lanni_psf(lens, voxel, {21, 31, 31}, kUnknown);
  ASSERT_TRUE(plain && made);
  EXPECT_NEAR(made->focal_shift, 0.0, 1e-4);
  const double peak = weight(plain->psf, 0, 0, 0);
  for (std::size_t i = 0; i < plain->psf.weights.size(); ++i) {
    ASSERT_NEAR(made->made.psf.weights[i], plain->psf.weights[i], 1e-4 * peak) << i;
  }
}

TEST(GibsonLanni, ADeepFocusLiesDeeperThanTheLightItself) {
  const VoxelSize voxel{0.1, 0.1, 0.1, "µm"};
  const auto shift = [&](double na, double depth, double n_sample) {
    Microscope lens;
    lens.na = na;
    lens.depth = depth;
    lens.n_sample = n_sample;
    const auto made = gibson_lanni_psf(lens, voxel, {3, 3, 3}, kUnknown);
    return made ? made->focal_shift : std::nan("");
  };
  // Paraxial: nominal ÷ actual depth = n_immersion ÷ n_sample.
  const double paraxial = 1.518 / 1.33 - 1.0;
  EXPECT_NEAR(shift(0.2, 20.0, 1.33), 20.0 * paraxial, 0.02 * 20.0 * paraxial);
  EXPECT_NEAR(shift(0.2, 40.0, 1.33), 40.0 * paraxial, 0.02 * 40.0 * paraxial);
  // Rays at the rim are bent more: the tangents of their angles.
  const double rim = std::sqrt((1.518 * 1.518 - 1.44) / (1.33 * 1.33 - 1.44)) - 1.0;
  EXPECT_GT(shift(1.2, 10.0, 1.33), 10.0 * paraxial);
  EXPECT_LT(shift(1.2, 10.0, 1.33), 10.0 * rim);
  // Into a denser sample: the other way.
  EXPECT_LT(shift(1.2, 10.0, 1.56), 0.0);
}

TEST(GibsonLanni, AnAberratedPsfAgreesWithTheIntegralAndIsLopsided) {
  Microscope lens;
  lens.na = 1.2;
  lens.depth = 8.0;
  lens.cover_glass = 175.0;
  const VoxelSize voxel{0.2, 0.08, 0.08, "µm"};
  const auto made = gibson_lanni_psf(lens, voxel, {31, 41, 41}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  const Stencil& psf = made->made.psf;
  const auto at = [&](std::int64_t z, std::int64_t x) {
    const double focus = made->focal_shift + 0.2 * static_cast<double>(z);
    return intensity(1.2, 0.52, 0.08 * static_cast<double>(x), [&](double s) {
      const auto root = [s](double n) { return std::sqrt(n * n - s * s); };
      return 8.0 * root(1.33) + 5.0 * root(1.5) - (8.0 + focus) * root(1.518);
    });
  };
  const double scale = weight(psf, 0, 0, 0) / at(0, 0);
  for (const auto& [z, x] : {std::pair<std::int64_t, std::int64_t>{0, 3},
                             {5, 0},
                             {-5, 0},
                             {12, 6},
                             {-12, 6},
                             {-15, 20}}) {
    EXPECT_NEAR(weight(psf, z, x, 0) / scale, at(z, x), 1e-6 * at(0, 0)) << z << ", " << x;
  }
  // The middle is the brightest point of the axis, and light goes to one side of it.
  for (std::int64_t z = -15; z <= 15; ++z) EXPECT_LE(weight(psf, z, 0, 0), weight(psf, 0, 0, 0));
  EXPECT_GT(std::abs(weight(psf, 5, 0, 0) / weight(psf, -5, 0, 0) - 1.0), 0.3);
}

TEST(GibsonLanni, RaysThatCannotLeaveTheSampleAreLeftOutAndSaidSo) {
  Microscope lens;
  lens.na = 1.4;
  lens.depth = 5.0;
  const auto made = gibson_lanni_psf(lens, {0.2, 0.1, 0.1, "µm"}, {15, 15, 15}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_FALSE(made->made.warnings.empty());
  EXPECT_NE(made->made.warnings.front().find("NA 1.329"), std::string::npos)
      << made->made.warnings.front();
}

}  // namespace
}  // namespace aprscope

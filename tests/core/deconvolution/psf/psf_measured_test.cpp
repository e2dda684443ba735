#include "core/deconvolution/psf/psf_measured.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/image/random.hpp"
#include "core/io/image_source.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;
constexpr Size3 kUnknown{0, 0, 0};
const double kWidth = 2.0 * std::sqrt(2.0 * std::log(2.0));

struct Spot {
  Vector centre;
  double peak = 1000.0;
};

// Gaussian spots on a level, with noise.
Volume image_of(const std::vector<Spot>& spots, const Vector& sigma, const Size3& size,
                const VoxelSize& voxel, double level, double noise) {
  Pixels<float> pixels(size);
  const CounterRandom random(5, 1);
  std::uint64_t i = 0;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        double value = level + noise * random.normal(i++);
        for (const Spot& spot : spots) {
          const Vector u{(static_cast<double>(z) - spot.centre[0]) / sigma[0],
                         (static_cast<double>(x) - spot.centre[1]) / sigma[1],
                         (static_cast<double>(y) - spot.centre[2]) / sigma[2]};
          value += spot.peak * std::exp(-0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
        }
        pixels.at(z, x, y) = static_cast<float>(value);
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  volume.name = "spots";
  return volume;
}

bool any_mentions(const std::vector<std::string>& texts, const std::string& word) {
  for (const std::string& text : texts) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

void expect_widths(const MadePsf& made, const Vector& sigma, double tolerance) {
  const PsfReport report = psf_report(made.psf);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_NEAR(report.fwhm[d] / (kWidth * sigma[d]), 1.0, tolerance) << d;
    EXPECT_NEAR(report.offset[d], 0.0, 0.03) << d;
  }
  EXPECT_NEAR(report.sum, 1.0, 1e-9);
}

TEST(MeasuredPsf, ACentredPsfOfTheSameVoxelsIsCopied) {
  const VoxelSize voxel{0.2, 0.1, 0.1, "µm"};
  const Volume volume = image_of({{{6, 8, 8}}}, {1.5, 2, 2}, {13, 17, 17}, voxel, 0.0, 0.0);
  MeasureOptions options;
  options.background = false;
  const auto made = measured_psf(volume, options, voxel, {64, 64, 64});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(made->warnings.empty()) << made->warnings.front();
  EXPECT_DOUBLE_EQ(made->coverage, 1.0);
  ASSERT_EQ(made->psf.size, volume.size());
  const Stencil expected = gaussian_stencil({1.5, 2, 2}, {13, 17, 17});
  for (std::size_t i = 0; i < expected.weights.size(); ++i) {
    ASSERT_NEAR(made->psf.weights[i], expected.weights[i], 2e-7) << i;
  }
}

TEST(MeasuredPsf, BackgroundOffsetEvenSizeAndOtherVoxelsArePutRight) {
  // 0.25 × 0.1 × 0.1 µm, to be used at 0.2 × 0.16 × 0.08.
  const Volume volume = image_of({{{13.3, 22.6, 17.2}}}, {2.4, 3.2, 3.2}, {30, 40, 40},
                                 {0.25, 0.1, 0.1, "µm"}, 120.0, 3.0);
  const auto made = measured_psf(volume, {}, {200, 160, 80, "nm"}, {128, 128, 128});
  ASSERT_TRUE(made) << made.error().message();
  expect_widths(*made, {2.4 * 1.25, 3.2 / 1.6, 3.2 * 1.25}, 0.04);
  EXPECT_TRUE(any_mentions(made->warnings, "even"));
  EXPECT_TRUE(any_mentions(made->warnings, "off-centre"));
  EXPECT_TRUE(any_mentions(made->warnings, "resampled"));
  // Nothing of the noise far from the spot is left.
  EXPECT_EQ(made->psf.weights.front(), 0.0);
  // Off, each is said and left.
  MeasureOptions off;
  off.resample = false;
  const auto plain = measured_psf(volume, off, {200, 160, 80, "nm"}, {128, 128, 128});
  ASSERT_TRUE(plain);
  expect_widths(*plain, {2.4, 3.2, 3.2}, 0.02);
  EXPECT_TRUE(any_mentions(plain->warnings, "switch resampling on"));
  off.center = false;
  const auto even = measured_psf(volume, off, {200, 160, 80, "nm"}, {128, 128, 128});
  ASSERT_FALSE(even);
  EXPECT_NE(even.error().message().find("even size"), std::string::npos);
}

TEST(MeasuredPsf, AnIntegratingCameraWithLargerPixelsSeesTheSame) {
  // A spot on a fine grid, and what pixels three times as wide would have recorded of it.
  const Volume fine = image_of({{{4, 31, 31}}}, {1, 5, 5}, {9, 63, 63}, {1, 1, 1, "µm"}, 0, 0);
  MeasureOptions options;
  options.background = false;
  const auto made = measured_psf(fine, options, {1, 3, 3, "µm"}, kUnknown);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->psf.size, (Size3{9, 21, 21}));
  double total = 0.0;
  double middle = 0.0;
  for (std::int64_t x = 0; x < 63; ++x) {
    for (std::int64_t y = 0; y < 63; ++y) {
      const double v = fine.value({4, x, y});
      total += v;
      if (std::abs(x - 31) <= 1 && std::abs(y - 31) <= 1) middle += v;
    }
  }
  double plane = 0.0;
  for (std::size_t i = 0; i < 441; ++i) plane += made->psf.weights[4 * 441 + i];
  EXPECT_NEAR(made->psf.weights[4 * 441 + 220] / plane, middle / total, 2e-3 * middle / total);
}

TEST(MeasuredPsf, ASizeCutsItAndSaysTheCoverage) {
  const VoxelSize voxel{1, 1, 1, "px"};
  const Volume volume = image_of({{{10, 10, 10}}}, {2, 2, 2}, {21, 21, 21}, voxel, 0.0, 0.0);
  MeasureOptions options;
  options.background = false;
  options.size = {5, 9, 0};
  const auto made = measured_psf(volume, options, voxel, {64, 64, 64});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->psf.size, (Size3{5, 9, 21}));
  const double share = std::erf(2.5 / (2 * std::sqrt(2.0))) * std::erf(4.5 / (2 * std::sqrt(2.0)));
  EXPECT_NEAR(made->coverage, share, 6e-3);
}

TEST(MeasuredPsf, WhatIsNoPsfIsRefusedWithASentence) {
  const VoxelSize voxel{1, 1, 1, "µm"};
  const auto error_of = [&](const Volume& volume, const Size3& image) {
    const auto made = measured_psf(volume, {}, voxel, image);
    return made ? std::string() : made.error().message();
  };
  Volume volume = image_of({{{4, 8, 8}}}, {1, 1.5, 1.5}, {9, 17, 17}, voxel, 0.0, 0.0);
  EXPECT_EQ(error_of(volume, {64, 64, 64}), "");
  // Larger than the image: how much is too much follows from what is not empty.
  EXPECT_NE(error_of(volume, {4, 64, 64}).find("more than the image"), std::string::npos);
  std::get<Pixels<float>>(volume.pixels).at(3, 4, 5) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of(volume, kUnknown).find("the first at z 3, x 4, y 5"), std::string::npos);
  volume.pixels = Pixels<float>({9, 9, 9}, 0.0F);
  EXPECT_NE(error_of(volume, kUnknown).find("zero everywhere"), std::string::npos);
  volume.pixels = Pixels<float>({9, 9, 9}, 7.0F);
  EXPECT_NE(error_of(volume, kUnknown).find("the same value everywhere"), std::string::npos);
}

// Found by fuzzing: a changed exponent in a voxel size asked for terabytes.
TEST(MeasuredPsf, VoxelsOfAnotherWorldAreRefused) {
  const Volume volume =
      image_of({{{4, 8, 8}}}, {1, 1.5, 1.5}, {9, 17, 17}, {1, 1e9, 1, "µm"}, 0.0, 0.0);
  const auto made = measured_psf(volume, {}, {1, 1, 1, "µm"}, kUnknown);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message().find("1e+09 times as large as the image's in x"),
            std::string::npos)
      << made.error().message();
  // Beads are no exception.
  const auto beads = psf_from_beads(volume, {{4, 8, 8}}, {}, {1, 1, 1, "µm"}, kUnknown);
  ASSERT_FALSE(beads);
  EXPECT_NE(beads.error().message().find("too large on the grid"), std::string::npos)
      << beads.error().message();
  // The other way round it is one pixel, and said to be no PSF or used: never a crash.
  (void)measured_psf(volume, {}, {1, 1e18, 1, "µm"}, kUnknown);
}

TEST(MeasuredPsf, SeveralSpotsAreAWarning) {
  const VoxelSize voxel{1, 1, 1, "µm"};
  const Volume volume =
      image_of({{{7, 12, 12}}, {{7, 12, 30}, 600.0}}, {1.5, 2, 2}, {15, 25, 43}, voxel, 10.0, 1.0);
  const auto made = measured_psf(volume, {}, voxel, {64, 64, 64});
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(any_mentions(made->warnings, "more than one bright spot"));
}

TEST(Beads, TheirAverageIsCentredAndLessNoisyThanEach) {
  const VoxelSize voxel{0.2, 0.1, 0.1, "µm"};
  const std::vector<Spot> spots{{{12.3, 20.4, 20.1}, 900.0},
                                {{11.6, 50.7, 22.4}, 1500.0},
                                {{12.9, 24.2, 60.5}, 600.0},
                                {{12.1, 55.5, 58.8}, 1200.0}};
  const Volume volume = image_of(spots, {1.8, 2.2, 2.2}, {25, 80, 80}, voxel, 100.0, 20.0);
  // Clicked a few pixels beside them, in another slice.
  std::vector<Index3> picked;
  for (const Spot& s : spots) {
    picked.push_back({static_cast<std::int64_t>(s.centre[0]) + 2,
                      static_cast<std::int64_t>(s.centre[1]) - 2,
                      static_cast<std::int64_t>(s.centre[2]) + 3});
  }
  const auto made = psf_from_beads(volume, picked, {}, voxel, {64, 64, 64});
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->beads.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(made->beads[i].used) << made->beads[i].reason;
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_NEAR(made->beads[i].centre[d], spots[i].centre[d], 0.2) << i << " " << d;
    }
  }
  EXPECT_NEAR(made->beads[0].signal_to_noise, 45.0, 8.0);
  expect_widths(made->made, {1.8, 2.2, 2.2}, 0.06);
  // Of one bead alone the shape is known less well.
  const auto error = [&](const MadePsf& psf) {
    const Stencil truth = gaussian_stencil({1.8, 2.2, 2.2}, psf.psf.size);
    double sum = 0.0;
    for (std::size_t i = 0; i < truth.weights.size(); ++i) {
      sum += std::pow(truth.weights[i] - psf.psf.weights[i], 2);
    }
    return std::sqrt(sum);
  };
  MeasureOptions same;
  same.size = made->made.psf.size;
  const auto single = psf_from_beads(volume, {picked[2]}, same, voxel, {64, 64, 64});
  ASSERT_TRUE(single) << single.error().message();
  EXPECT_LT(error(made->made), 0.7 * error(single->made));
}

TEST(Beads, ThoseThatCannotBeUsedSayWhy) {
  const VoxelSize voxel{1, 1, 1, "px"};
  const Volume volume = image_of({{{10, 20, 20}}, {{10, 20, 26}}, {{10, 1, 60}}, {{10, 60, 60}}},
                                 {1.5, 2, 2}, {21, 80, 80}, voxel, 50.0, 5.0);
  const auto made = psf_from_beads(
      volume, {{10, 20, 20}, {10, 20, 26}, {10, 1, 60}, {10, 60, 60}, {11, 61, 59}, {3, 70, 20}},
      {}, voxel, {64, 64, 64});
  ASSERT_TRUE(made) << made.error().message();
  const std::vector<Bead>& beads = made->beads;
  EXPECT_NE(beads[0].reason.find("too close to another"), std::string::npos);
  EXPECT_NE(beads[1].reason.find("too close to another"), std::string::npos);
  EXPECT_NE(beads[2].reason.find("border"), std::string::npos);
  EXPECT_TRUE(beads[3].used);
  EXPECT_NE(beads[4].reason.find("same bead as number 4"), std::string::npos);
  EXPECT_NE(beads[5].reason.find("noise"), std::string::npos);
  const auto none = psf_from_beads(volume, {{3, 70, 20}}, {}, voxel, {64, 64, 64});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("1 is hardly above the noise"), std::string::npos);
  EXPECT_FALSE(psf_from_beads(volume, {{3, 70, 99}}, {}, voxel, {64, 64, 64}));
  EXPECT_FALSE(psf_from_beads(volume, {}, {}, voxel, {64, 64, 64}));
}

TEST(Beads, AClickBesideABeadFindsIt) {
  const Volume volume =
      image_of({{{10, 40, 40}}}, {2, 3, 3}, {21, 80, 80}, {1, 1, 1, "px"}, 50.0, 1.0);
  const Index3 found = bead_near(volume, {14, 44, 36});
  EXPECT_EQ(found, (Index3{10, 40, 40}));
}

TEST(RealPsf, FourBeadsOfOneImageGiveAPsf) {
  APRSCOPE_NEEDS_DATA();
  const auto data = load_file((test::data_dir() / "fluo/Bead_Image1_crop.tif").string());
  ASSERT_TRUE(data) << data.error().message();
  const auto& volume = std::get<Volume>(*data);
  // As a whole it is no PSF, which is said.
  const auto whole = measured_psf(volume, {}, volume.voxel, kUnknown);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_TRUE(any_mentions(whole->warnings, "more than one bright spot"));
  std::vector<Index3> picked;
  for (const auto& [x, y] :
       {std::pair<std::int64_t, std::int64_t>{71, 28}, {79, 75}, {108, 43}, {34, 124}}) {
    picked.push_back(bead_near(volume, {15, x, y}));
  }
  const auto made =
      psf_from_beads(volume, picked, {}, {0.125, 0.0219647, 0.0219647, "µm"}, {21, 150, 150});
  ASSERT_TRUE(made) << made.error().message();
  for (const Bead& bead : made->beads) {
    EXPECT_TRUE(bead.used) << bead.reason;
  }
  const PsfReport report = psf_report(made->made.psf);
  // What a confocal microscope of high aperture has.
  EXPECT_NEAR(report.fwhm[0] * 0.125, 0.6, 0.25);
  EXPECT_NEAR(report.fwhm[1] * 0.0219647, 0.2, 0.08);
  EXPECT_NEAR(report.fwhm[2] * 0.0219647, 0.2, 0.08);
  EXPECT_TRUE(any_mentions(made->made.warnings, "resampled"));
}

TEST(RealPsf, AnOffsetIsTakenOff) {
  APRSCOPE_NEEDS_DATA();
  const auto data = load_file((test::data_dir() / "fluo/lls_psf.tif").string());
  ASSERT_TRUE(data) << data.error().message();
  const auto& volume = std::get<Volume>(*data);
  const auto made = measured_psf(volume, {}, volume.voxel, {128, 256, 256});
  ASSERT_TRUE(made) << made.error().message();
  const PsfReport report = psf_report(made->psf);
  for (const double f : report.fwhm) EXPECT_NEAR(f, 5.0, 3.0);
  EXPECT_EQ(made->psf.weights.front(), 0.0);
  // With its camera's offset it would blur everything with everything.
  MeasureOptions raw;
  raw.background = false;
  const auto offset = measured_psf(volume, raw, volume.voxel, {128, 256, 256});
  ASSERT_TRUE(offset) << offset.error().message();
  EXPECT_TRUE(any_mentions(offset->warnings, "background"));
}

}  // namespace
}  // namespace aprscope

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using test::VolumeSlices;

void expect_same(const Volume& volume, const ConversionParameters& p) {
  const auto expected = convert(volume, p);
  ASSERT_TRUE(expected) << expected.error().message();
  VolumeSlices slices(volume);
  const auto found = convert_slices(slices, p);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_TRUE(found->access->particles() == expected->access->particles());
  EXPECT_EQ(found->main_field()->values, expected->main_field()->values);
  EXPECT_EQ(found->parameters, expected->parameters);
  EXPECT_EQ(found->history, expected->history);
}

TEST(ConvertSlices, IsTheConversionInMemory) {
  for (const Size3& size :
       {Size3{1, 1, 1}, Size3{1, 1, 77}, Size3{1, 40, 35}, Size3{2, 18, 33}, Size3{16, 20, 24},
        Size3{17, 19, 21}, Size3{31, 33, 40}, Size3{70, 33, 45}, Size3{133, 21, 18}}) {
    SCOPED_TRACE(testing::Message() << size.z << " x " << size.x << " x " << size.y);
    for (const float lambda : {0.0F, 0.2F, 3.0F, 60.0F}) {
      ConversionParameters p;
      p.lambda = lambda;
      p.intensity_th = 150.0F;
      expect_same(test::blobs<std::uint16_t>(size, 100.0, 5000.0), p);
      p.intensity_th = 0.0F;
      expect_same(test::blobs<float>(size, -1.0, 10.0), p);
      p.auto_thresholds = false;
      p.sigma_th = 20.0F;
      p.grad_th = 2.0F;
      p.psfz = 5.0F;
      p.psfy = 2.0F;
      p.rounding = SamplingRounding::truncate_each_level;
      expect_same(test::blobs<std::uint8_t>(size, 3.0, 255.0), p);
      p.constant_scale = true;
      p.neighbourhood_optimisation = false;
      expect_same(test::blobs<std::uint8_t>(size, 3.0, 255.0), p);
    }
  }
}

TEST(ConvertSlices, SameBytesForAnyNumberOfThreads) {
  const Volume volume = test::blobs<std::uint16_t>({70, 81, 93}, 0.0, 65535.0);
  const auto run = [&](int n) {
    const test::Threads threads(n);
    VolumeSlices slices(volume);
    auto apr = convert_slices(slices, {});
    EXPECT_TRUE(apr);
    return std::move(*apr);
  };
  const Apr expected = run(1);
  for (const int n : {2, 7}) {
    const Apr found = run(n);
    EXPECT_TRUE(found.access->particles() == expected.access->particles());
    EXPECT_EQ(found.main_field()->values, expected.main_field()->values);
    EXPECT_EQ(found.parameters, expected.parameters);
  }
}

TEST(ConvertSlices, CarriesTheHeader) {
  Volume volume = test::blobs<std::uint16_t>({20, 21, 22}, 0.0, 1000.0);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "cells";
  volume.channel = "GFP";
  volume.channel_index = 2;
  volume.time = 7;
  VolumeSlices slices(volume);
  const auto apr = convert_slices(slices, {});
  ASSERT_TRUE(apr);
  EXPECT_EQ(apr->voxel, volume.voxel);
  EXPECT_EQ(apr->name, "cells");
  EXPECT_EQ(apr->channel, "GFP");
  EXPECT_EQ(apr->channel_index, 2);
  EXPECT_EQ(apr->time, 7);
}

TEST(ConvertSlices, ErrorsOfReadingAreItsErrors) {
  const Volume volume = test::blobs<std::uint16_t>({40, 21, 22}, 0.0, 1000.0);
  VolumeSlices whole(volume);
  ASSERT_TRUE(convert_slices(whole, {}));
  for (const int after : {0, 30, 45, 90, whole.reads() - 1}) {
    VolumeSlices slices(volume);
    slices.fail_after(after);
    const auto apr = convert_slices(slices, {});
    ASSERT_FALSE(apr) << after;
    EXPECT_NE(apr.error().message().find("is cut off"), std::string::npos);
  }
}

TEST(ConvertSlices, ValuesThatAreNotFiniteAreCounted) {
  Volume volume = test::blobs<float>({40, 7, 8}, 0.0, 1.0);
  auto& pixels = std::get<Pixels<float>>(volume.pixels);
  pixels.at(33, 4, 5) = std::nanf("");
  pixels.at(39, 6, 7) = INFINITY;
  volume.name = "stack";
  VolumeSlices slices(volume);
  const auto apr = convert_slices(slices, {});
  ASSERT_FALSE(apr);
  EXPECT_NE(apr.error().message().find("2 values"), std::string::npos);
  EXPECT_NE(apr.error().message().find("z 33, x 4, y 5"), std::string::npos);
  EXPECT_NE(apr.error().message().find("stack"), std::string::npos);
}

TEST(ConvertSlices, CancelsWhereverItIsAsked) {
  const Volume volume = test::blobs<std::uint16_t>({60, 61, 62}, 0.0, 1000.0);
  test::Progress whole;
  VolumeSlices all(volume);
  ASSERT_TRUE(convert_slices(all, {}, whole.context()));
  const auto reports = static_cast<int>(whole.fractions().size());
  for (int after = 0; after < reports - 5; after += std::max(1, reports / 10)) {
    test::Progress progress(after);
    VolumeSlices slices(volume);
    const auto apr = convert_slices(slices, {}, progress.context());
    ASSERT_FALSE(apr) << "after " << after << " of " << reports << " reports";
    EXPECT_TRUE(apr.error().cancelled());
  }
}

// The samples for thresholds, in parts and at once, for strides of 1 and more and with voxels left
// out.
TEST(ThresholdSamples, InPartsAreThoseAtOnce) {
  for (const double share : {0.4, 1.0, 2.6}) {
    for (const int leave_out : {0, 3}) {
      const auto n = static_cast<std::size_t>(share * static_cast<double>(kThresholdSamples));
      std::vector<float> gradient(n);
      std::vector<float> scale(n);
      std::uint32_t state = 12345;
      for (std::size_t i = 0; i < n; ++i) {
        state = state * 1664525U + 1013904223U;
        const auto value = static_cast<float>(state >> 16U);
        gradient[i] = leave_out != 0 && state % 7U < static_cast<unsigned>(leave_out)
                          ? -1.0F
                          : value * value * 1e-6F;
        scale[i] = 1.0F + value * value * value * 1e-9F;
      }
      const MaskedVoxels all{gradient.data(), scale.data(), static_cast<std::int64_t>(n), 0.5F};
      const Thresholds expected = masked_thresholds(all);
      ThresholdSamples samples(count_voxels(all));
      for (std::size_t at = 0; at < n;) {
        const std::size_t part = std::min<std::size_t>(n - at, 70001);
        samples.add({gradient.data() + at, scale.data() + at, static_cast<std::int64_t>(part)});
        at += part;
      }
      const Thresholds found = samples.thresholds(0.5F);
      EXPECT_GT(found.grad_th, 0.0F);
      EXPECT_EQ(found.grad_th, expected.grad_th);
      EXPECT_EQ(found.sigma_th, expected.sigma_th);
    }
  }
}

}  // namespace
}  // namespace aprscope

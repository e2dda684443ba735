// The photon gain that an image's noise tells, against gains that were put in.
#include "core/deconvolution/iterate/photon_gain.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/image/scenes.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{24, 96, 96};

// A scene of soft and sharp things with `photons` in its brightest pixel.
Pixels<float> scene(double photons, double gain, double offset, double read_noise) {
  CylinderScene cylinders;
  cylinders.size = kSize;
  cylinders.count = 4;
  cylinders.radius_min = 6.0;
  cylinders.radius_max = 12.0;
  cylinders.background = 0.1F;
  Pixels<float> image = hollow_cylinders(cylinders);
  // Light that varies smoothly, as out of focus.
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        const double wave = std::sin(0.05 * static_cast<double>(x)) *
                            std::cos(0.06 * static_cast<double>(y + 2 * z));
        image.at(z, x, y) = static_cast<float>(0.4 * image.at(z, x, y) + 0.3 + 0.25 * wave);
      }
    }
  }
  add_poisson_noise(image, photons, 7);
  for (float& v : image.values) v = static_cast<float>(v * photons * gain + offset);
  if (read_noise > 0.0) add_gaussian_noise(image, read_noise, 8);
  return image;
}

TEST(PhotonGain, IsFoundWithinATenth) {
  for (const double photons : {20.0, 100.0, 2000.0}) {
    for (const double gain : {0.25, 1.0, 4.0}) {
      for (const double offset : {0.0, 100.0}) {
        const auto image = scene(photons, gain, offset, 0.0);
        const auto guess = guess_photon_gain(image.values, kSize);
        ASSERT_TRUE(guess.ok()) << guess.error().message();
        EXPECT_NEAR(*guess / gain, 1.0, 0.1) << photons << " photons, offset " << offset;
      }
    }
  }
}

TEST(PhotonGain, NoiseOfTheCameraItselfIsNoLight) {
  const auto image = scene(100.0, 2.0, 100.0, 6.0);
  const auto guess = guess_photon_gain(image.values, kSize);
  ASSERT_TRUE(guess.ok());
  EXPECT_NEAR(*guess / 2.0, 1.0, 0.15);
}

TEST(PhotonGain, OneSliceIsEnough) {
  const auto image = scene(100.0, 2.0, 0.0, 0.0);
  const Size3 one{1, kSize.x, kSize.y};
  const std::vector<float> slice(image.values.begin(), image.values.begin() + one.count());
  const auto guess = guess_photon_gain(slice, one);
  ASSERT_TRUE(guess.ok());
  EXPECT_NEAR(*guess / 2.0, 1.0, 0.4);
}

TEST(PhotonGain, SmoothedImagesAreRefused) {
  for (const double photons : {20.0, 100.0}) {
    const auto image = scene(photons, 2.0, 100.0, 0.0);
    for (const std::int64_t width : {2, 3}) {
      Pixels<float> smooth = image;
      for (std::size_t i = 0; i + 2 < image.values.size(); ++i) {
        float sum = 0.0F;
        for (std::int64_t k = 0; k < width; ++k)
          sum += image.values[i + static_cast<std::size_t>(k)];
        smooth.values[i] = sum / static_cast<float>(width);
      }
      const auto guess = guess_photon_gain(smooth.values, kSize);
      ASSERT_FALSE(guess.ok()) << *guess << " for a mean of " << width;
      EXPECT_NE(guess.error().message().find("share their noise"), std::string::npos);
    }
  }
}

TEST(PhotonGain, WhatCannotBeGuessedIsSaid) {
  const auto says = [](const std::vector<float>& values, const Size3& size) {
    const auto guess = guess_photon_gain(values, size);
    EXPECT_FALSE(guess.ok());
    return guess.ok() ? "" : guess.error().message();
  };
  const auto count = static_cast<std::size_t>(kSize.count());
  EXPECT_NE(says(std::vector<float>(count, 7.0F), kSize).find("no noise"), std::string::npos);
  EXPECT_NE(says(std::vector<float>(60, 7.0F), {3, 4, 5}).find("too small"), std::string::npos);
  EXPECT_NE(says(std::vector<float>(count, NAN), kSize).find("finite"), std::string::npos);
  // The same noise everywhere, on light that varies.
  Pixels<float> even(kSize, 0.0F);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        // The brighter the quieter.
        even.at(z, x, y) =
            static_cast<float>(x) +
            (x < 48 ? 9.0F : 1.0F) * static_cast<float>((x * 7 + y * 13 + z * 5) % 3);
      }
    }
  }
  EXPECT_NE(says(even.values, kSize).find("does not rise"), std::string::npos);
}

}  // namespace
}  // namespace aprscope

#include "core/maps/upsampled.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

std::size_t place(std::int64_t side, std::int64_t z, std::int64_t x, std::int64_t y) {
  return static_cast<std::size_t>((z * side + x) * side + y);
}

template <class Each>
void for_each_voxel(std::int64_t side, const Each& each) {
  for (std::int64_t z = 0; z < side; ++z) {
    for (std::int64_t x = 0; x < side; ++x) {
      for (std::int64_t y = 0; y < side; ++y) each(z, x, y);
    }
  }
}

// A sum of waves with at most three cycles over the side, at a place in shares of the side.
double waves(double z, double x, double y) {
  const auto wave = [&](int kz, int kx, int ky, double phase) {
    return std::cos(2.0 * std::numbers::pi * (kz * z + kx * x + ky * y) + phase);
  };
  return 0.5 + wave(1, 0, 0, 0.3) + 2.0 * wave(0, 2, -1, 1.0) - 0.7 * wave(-3, 1, 3, 2.0) +
         wave(3, 3, -3, -0.4);
}

TEST(Upsampled, VoxelsKeepTheirValues) {
  // Noise has something at all frequencies, Nyquist and its corners too.
  for (const std::int64_t side : {8, 9, 12}) {
    for (const std::int64_t times : {2, 3, 4}) {
      const auto map = test::noise_map(side, 11);
      const auto fine = upsampled(map, side, times);
      ASSERT_TRUE(fine) << fine.error().message();
      const std::int64_t n = times * side;
      ASSERT_EQ(static_cast<std::int64_t>(fine->size()), n * n * n);
      for_each_voxel(side, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
        ASSERT_NEAR((*fine)[place(n, times * z, times * x, times * y)], map[place(side, z, x, y)],
                    1e-5)
            << side << " " << times << ": " << z << " " << x << " " << y;
      });
    }
  }
}

TEST(Upsampled, WavesAreExactBetweenVoxels) {
  for (const std::int64_t side : {8, 7}) {
    const auto sampled = [&](std::int64_t n) {
      std::vector<float> map(static_cast<std::size_t>(n * n * n));
      const auto share = [&](std::int64_t i) {
        return static_cast<double>(i) / static_cast<double>(n);
      };
      for_each_voxel(n, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
        map[place(n, z, x, y)] = static_cast<float>(waves(share(z), share(x), share(y)));
      });
      return map;
    };
    for (const std::int64_t times : {2, 3}) {
      const auto fine = upsampled(sampled(side), side, times);
      ASSERT_TRUE(fine);
      const auto expected = sampled(times * side);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR((*fine)[i], expected[i], 1e-5) << side << " " << times << ": " << i;
      }
    }
  }
}

// The wave at Nyquist of an even side has no sine: between its crests it is a cosine.
TEST(Upsampled, NyquistIsACosine) {
  const std::int64_t side = 6;
  std::vector<float> map(static_cast<std::size_t>(side * side * side));
  for_each_voxel(side, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    map[place(side, z, x, y)] = (z + y) % 2 == 0 ? 1.0F : -1.0F;
  });
  const auto fine = upsampled(map, side, 2);
  ASSERT_TRUE(fine);
  const auto half_wave = [](std::int64_t i) {
    return std::cos(std::numbers::pi * static_cast<double>(i) / 2.0);
  };
  for_each_voxel(2 * side, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    ASSERT_NEAR((*fine)[place(2 * side, z, x, y)], half_wave(z) * half_wave(y), 1e-6);
  });
}

TEST(Upsampled, WhatIsConstantStaysSo) {
  for (const std::int64_t side : {4, 5}) {
    const std::vector<float> map(static_cast<std::size_t>(side * side * side), 7.25F);
    const auto fine = upsampled(map, side, 3);
    ASSERT_TRUE(fine);
    for (const float v : *fine) ASSERT_NEAR(v, 7.25F, 1e-5);
  }
}

TEST(Upsampled, SaysWhatItCannotDo) {
  const std::vector<float> map(64, 1.0F);
  EXPECT_FALSE(upsampled(map, 4, 1));
  EXPECT_FALSE(upsampled(map, 5, 2));
  std::stop_source stopped;
  stopped.request_stop();
  const auto cancelled = upsampled(map, 4, 2, JobContext(stopped.get_token()));
  ASSERT_FALSE(cancelled);
  EXPECT_TRUE(cancelled.error().cancelled());
  // The result and the spectrum that it comes out of.
  EXPECT_GE(upsampled_bytes(100, 3), 2U * 300 * 300 * 300 * sizeof(float));
  EXPECT_LT(upsampled_bytes(100, 3), 3U * 300 * 300 * 300 * sizeof(float));
}

}  // namespace
}  // namespace aprscope

#include "core/maps/axis_fsc.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/maps/shells.hpp"

namespace aprscope {
namespace {

constexpr double kThreshold = 1.0 / 7.0;

std::array<std::int64_t, 3> sizes_of(const Size3& n) { return {n.z, n.x, n.y}; }

// Waves of random direction and phase whose frequency along each axis, in cycles over the image, is
// inside the ellipsoid of these half axes: nothing beyond them. They do not fit into the image.
std::vector<float> band_limited(const Size3& size, const std::array<double, 3>& limit) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<float> out(static_cast<std::size_t>(size.count()), 0.0F);
  for (int wave = 0; wave < 600; ++wave) {
    std::array<double, 3> k{};
    double inside = 2.0;
    while (inside > 1.0) {
      inside = 0.0;
      for (std::size_t d = 0; d < 3; ++d) {
        k[d] = sizes_of(size)[d] == 1 ? 0.0 : number(random);
        inside += k[d] * k[d];
      }
    }
    const double phase = std::numbers::pi * number(random);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          const double turns =
              k[0] * limit[0] * static_cast<double>(z) / static_cast<double>(size.z) +
              k[1] * limit[1] * static_cast<double>(x) / static_cast<double>(size.x) +
              k[2] * limit[2] * static_cast<double>(y) / static_cast<double>(size.y);
          out[i++] += static_cast<float>(std::cos(2.0 * std::numbers::pi * turns + phase));
        }
      }
    }
  }
  return out;
}

std::vector<float> with_noise(std::vector<float> image, float strength, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(0.0F, strength);
  for (float& v : image) v += 100.0F + noise(random);
  return image;
}

TEST(AxisFsc, FindsTheLimitOfEachAxisWithinAShell) {
  const Size3 size{24, 48, 40};
  const std::array<double, 3> limit{6.0, 16.0, 10.0};
  const std::array<double, 3> voxel{1.0, 0.5, 0.4};
  const auto image = band_limited(size, limit);
  const auto fsc = axis_fsc(with_noise(image, 20.0F, 1), with_noise(image, 20.0F, 2), size, voxel);
  ASSERT_TRUE(fsc) << fsc.error().message();
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t n = sizes_of(size)[d];
    ASSERT_EQ(fsc->curves[d].size(), static_cast<std::size_t>(n / 2 + 1));
    const auto found = crossing(fsc->curves[d], kThreshold, n, voxel[d]);
    ASSERT_TRUE(found) << "axis " << d;
    const double shell = static_cast<double>(n) * voxel[d] / *found;
    EXPECT_NEAR(shell, limit[d], 1.0) << "axis " << d;
  }
}

TEST(AxisFsc, IsInTheUnitOfTheVoxels) {
  const Size3 size{32, 32, 32};
  const auto image = band_limited(size, {8.0, 8.0, 8.0});
  const auto a = with_noise(image, 20.0F, 1);
  const auto b = with_noise(image, 20.0F, 2);
  const auto fine = axis_fsc(a, b, size, {0.1, 0.1, 0.1}).value();
  const auto coarse = axis_fsc(a, b, size, {0.3, 0.3, 0.3}).value();
  EXPECT_EQ(fine.curves, coarse.curves) << "the same shells";
  EXPECT_NEAR(*crossing(fine.curves[1], kThreshold, 32, 0.1), 0.4, 0.06);
  EXPECT_NEAR(*crossing(coarse.curves[1], kThreshold, 32, 0.3), 1.2, 0.18);
}

TEST(AxisFsc, OfTheSameImageIsOneAndOfNoiseNothing) {
  const Size3 size{32, 40, 48};
  const std::vector<float> none(static_cast<std::size_t>(size.count()), 0.0F);
  const auto a = with_noise(none, 1.0F, 1);
  const auto same = axis_fsc(a, a, size, {1, 1, 1}).value();
  for (const auto& curve : same.curves) {
    for (const double v : curve) EXPECT_NEAR(v, 1.0, 1e-9);
  }
  const auto noise = axis_fsc(a, with_noise(none, 1.0F, 2), size, {1, 1, 1}).value();
  for (const auto& curve : noise.curves) {
    double sum = 0.0;
    const std::size_t half = curve.size() / 2;
    for (std::size_t s = half; s < curve.size(); ++s) sum += curve[s];
    EXPECT_LT(std::abs(sum / static_cast<double>(curve.size() - half)), 0.15);
  }
}

// Borders that both images have are no detail: a slope jumps from one border to the other.
TEST(AxisFsc, IsBlindToBorders) {
  const Size3 size{1, 64, 64};
  std::vector<float> slope;
  for (std::int64_t i = 0; i < size.count(); ++i) {
    const std::int64_t height = i / 64 + 2 * (i % 64);
    slope.push_back(static_cast<float>(height) * 4.0F);
  }
  const auto fsc =
      axis_fsc(with_noise(slope, 2.0F, 1), with_noise(slope, 2.0F, 2), size, {1, 1, 1}).value();
  EXPECT_TRUE(fsc.curves[0].empty()) << "one pixel thick";
  for (const std::size_t d : {1U, 2U}) {
    const auto found = crossing(fsc.curves[d], kThreshold, 64, 1.0);
    ASSERT_TRUE(found);
    EXPECT_GT(*found, 4.0) << "pixels; there is nothing finer than the slope";
  }
}

TEST(AxisFsc, IsTheSameForAnyNumberOfThreads) {
  const Size3 size{40, 44, 48};
  const auto image = band_limited({40, 44, 48}, {4.0, 4.0, 4.0});
  const auto a = with_noise(image, 5.0F, 1);
  const auto b = with_noise(image, 5.0F, 2);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = axis_fsc(a, b, size, {1, 1, 1}).value();
  set_thread_count(3);
  const auto three = axis_fsc(a, b, size, {1, 1, 1}).value();
  set_thread_count(before);
  EXPECT_EQ(one.curves, three.curves);
}

TEST(AxisFsc, SaysWhatItCannotCompare) {
  const std::vector<float> a(8, 1.0F);
  EXPECT_FALSE(axis_fsc(a, std::vector<float>(7), {2, 2, 2}, {1, 1, 1}));
  EXPECT_FALSE(axis_fsc(a, a, {2, 2, 3}, {1, 1, 1}));
  EXPECT_FALSE(axis_fsc(a, a, {2, 2, 2}, {1, 0, 1}));
}

}  // namespace
}  // namespace aprscope

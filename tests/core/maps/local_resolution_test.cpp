#include "core/maps/local_resolution.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/maps/map_filters.hpp"
#include "tests/core/maps/test_maps.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSide = 48;

// The median over a cube of 9 voxels a side.
float median_round(const std::vector<float>& map, std::int64_t z, std::int64_t y, std::int64_t x) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < 729; ++i) {
    const std::int64_t at = ((z + i / 81 - 4) * kSide + y + i / 9 % 9 - 4) * kSide + x + i % 9 - 4;
    values.push_back(map[static_cast<std::size_t>(at)]);
  }
  std::nth_element(values.begin(), values.begin() + 364, values.end());
  return values[364];
}

// The halves agree up to 3.5 voxels where x is small and up to 8 where it is large; beyond there is
// noise of their own.
struct TwoRegions {
  std::vector<float> first, second;
};
TwoRegions two_regions() {
  const auto signal = test::noise_map(kSide, 1);
  const auto fine = *low_passed(signal, kSide, 3.5);
  const auto coarse = *low_passed(signal, kSide, 8.0);
  TwoRegions maps{test::noise_map(kSide, 2), test::noise_map(kSide, 3)};
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const float v = i % kSide < kSide / 2 ? fine[i] : coarse[i];
    maps.first[i] = v + 0.5F * maps.first[i];
    maps.second[i] = v + 0.5F * maps.second[i];
  }
  return maps;
}

TEST(LocalResolution, DiffersWhereTheHalvesAgreeToDifferentDetail) {
  const TwoRegions maps = two_regions();
  const auto found = local_resolution(maps.first, maps.second, kSide, {}, {.radius = 9.0});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_NEAR(median_round(*found, 24, 24, 12), 3.5, 0.5);
  EXPECT_NEAR(median_round(*found, 24, 24, 36), 8.0, 1.5);
}

TEST(LocalResolution, IsNyquistWhereHalvesAreOneAndCoarseWhereTheyAreNoise) {
  const auto a = test::noise_map(kSide, 4);
  const auto same = local_resolution(a, a, kSide, {}, {.radius = 8.0});
  ASSERT_TRUE(same);
  for (const float v : *same) ASSERT_EQ(v, 2.0F);
  const auto noise = local_resolution(a, test::noise_map(kSide, 5), kSide, {}, {.radius = 8.0});
  ASSERT_TRUE(noise);
  EXPECT_GT(median_round(*noise, 24, 24, 24), 15.0F);
  for (const float v : *noise) {
    ASSERT_GE(v, 2.0F);
    ASSERT_LE(v, 48.0F);
  }
}

TEST(LocalResolution, HasTheSameBitsForAnyThreads) {
  const TwoRegions maps = two_regions();
  const int before = thread_count();
  set_thread_count(1);
  const auto one = local_resolution(maps.first, maps.second, kSide, {}, {.radius = 9.0});
  set_thread_count(3);
  const auto three = local_resolution(maps.first, maps.second, kSide, {}, {.radius = 9.0});
  set_thread_count(before);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(*one, *three);
  EXPECT_FALSE(local_resolution(maps.first, maps.second, kSide, {}, {.radius = 25.0}));
  // Inside a mask it is the same, outside nothing.
  std::vector<float> mask(maps.first.size());
  for (std::size_t i = 0; i < mask.size() / 3; ++i) mask[i] = 1.0F;
  const auto part = local_resolution(maps.first, maps.second, kSide, mask, {.radius = 9.0});
  ASSERT_TRUE(part);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    ASSERT_EQ((*part)[i], mask[i] > 0.0F ? (*one)[i] : 0.0F) << i;
  }
}

}  // namespace
}  // namespace aprscope

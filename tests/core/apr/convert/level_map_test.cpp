#include "core/apr/convert/level_map.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/structure/linear_access.hpp"

namespace aprscope {
namespace {

std::vector<std::uint8_t> levels_of(const GradientScale& input, const ConversionParameters& p,
                                    int level_max) {
  const std::size_t n = input.gradient.values.size();
  std::vector<float> masked(n);
  mask_gradient(input.gradient.values.data(), input.intensity.values.data(), p.intensity_th,
                static_cast<std::int64_t>(n), masked.data());
  std::vector<std::uint8_t> levels(n);
  LevelRule(p, level_max)
      .apply({masked.data(), input.scale.values.data(), static_cast<std::int64_t>(n), 0.0F},
             levels.data());
  return levels;
}

TEST(LocalLevels, FollowTheFormula) {
  GradientScale input;
  input.image_size = {1, 1, 2048};
  const Size3 half{1, 1, 1024};
  input.gradient = Pixels<float>(half);
  input.scale = Pixels<float>(half);
  input.intensity = Pixels<float>(half, 10.0F);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> exponent(-6.0F, 6.0F);
  for (std::size_t i = 0; i < 1024; ++i) {
    input.gradient.values[i] = std::exp2(exponent(random));
    input.scale.values[i] = std::exp2(exponent(random));
    if (i % 50 == 0) input.intensity.values[i] = 3.0F;
  }
  ConversionParameters p;
  p.rel_error = 0.13F;
  p.sigma_th = 0.5F;
  p.sigma_th_max = 0.1F;
  p.grad_th = 0.2F;
  p.intensity_th = 3.0F;
  p.dz = 3.0F;
  p.dx = 0.7F;
  p.dy = 2.0F;
  const std::vector<std::uint8_t> levels = levels_of(input, p, 11);
  for (std::size_t i = 0; i < 1024; ++i) {
    double gradient = static_cast<double>(input.gradient.values[i]);
    double sigma = static_cast<double>(input.scale.values[i]);
    if (input.intensity.values[i] <= p.intensity_th || input.gradient.values[i] < p.grad_th) {
      gradient = 0.0;
    }
    if (input.scale.values[i] < p.sigma_th) {
      sigma = input.scale.values[i] < p.sigma_th_max ? 60000.0 : 0.5;
    }
    const double exact = std::log2(2048.0 * static_cast<double>(p.dx) * gradient /
                                   (sigma * static_cast<double>(p.rel_error)));
    // Where rounding could go either way, both levels are right.
    if (std::abs(exact - std::round(exact)) < 1e-5) continue;
    const int expected =
        gradient > 0.0 ? std::clamp(static_cast<int>(std::floor(exact)), 1, 10) : 1;
    EXPECT_EQ(levels[i], expected) << i;
  }
}

TEST(LocalLevels, ZeroScaleIsFinestWhereThereIsAGradient) {
  GradientScale input;
  input.image_size = {1, 1, 16};
  input.gradient = Pixels<float>({1, 1, 8});
  input.scale = Pixels<float>({1, 1, 8});
  input.intensity = Pixels<float>({1, 1, 8}, 10.0F);
  input.gradient.values[3] = 1.0F;
  EXPECT_EQ(levels_of(input, {}, 4), (std::vector<std::uint8_t>{1, 1, 1, 3, 1, 1, 1, 1}));
}

// Levels that the rule gives one voxel at a time, by definition.
TEST(LevelMap, HoldsTheFinestVoxelsAndTheMaximaOfBlocks) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> exponent(-9.0F, 3.0F);
  for (const Size3& size : {Size3{1, 1, 300}, Size3{5, 7, 130}, Size3{16, 16, 16},
                            Size3{13, 18, 255}, Size3{3, 3, 3}}) {
    GradientScale input;
    input.image_size = size;
    const Size3 half = half_size(size);
    input.gradient = Pixels<float>(half);
    input.scale = Pixels<float>(half, 1.0F);
    input.intensity = Pixels<float>(half, 10.0F);
    for (float& g : input.gradient.values) g = std::exp2(exponent(random));
    ConversionParameters p;
    p.intensity_th = 3.0F;
    input.intensity.values[half.count() / 2] = 3.0F;
    const int level_max = finest_level(size);
    const std::vector<std::uint8_t> levels = levels_of(input, p, level_max);

    LevelMap whole(size, level_max);
    ASSERT_TRUE(add_levels(input, p, level_max, whole, {}));
    // The same plane by plane.
    std::vector<float> masked(input.gradient.values.size());
    mask_gradient(input.gradient.values.data(), input.intensity.values.data(), p.intensity_th,
                  half.count(), masked.data());
    LevelMap by_planes(size, level_max);
    for (std::int64_t h = 0; h < half.z; ++h) {
      const std::int64_t at = h * half.x * half.y;
      ASSERT_TRUE(
          add_levels({masked.data() + at, input.scale.values.data() + at, half.x * half.y, 0.0F},
                     LevelRule(p, level_max), h, h + 1, by_planes, {}));
    }
    for (const LevelMap* map : {&whole, &by_planes}) {
      Pixels<std::uint8_t> largest(level_grid(size, level_max, level_max - 2), 0);
      std::uint64_t finest = 0;
      for (std::int64_t z = 0; z < half.z; ++z) {
        for (std::int64_t x = 0; x < half.x; ++x) {
          for (std::int64_t y = 0; y < half.y; ++y) {
            const std::uint8_t level = levels[input.gradient.index(z, x, y)];
            EXPECT_EQ(map->finest().test(z, x, y), level == level_max - 1);
            finest += level == level_max - 1 ? 1 : 0;
            std::uint8_t& most = largest.at(z / 2, x / 2, y / 2);
            most = std::max(most, level);
          }
        }
      }
      // No bit is set beyond the end of a row.
      EXPECT_EQ(map->finest().count(), finest);
      EXPECT_EQ(map->coarse().size, largest.size);
      EXPECT_EQ(map->coarse().values, largest.values);
    }
  }
}

}  // namespace
}  // namespace aprscope

#include "core/projections/noise_power.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/project.hpp"
#include "core/projections/shells.hpp"
#include "tests/core/projections/cryo_data.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

ProjectionTable table_of(std::int64_t side, std::int64_t count, std::size_t groups) {
  ProjectionTable table = uniform_projections(side, 1.5, count, 3);
  table.path = "noisy.star";
  table.stacks.emplace_back("noisy.mrcs");
  OpticsGroup group;
  group.voltage_kv = 300.0;
  group.spherical_aberration_mm = 2.7;
  group.amplitude_contrast = 0.1;
  group.pixel_size = 1.5;
  table.optics.assign(groups, group);
  for (std::size_t i = 0; i < groups; ++i) table.optics[i].name = "hall " + std::to_string(i + 1);
  for (Projection& row : table.rows) {
    row.optics = static_cast<std::uint32_t>(row.image % static_cast<std::int64_t>(groups));
    row.half = 1 + static_cast<int>(row.image / 2 % 2);
    row.defocus_u = row.defocus_v = 3000.0 + 100.0 * static_cast<double>(row.image % 13);
  }
  return table;
}

std::vector<std::int64_t> all_rows(const ProjectionTable& table) {
  std::vector<std::int64_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// White noise of a standard deviation for each group, `kernel` smoothed along x: (a, b, a), whose
// transfer at k is b + 2a cos(2π kx ÷ side). In the middle lies something bright.
Projections noisy(ProjectionTable table, const std::vector<double>& sigma, double a, double b) {
  const std::int64_t n = table.side;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  std::vector<float> values;
  for (const Projection& row : table.rows) {
    std::vector<double> white(static_cast<std::size_t>(n * n));
    for (double& v : white) v = sigma[row.optics] * normal(random);
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        const auto at = [&](std::int64_t i) {
          return white[static_cast<std::size_t>(y * n + (i + n) % n)];
        };
        const double r2 =
            std::pow(test::from_middle(x, n), 2) + std::pow(test::from_middle(y, n), 2);
        const double bright = r2 < 0.2 * static_cast<double>(n * n) ? 50.0 : 0.0;
        values.push_back(
            static_cast<float>(7.0 + bright + b * at(x) + a * (at(x - 1) + at(x + 1))));
      }
    }
  }
  auto images = std::make_shared<test::MemoryImages>(n, std::move(values));
  return {std::move(table), std::move(images)};
}

TEST(NoisePower, OfWhiteNoiseIsItsVarianceAtAllFrequencies) {
  for (const std::int64_t side : {31, 32}) {
    const std::int64_t half = side / 2;
    const Projections set = noisy(table_of(side, 600, 2), {1.0, 3.0}, 0.0, 1.0);
    const auto found = noise_power(set, all_rows(set.table), 0);
    ASSERT_TRUE(found.ok()) << found.error().message();
    ASSERT_EQ(found->size(), 2U);
    for (const std::size_t g : {0U, 1U}) {
      const NoisePower& group = (*found)[g];
      EXPECT_EQ(group.group, "hall " + std::to_string(g + 1));
      EXPECT_EQ(group.images, 300);
      ASSERT_EQ(
          group.power.size(),
          static_cast<std::size_t>(std::lround(std::numbers::sqrt2 * static_cast<double>(half))) +
              1);
      const double variance = g == 0 ? 1.0 : 9.0;
      for (std::size_t k = 0; k < group.power.size(); ++k) {
        // Few frequencies are of the first shells and of those in the corners.
        const bool few = k < 3 || k > static_cast<std::size_t>(half);
        EXPECT_NEAR(group.power[k] / variance, 1.0, few ? .35 : .12) << k;
      }
    }
  }
}

TEST(NoisePower, OfColouredNoiseIsItsSpectrum) {
  constexpr std::int64_t kSide = 48;
  constexpr double kA = 0.25;
  constexpr double kB = 0.5;
  const Projections set = noisy(table_of(kSide, 400, 1), {2.0}, kA, kB);
  const auto found = noise_power(set, all_rows(set.table), 0);
  ASSERT_TRUE(found.ok()) << found.error().message();
  std::vector<double> sum(40);
  std::vector<double> count(40);
  for (std::int64_t y = -kSide / 2; y < kSide / 2; ++y) {
    for (std::int64_t x = -kSide / 2; x < kSide / 2; ++x) {
      const auto k = static_cast<std::size_t>(std::lround(std::hypot(x, y)));
      const double transfer =
          kB + 2.0 * kA * std::cos(2.0 * std::numbers::pi * static_cast<double>(x) / kSide);
      sum[k] += 4.0 * transfer * transfer;
      count[k] += 1.0;
    }
  }
  // Beyond a few cycles over the side: that far the corners mix neighbours.
  for (std::size_t k = 4; k <= kSide / 2; ++k) {
    EXPECT_NEAR(found->front().power[k] / (sum[k] / count[k]), 1.0, .15) << k;
  }
  // Low frequencies are stronger, and weigh less.
  const std::vector<float> weights = noise_weights(found->front(), *found);
  ASSERT_EQ(weights.size(), found->front().power.size());
  EXPECT_GT(weights[20], 1.5F * weights[4]);
}

TEST(NoisePower, OfASampleSpreadOverTheRows) {
  const Projections set = noisy(table_of(24, 50, 2), {1.0, 3.0}, 0.0, 1.0);
  const auto some = noise_power(set, all_rows(set.table), 5);
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some->at(0).images, 5);
  EXPECT_EQ(some->at(1).images, 5);
  // Those of the first group are rows 0, 10, 20, 30, 40.
  const std::vector<std::int64_t> rows{0, 10, 20, 30, 40};
  const auto same = noise_power(set, rows, 0);
  ASSERT_TRUE(same.ok());
  ASSERT_EQ(same->size(), 1U);
  EXPECT_EQ(same->at(0).power, some->at(0).power);
}

TEST(NoisePower, TheSameBytesForAnyNumberOfThreads) {
  const Projections set = noisy(table_of(24, 40, 2), {1.0, 3.0}, 0.1, 1.0);
  BackprojectSettings settings;
  settings.noise = NoiseUse::corners;
  const auto run = [&](int threads) {
    set_thread_count(threads);
    auto made = backproject(set, settings);
    EXPECT_TRUE(made.ok()) << made.error().message();
    return *std::move(made);
  };
  const int before = thread_count();
  const Reconstruction one = run(1);
  const Reconstruction two = run(2);
  set_thread_count(before);
  EXPECT_EQ(one.map, two.map);
  EXPECT_EQ(one.noise.at(1).power, two.noise.at(1).power);
}

// Also where only the first images are inserted, as of a map that was ended early.
TEST(NoisePower, IsThatOfAllRows) {
  const Projections set = noisy(table_of(24, 40, 2), {1.0, 3.0}, 0.1, 1.0);
  BackprojectSettings settings;
  settings.noise = NoiseUse::corners;
  const auto all = backproject(set, settings);
  settings.images = 10;
  const auto some = backproject(set, settings);
  ASSERT_TRUE(all.ok() && some.ok());
  EXPECT_EQ(some->images, 10);
  EXPECT_EQ(some->noise.at(0).images, 20);
  EXPECT_EQ(some->noise.at(0).power, all->noise.at(0).power);
}

TEST(NoisePower, BadImagesAreNamed) {
  ProjectionTable table = table_of(16, 4, 1);
  std::vector<bool> refused;
  const auto error = [&](float value, bool everywhere) {
    std::vector<float> values(4 * 16 * 16, 1.0F);
    values[2 * 16 * 16 + 5] = value;
    if (everywhere) std::fill(values.begin(), values.end(), value);
    const Projections set{table, std::make_shared<test::MemoryImages>(16, std::move(values))};
    BackprojectSettings settings;
    settings.noise = NoiseUse::corners;
    BackprojectHooks hooks;
    hooks.unsound = [&](const std::vector<bool>& rows) { refused = rows; };
    const auto made = backproject(set, settings, hooks);
    return made ? std::string() : made.error().message();
  };
  const std::string none = error(std::numeric_limits<float>::quiet_NaN(), false);
  EXPECT_NE(none.find("image 3 of noisy.mrcs has pixels that are not numbers"), std::string::npos)
      << none;
  EXPECT_EQ(refused, (std::vector<bool>{false, false, true, false}));
  const std::string flat = error(2.0F, true);
  EXPECT_NE(flat.find("optics group hall 1 hold one value and no noise"), std::string::npos)
      << flat;
  EXPECT_NE(flat.find("noisy.star"), std::string::npos) << flat;
}

TEST(NoisePower, GoesWithACtf) {
  const Projections set = noisy(table_of(16, 4, 1), {1.0}, 0.0, 1.0);
  for (const CtfUse use : {CtfUse::none, CtfUse::xmipp}) {
    BackprojectSettings settings;
    settings.noise = NoiseUse::corners;
    settings.ctf = use;
    const auto made = backproject(set, settings);
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().message().find("go with a CTF"), std::string::npos);
  }
}

std::vector<float> truth(std::int64_t n) {
  std::vector<float> map;
  for (std::int64_t z = -n / 2; z < n / 2; ++z) {
    for (std::int64_t y = -n / 2; y < n / 2; ++y) {
      for (std::int64_t x = -n / 2; x < n / 2; ++x) {
        double sum = 0;
        for (int a = 0; a < 9; ++a) {
          const double dx = static_cast<double>(x) - 5.0 * std::sin(2.1 * a);
          const double dy = static_cast<double>(y) - 5.0 * std::sin(3.7 * a + 1.0);
          const double dz = static_cast<double>(z) - 5.0 * std::sin(5.3 * a + 2.0);
          sum += std::exp(-(dx * dx + dy * dy + dz * dz) / 1.6);
        }
        map.push_back(static_cast<float>(sum));
      }
    }
  }
  return map;
}

// Every other image is of a microscope that is six times as noisy: with its images weighing as much
// as the others the map is hardly better than they are.
TEST(NoisePower, WeightsThatFollowItGiveABetterMap) {
  constexpr std::int64_t kSide = 32;
  const ProjectionTable table = table_of(kSide, 400, 2);
  const std::vector<float> map = truth(kSide);
  std::vector<float> values;
  ProjectSettings projected;
  projected.ctf = true;
  ASSERT_TRUE(project(map, kSide, table, projected,
                      [&](std::int64_t, std::span<const float> images) -> Status {
                        values.insert(values.end(), images.begin(), images.end());
                        return {};
                      })
                  .ok());
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool noisier = i / (kSide * kSide) % 2 == 1;
    values[i] += static_cast<float>((noisier ? 6.0 : 1.0) * normal(random));
  }
  const Projections set{table, std::make_shared<test::MemoryImages>(kSide, std::move(values))};
  const auto correlation = [&](NoiseUse use) {
    BackprojectSettings settings;
    settings.noise = use;
    const auto made = backproject(set, settings);
    if (!made) {
      ADD_FAILURE() << made.error().message();
      return 0.0;
    }
    EXPECT_EQ(made->noise.size(), use == NoiseUse::white ? 0U : 2U);
    const auto curve = map_shell_correlation(made->map, map, kSide);
    double sum = 0;
    for (std::size_t k = 2; k <= 14; ++k) sum += (*curve)[k];
    return sum / 13;
  };
  const double white = correlation(NoiseUse::white);
  const double corners = correlation(NoiseUse::corners);
  std::cout << "mean FSC to the truth: " << corners << " with the noise of the corners, " << white
            << " with white noise\n";
  EXPECT_GT(corners, white + .05);
}

}  // namespace
}  // namespace aprscope

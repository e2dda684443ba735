// Weights that are iterated, against their definition by sums over all frequencies in f64.
#include "core/projections/weight_iterations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"

namespace aprscope {
namespace {

using Complex = std::complex<double>;

InsertionPlan small_plan() {
  InsertionPlan plan;
  plan.side = 6;
  plan.padded = 12;
  plan.tiles = FrequencyTiles(6, 8);
  plan.slab = slab_kernel(plan.blob);
  plan.image_reach = 6;
  return plan;
}

// Sums whose pairs agree, as a solver gets them.
std::vector<float> drawn(const InsertionPlan& plan) {
  const CounterRandom random(9, 1);
  std::vector<float> sums(static_cast<std::size_t>(plan.tiles.floats()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = static_cast<float>(0.2 + random.uniform(i));
  }
  average_pairs(plan.tiles, sums);
  return sums;
}

// f(x, y, z) on the whole cube of frequencies −P/2 < k ≤ P/2, transformed one axis at a time.
class Cube {
 public:
  explicit Cube(std::int64_t side) : n(side), values(static_cast<std::size_t>(n * n * n)) {}
  Complex& at(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto place = [&](std::int64_t i) { return (i + n) % n; };
    return values[static_cast<std::size_t>((place(z) * n + place(y)) * n + place(x))];
  }
  void transform(double sign) {
    for (const std::int64_t step : {std::int64_t{1}, n, n * n}) {
      std::vector<Complex> line(static_cast<std::size_t>(n));
      for (std::int64_t first = 0; first < n * n * n; ++first) {
        if ((first / step) % n != 0) continue;
        for (std::int64_t k = 0; k < n; ++k) {
          Complex sum = 0;
          for (std::int64_t i = 0; i < n; ++i) {
            sum += values[static_cast<std::size_t>(first + i * step)] *
                   std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(i * k % n) /
                                       static_cast<double>(n));
          }
          line[static_cast<std::size_t>(k)] = sum;
        }
        for (std::int64_t k = 0; k < n; ++k) {
          values[static_cast<std::size_t>(first + k * step)] = line[static_cast<std::size_t>(k)];
        }
      }
    }
  }

  std::int64_t n;
  std::vector<Complex> values;
};

// Calls take(x, y, z) for the frequencies of the ball, each once.
template <class Take>
void each_frequency(const InsertionPlan& plan, const Take& take) {
  const std::int64_t half = plan.padded / 2;
  const std::int64_t reach = plan.tiles.reach();
  for (std::int64_t z = 1 - half; z <= half; ++z) {
    for (std::int64_t y = 1 - half; y <= half; ++y) {
      for (std::int64_t x = 1 - half; x <= half; ++x) {
        if (x * x + y * y + z * z <= reach * reach) take(x, y, z);
      }
    }
  }
}

// One of the sums (0: G, 2: W) at any frequency of the ball.
Complex sum_at(const InsertionPlan& plan, const std::vector<float>& sums, int channel,
               std::int64_t x, std::int64_t y, std::int64_t z) {
  const bool conjugate = x < 0;
  if (conjugate) {
    x = -x;
    y = -y;
    z = -z;
  }
  const float* const at = sums.data() + plan.tiles.at(x, y, z);
  const std::int64_t n = plan.tiles.voxels();
  if (channel == 2) return at[2 * n];
  return {at[0], conjugate ? -at[n] : at[n]};
}

std::vector<double> expected_map(const InsertionPlan& plan, const std::vector<float>& sums,
                                 const std::vector<double>& tau, int iterations) {
  const std::int64_t p = plan.padded;
  Cube weights(p);
  Cube total(p);
  each_frequency(plan, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto shell = static_cast<std::size_t>(std::llround(std::hypot(x, y, z)));
    total.at(x, y, z) = sum_at(plan, sums, 2, x, y, z).real() + tau[shell];
    weights.at(x, y, z) = 1.0 / total.at(x, y, z);
  });
  const double cells = static_cast<double>(p * p * p);
  for (int i = 0; i < iterations; ++i) {
    Cube smooth(p);
    for (std::size_t k = 0; k < smooth.values.size(); ++k) {
      smooth.values[k] = total.values[k] * weights.values[k] / cells;
    }
    smooth.transform(1.0);
    for (std::int64_t z = 1 - p / 2; z <= p / 2; ++z) {
      for (std::int64_t y = 1 - p / 2; y <= p / 2; ++y) {
        for (std::int64_t x = 1 - p / 2; x <= p / 2; ++x) {
          smooth.at(x, y, z) *= plan.blob.window(std::hypot(x, y, z) / static_cast<double>(p));
        }
      }
    }
    smooth.transform(-1.0);
    for (std::size_t k = 0; k < smooth.values.size(); ++k) {
      weights.values[k] /= std::max(std::abs(smooth.values[k]), 1e-6);
    }
  }
  Cube map(p);
  each_frequency(plan, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    map.at(x, y, z) = sum_at(plan, sums, 0, x, y, z) * weights.at(x, y, z) / cells;
  });
  map.transform(1.0);
  std::vector<double> out;
  for (std::int64_t z = -3; z < 3; ++z) {
    for (std::int64_t y = -3; y < 3; ++y) {
      for (std::int64_t x = -3; x < 3; ++x) {
        out.push_back(map.at(x, y, z).real() /
                      plan.blob.window(std::hypot(x, y, z) / static_cast<double>(p)));
      }
    }
  }
  return out;
}

TEST(WeightIterations, AreWhatTheirDefinitionSays) {
  const InsertionPlan plan = small_plan();
  const std::vector<float> sums = drawn(plan);
  const std::vector<double> tau(static_cast<std::size_t>(plan.tiles.reach() + 1), 0.05);
  std::vector<double> before;
  for (const int iterations : {0, 1, 10}) {
    SCOPED_TRACE(iterations);
    const auto map = weight_iterations(plan, sums, tau, iterations);
    ASSERT_TRUE(map.ok()) << map.error().message();
    const std::vector<double> expected = expected_map(plan, sums, tau, iterations);
    ASSERT_EQ(map->size(), expected.size());
    double most = 0.0;
    for (const double v : expected) most = std::max(most, std::abs(v));
    double moved = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR((*map)[i], expected[i], 2e-5 * most) << i;
      if (!before.empty()) moved = std::max(moved, std::abs(expected[i] - before[i]));
    }
    // They do something.
    if (!before.empty()) {
      EXPECT_GT(moved, 1e-3 * most);
    }
    before = expected;
  }
}

TEST(WeightIterations, SameBitsForAnyNumberOfThreads) {
  InsertionPlan plan = small_plan();
  plan.side = 20;
  plan.padded = 40;
  plan.tiles = FrequencyTiles(20, 8);
  const std::vector<float> sums = drawn(plan);
  const std::vector<double> tau(21, 0.01);
  const int threads = thread_count();
  set_thread_count(1);
  const auto one = weight_iterations(plan, sums, tau, 3);
  set_thread_count(3);
  const auto three = weight_iterations(plan, sums, tau, 3);
  set_thread_count(threads);
  ASSERT_TRUE(one.ok());
  ASSERT_TRUE(three.ok());
  EXPECT_EQ(*one, *three);
}

// Of a whole reconstruction: near the truth, and no further from it than division is.
TEST(WeightIterations, GiveTheMapOfCleanImages) {
  const auto atoms = random_molecule({.atoms = 20, .half_axes = {6, 5, 4}, .sigma = 1.4});
  const ProjectionTable table = random_projection_table({.images = 200, .side = 24});
  const Projections set = phantom_projections(atoms, table);
  const std::vector<float> truth = phantom_map(atoms, 24);
  const auto far = [&](Solve solve) {
    BackprojectSettings settings;
    settings.solve = solve;
    settings.iterations = 10;
    const auto map = backproject(set, settings);
    EXPECT_TRUE(map.ok());
    if (!map) return 1e9;
    EXPECT_EQ(map->half1.size(), map->map.size());
    EXPECT_GT(map->fsc[4], 0.98);
    double error = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      error += std::pow(map->map[i] - truth[i], 2);
      all += std::pow(truth[i], 2);
    }
    return std::sqrt(error / all);
  };
  const double iterated = far(Solve::weights);
  EXPECT_LT(iterated, 0.06);
  EXPECT_LT(iterated, 1.5 * far(Solve::division));
}

}  // namespace
}  // namespace aprscope

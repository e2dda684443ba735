#include "core/projections/backproject.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/projections/inserter.hpp"
#include "tests/core/projections/closed_form.hpp"
#include "tests/core/projections/cryo_data.hpp"
#include "tests/support/from_middle.hpp"

namespace aprscope {
namespace {

using test::closed_form;
using test::GaussianAtom;
using test::kAtoms;
using test::truth;
using test::worst_difference;

// Scale, centre, handedness, shift and mirror, of even and odd sides: in the units of the density.
TEST(Backproject, GivesTheDensityOfNoiseFreeImages) {
  for (const std::int64_t n : {23, 24}) {
    const auto map = backproject(closed_form(n, 400, true), {});
    ASSERT_TRUE(map.ok()) << map.error().message();
    EXPECT_EQ(map->side, n);
    EXPECT_DOUBLE_EQ(map->pixel_size, 2.0);
    EXPECT_EQ(map->images, 400);
    EXPECT_FALSE(map->partial);
    EXPECT_LT(worst_difference(map->map, truth(n)), .05) << n;  // of a maximum of 1.2
    ASSERT_EQ(map->fsc.size(), static_cast<std::size_t>(n / 2 + 1));
    EXPECT_GT(*std::min_element(map->fsc.begin(), map->fsc.begin() + n / 3), .99);
    EXPECT_LT(map->thin_share, .05);
  }
}

TEST(Backproject, GivesTheDensityWithKernelsOfHigherOrder) {
  const Projections set = closed_form(24, 400, true);
  const std::vector<float> expected = truth(24);
  const auto dot = [](const std::vector<float>& a, const std::vector<float>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  for (const InsertionKernel kernel : {InsertionKernel::slab, InsertionKernel::blob}) {
    const auto map = backproject(set, {.kernel = kernel, .radius = 2, .order = 2});
    ASSERT_TRUE(map.ok()) << map.error().message();
    EXPECT_LT(worst_difference(map->map, expected), .05);
    EXPECT_GT(
        dot(map->map, expected) / std::sqrt(dot(map->map, map->map) * dot(expected, expected)),
        .999);
  }
}

TEST(Backproject, LeastSquaresAreCloserForFewImages) {
  const Projections set = closed_form(24, 60, false);
  BackprojectSettings settings;
  settings.halves = Halves::none;
  const auto division = backproject(set, settings);
  settings.solve = Solve::least_squares;
  settings.iterations = 8;
  const auto least = backproject(set, settings);
  ASSERT_TRUE(division.ok());
  ASSERT_TRUE(least.ok()) << least.error().message();
  const std::vector<float> expected = truth(24);
  const auto far = [&](const std::vector<float>& map) {
    double sum = 0;
    for (std::size_t i = 0; i < map.size(); ++i) sum += std::pow(map[i] - expected[i], 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(far(least->map), .5 * far(division->map));
}

// An image of larger pixels says the same at lower frequencies.
TEST(Backproject, PixelSizesOfOpticsGroupsMayDiffer) {
  constexpr std::int64_t n = 24;
  Projections set = closed_form(n, 300, false);
  std::vector<float> values(n * n * 300);
  ASSERT_TRUE(set.images->read(set.table.rows, values, {}).ok());
  set.table.optics.push_back(set.table.optics[0]);
  set.table.optics[1].pixel_size = 2.5;
  // Every second image anew, on a coarser grid; its densities are sums along the same lines.
  for (std::size_t i = 0; i < 300; i += 2) {
    Projection& row = set.table.rows[i];
    row.optics = 1;
    const Rotation a = orientation_of(row);
    for (std::int64_t y = 0; y < n; ++y) {
      for (std::int64_t x = 0; x < n; ++x) {
        double sum = 0;
        for (const GaussianAtom& atom : kAtoms) {
          const Vector3 q = a * atom.at;
          const double r2 = std::pow(1.25 * test::from_middle(x, n) - q[0], 2) +
                            std::pow(1.25 * test::from_middle(y, n) - q[1], 2);
          sum += atom.weight * std::sqrt(2 * std::numbers::pi) * atom.sigma *
                 std::exp(-r2 / (2 * atom.sigma * atom.sigma));
        }
        values[i * n * n + static_cast<std::size_t>(y * n + x)] = static_cast<float>(sum);
      }
    }
  }
  set.images = std::make_shared<test::MemoryImages>(n, std::move(values));
  const auto map = backproject(set, {});
  ASSERT_TRUE(map.ok()) << map.error().message();
  EXPECT_LT(worst_difference(map->map, truth(n)), .08);
  // Known before the first image: devices that cannot have it say so in time.
  double largest = 0;
  ASSERT_TRUE(backproject(set, {}, {}, {}, [&](const InsertionPlan& plan, const JobContext& job) {
                largest = plan.largest_scale;
                return make_cpu_inserter(plan, job);
              }).ok());
  EXPECT_DOUBLE_EQ(largest, 1.25);
}

TEST(Backproject, SameBitsForAnyNumberOfThreads) {
  const Projections set = closed_form(16, 40, true);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = backproject(set, {});
  ASSERT_TRUE(one.ok());
  for (const int threads : {2, 7}) {
    set_thread_count(threads);
    const auto more = backproject(set, {});
    ASSERT_TRUE(more.ok());
    EXPECT_EQ(more->map, one->map) << threads;
    EXPECT_EQ(more->fsc, one->fsc) << threads;
  }
  set_thread_count(before);
}

TEST(Backproject, AMapOfAGroupDoesNotChangeUnderIt) {
  BackprojectSettings settings;
  settings.symmetry = "D2";
  settings.halves = Halves::none;
  const auto map = backproject(closed_form(17, 50, false), settings);
  ASSERT_TRUE(map.ok());
  double worst = 0;
  double most = 0;
  for (std::size_t z = 0; z < 17; ++z) {
    for (std::size_t y = 0; y < 17; ++y) {
      for (std::size_t x = 0; x < 17; ++x) {
        const float v = map->map[(z * 17 + y) * 17 + x];
        const float turned = map->map[(z * 17 + 16 - y) * 17 + 16 - x];
        const float over = map->map[((16 - z) * 17 + 16 - y) * 17 + x];
        worst = std::max<double>({worst, std::abs(v - turned), std::abs(v - over)});
        most = std::max<double>(most, v);
      }
    }
  }
  EXPECT_LT(worst, 1e-4 * most);
}

TEST(Backproject, DirectionsAreCountedWithTheirCopies) {
  BackprojectSettings settings;
  settings.symmetry = "O";
  const auto map = backproject(closed_form(12, 30, false), settings);
  ASSERT_TRUE(map.ok());
  double sum = 0;
  for (const double count : map->directions.counts) sum += count;
  EXPECT_DOUBLE_EQ(sum, 30 * 24);
}

TEST(Backproject, AMaskLeavesABall) {
  BackprojectSettings settings;
  settings.mask_diameter = 16;  // Å, 8 voxels
  const auto map = backproject(closed_form(24, 30, false), settings);
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->map[0], 0.0F);
  EXPECT_NE(map->map[(12 * 24 + 12) * 24 + 12], 0.0F);
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was given back
// Memory stays below what is said before.
TEST(Backproject, NeedsNoMoreMemoryThanItSays) {
  for (const Solve solve : {Solve::division, Solve::least_squares, Solve::weights}) {
    const Projections set = closed_form(48, 60, false);
    BackprojectSettings settings;
    settings.solve = solve;
    settings.iterations = 2;
    const std::uint64_t bytes = backproject_bytes(set.table, settings);
    const PeakMeter meter;
    ASSERT_TRUE(backproject(set, settings).ok());
    if (const auto extra = meter.extra()) {
      EXPECT_LT(static_cast<double>(*extra), 1.1 * static_cast<double>(bytes));
    }
  }
}
#endif

// A stack that cannot be read gives its own sentence.
TEST(Backproject, ErrorsOfStacksArePassedOn) {
  class Broken final : public ProjectionImages {
   public:
    Status read(std::span<const Projection>, std::span<float>, const JobContext&) override {
      return Error{"the stack ends early", "a.mrcs", "copy it again"};
    }
  };
  Projections set = closed_form(12, 10, false);
  set.images = std::make_shared<Broken>();
  const auto map = backproject(set, {});
  ASSERT_FALSE(map.ok());
  EXPECT_EQ(map.error().what, "the stack ends early");
}

}  // namespace
}  // namespace aprscope

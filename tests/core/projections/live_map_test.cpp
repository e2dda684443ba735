// What is shown of a map while it grows, and how often.
#include "core/projections/live_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/image/random.hpp"
#include "core/projections/backproject.hpp"
#include "core/projections/inserted_row.hpp"
#include "core/projections/phantom.hpp"
#include "core/projections/plan_reconstruction.hpp"
#include "core/projections/tile_sums.hpp"

namespace aprscope {
namespace {

TEST(LivePace, LooksTakeNoMoreThanTheirShare) {
  LivePace pace(0.25, 0.1);
  double now = 0.0;
  double spent = 0.0;
  int looks = 0;
  while (now < 600.0) {
    now += 0.05;
    if (!pace.due(now)) continue;
    if (looks == 0) {
      EXPECT_GE(now, 0.1 / LivePace::kShare);
    }
    // Each takes a tenth longer or shorter than the one before.
    const double took = 0.1 * (looks % 2 == 0 ? 1.1 : 1.0);
    pace.took(now, now + took);
    now += took;
    spent += took;
    ++looks;
    EXPECT_LE(spent, 0.05 * now);
  }
  EXPECT_LT(spent, (LivePace::kShare + 0.001) * now);
  // The share is used.
  EXPECT_GT(spent, 0.9 * LivePace::kShare * now);
}

TEST(LivePace, NeverComesMoreOftenThanAsked) {
  LivePace pace(0.25, 1e-4);
  double last = 0.0;
  for (double now = 0.01; now < 20.0; now += 0.01) {
    if (!pace.due(now)) continue;
    EXPECT_GE(now - last, 0.25 - 1e-9);
    pace.took(now, now + 1e-4);
    last = now;
  }
  EXPECT_GT(last, 19.0);
  EXPECT_TRUE(LivePace(0.0, 100.0).due(0.0));
}

// Frequency by frequency over the whole half space, from the definition.
TEST(LiveMap, CorrelationOfSumsIsThatOfTheirQuotients) {
  constexpr std::int64_t kReach = 11;
  constexpr std::int64_t kSide = 12;
  constexpr double kShare = 0.3;
  const FrequencyTiles tiles(kReach, 8);
  const CounterRandom random(5, 0);
  std::array<std::vector<float>, 2> sums;
  for (std::size_t half = 0; half < 2; ++half) {
    sums[half].resize(static_cast<std::size_t>(tiles.floats()));
    for (std::size_t i = 0; i < sums[half].size(); ++i) {
      const auto draw = 2 * i + half;
      sums[half][i] = static_cast<float>(random.uniform(2 * i) + 0.3 * random.uniform(draw + 7));
    }
  }
  const std::int64_t n = tiles.voxels();
  const auto each = [&](const auto& take) {
    for (std::int64_t x = 0; x <= kReach; ++x) {
      for (std::int64_t y = -kReach; y <= kReach; ++y) {
        for (std::int64_t z = -kReach; z <= kReach; ++z) {
          if (x * x + y * y + z * z > kReach * kReach) continue;
          take(std::llround(std::hypot(x, y, z)), tiles.at(x, y, z), x == 0 ? 1.0 : 2.0);
        }
      }
    }
  };
  std::array<std::vector<double>, 2> means;
  std::vector<double> count(kReach + 1, 0.0);
  means.fill(count);
  each([&](long long shell, std::int64_t at, double times) {
    const auto s = static_cast<std::size_t>(shell);
    count[s] += times;
    for (std::size_t half = 0; half < 2; ++half) {
      means[half][s] += times * sums[half][static_cast<std::size_t>(at + 2 * n)];
    }
  });
  std::vector<std::array<double, 3>> expected(kSide / 2 + 1);
  each([&](long long shell, std::int64_t at, double times) {
    const auto s = static_cast<std::size_t>(shell);
    std::array<std::complex<double>, 2> f;
    for (std::size_t half = 0; half < 2; ++half) {
      const float* const sum = sums[half].data() + at;
      f[half] =
          std::complex<double>(sum[0], sum[n]) / (sum[2 * n] + kShare * means[half][s] / count[s]);
    }
    auto& of = expected[static_cast<std::size_t>(std::llround(static_cast<double>(shell) / 2.0))];
    of[0] += times * (f[0] * std::conj(f[1])).real();
    of[1] += times * std::norm(f[0]);
    of[2] += times * std::norm(f[1]);
  });
  const auto found = tile_correlation(tiles, sums[0], sums[1], kShare, 2 * kSide, kSide);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t s = 0; s < found.size(); ++s) {
    EXPECT_NEAR(found[s], expected[s][0] / std::sqrt(expected[s][1] * expected[s][2]), 1e-9) << s;
  }
  EXPECT_NEAR(tile_correlation(tiles, sums[0], sums[0], 0.1, 2 * kSide, kSide)[3], 1.0, 1e-12);
}

// All images of a set, and what can be shown of them.
LiveMap live_of(const Projections& set, const BackprojectSettings& settings) {
  const auto plan = plan_reconstruction(set.table, settings);
  EXPECT_TRUE(plan.ok());
  const auto inserter = make_cpu_inserter(plan->insertion, {});
  EXPECT_TRUE(inserter.ok());
  std::vector<Projection> rows;
  for (const std::int64_t row : plan->rows) {
    rows.push_back(set.table.rows[static_cast<std::size_t>(row)]);
  }
  std::vector<float> images(rows.size() * static_cast<std::size_t>(set.table.side) *
                            static_cast<std::size_t>(set.table.side));
  EXPECT_TRUE(set.images->read(rows, images, {}).ok());
  std::vector<ImageTerms> terms;
  std::vector<InsertionSample> samples;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    terms.push_back(image_terms(set.table, rows[i], plan->insertion, false));
    add_samples(*plan, rows[i], terms.back(), static_cast<std::int32_t>(i), plan->halves[i],
                samples);
  }
  EXPECT_TRUE((*inserter)->insert(images, terms, samples, {}).ok());
  auto live = live_map(*plan, settings, **inserter, *(*inserter)->solver(), {});
  EXPECT_TRUE(live.ok());
  return live ? *std::move(live) : LiveMap{};
}

TEST(LiveMap, OfAllImagesIsTheMapByDivision) {
  const ProjectionTable table = random_projection_table({.images = 60, .side = 24});
  const Projections set =
      phantom_projections(random_molecule({.atoms = 20, .half_axes = {6, 5, 4}}), table, 0.5);
  for (const char* symmetry : {"C1", "D2", "C3"}) {
    SCOPED_TRACE(symmetry);
    BackprojectSettings settings;
    settings.symmetry = symmetry;
    const LiveMap live = live_of(set, settings);
    EXPECT_EQ(live.side, 24);
    EXPECT_EQ(live.fsc.size(), 13U);
    settings.halves = Halves::none;
    const auto map = backproject(set, settings);
    ASSERT_TRUE(map.ok());
    ASSERT_EQ(live.map.size(), map->map.size());
    float most = 0.0F;
    float worst = 0.0F;
    for (std::size_t i = 0; i < live.map.size(); ++i) {
      most = std::max(most, std::abs(map->map[i]));
      worst = std::max(worst, std::abs(map->map[i] - live.map[i]));
    }
    EXPECT_LT(worst, 2e-5F * most);
  }
}

// The curve that is shown says nothing else than that of the half maps in the end.
TEST(LiveMap, CorrelationIsNearThatOfTheHalfMaps) {
  const ProjectionTable table = random_projection_table({.images = 400, .side = 32});
  const Projections set =
      phantom_projections(random_molecule({.atoms = 40, .half_axes = {8, 7, 6}}), table, 6.0);
  const LiveMap live = live_of(set, {});
  const auto map = backproject(set, {});
  ASSERT_TRUE(map.ok());
  ASSERT_EQ(live.fsc.size(), map->fsc.size());
  // There is noise, and it matters.
  EXPECT_LT(*std::min_element(map->fsc.begin(), map->fsc.end()), 0.5);
  for (std::size_t s = 1; s < map->fsc.size() - 1; ++s) {
    EXPECT_NEAR(live.fsc[s], map->fsc[s], 0.12) << s;
  }
}

}  // namespace
}  // namespace aprscope

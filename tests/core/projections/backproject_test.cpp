#include "core/projections/backproject.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <numeric>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/shells.hpp"
#include "tests/core/projections/atoms.hpp"
#include "tests/core/projections/batched_inserter.hpp"
#include "tests/core/projections/cryo_data.hpp"

namespace aprscope {
namespace {

using test::Atom;
using test::map_of_atoms;

const std::vector<Atom> kAtoms = {
    {{5, 1, -2}, 1.5, 1}, {{-3, 4, 1}, 1.7, .8}, {{0, -5, 3}, 1.6, 1.2}, {{2, 2, 5}, 1.5, .6}};

std::vector<float> truth(std::int64_t n) { return map_of_atoms(kAtoms, n); }

// Directions spread evenly, images in closed form: the projection along the angles as they stand,
// moved by minus the shift; where the row says so, its mirror is what lies in the stack.
Projections closed_form(std::int64_t n, std::int64_t count, bool moved) {
  Projections set;
  ProjectionTable& table = set.table;
  table.path = "closed.star";
  table.side = n;
  table.pixel_size = 2.0;
  table.optics.resize(1);
  table.optics[0].pixel_size = 2.0;
  table.stacks.emplace_back("closed.mrcs");
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    Projection row;
    const auto t = (static_cast<double>(i) + .5) / static_cast<double>(count);
    row.image = i;
    row.rot = std::fmod(static_cast<double>(i) * 222.492, 360);
    row.tilt = std::acos(1 - 2 * t) * 57.29577951308232;
    row.psi = std::fmod(static_cast<double>(i) * 77.7, 360);
    row.line = i + 10;
    if (moved) {
      row.shift_x = .37 * static_cast<double>(i % 7 - 3);
      row.shift_y = .29 * static_cast<double>(i % 5 - 2);
      row.mirrored = i % 3 == 0;
    }
    const Rotation a = from_euler(row.rot, row.tilt, row.psi);
    for (std::int64_t y = -(n / 2); y < n - n / 2; ++y) {
      for (std::int64_t x = -(n / 2); x < n - n / 2; ++x) {
        const double px = static_cast<double>(row.mirrored ? -x : x) + row.shift_x;
        const double py = static_cast<double>(y) + row.shift_y;
        double sum = 0;
        for (const Atom& atom : kAtoms) {
          const Vector3 q = a * atom.at;
          const double r2 = (px - q[0]) * (px - q[0]) + (py - q[1]) * (py - q[1]);
          sum += atom.weight * std::sqrt(2 * std::numbers::pi) * atom.sigma *
                 std::exp(-r2 / (2 * atom.sigma * atom.sigma));
        }
        values.push_back(static_cast<float>(sum));
      }
    }
    table.rows.push_back(row);
  }
  set.images = std::make_shared<test::MemoryImages>(n, std::move(values));
  return set;
}

double worst_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - b[i]));
  }
  return worst;
}

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
        for (const Atom& atom : kAtoms) {
          const Vector3 q = a * atom.at;
          const double r2 = std::pow(1.25 * static_cast<double>(x - n / 2) - q[0], 2) +
                            std::pow(1.25 * static_cast<double>(y - n / 2) - q[1], 2);
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

// What cannot be used is named; what is unticked is left out.
TEST(Backproject, RowsThatCannotBeUsedAreErrors) {
  Projections set = closed_form(12, 20, false);
  set.table.rows[4].tilt = std::numeric_limits<double>::quiet_NaN();
  const auto failed = backproject(set, {});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message().find("closed.star, line 14"), std::string::npos)
      << failed.error().message();
  set.table.rows[4].enabled = false;
  const auto map = backproject(set, {});
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->left_out, 1);
  EXPECT_EQ(map->images, 19);
}

TEST(Backproject, ImagesInBothHalvesAreSaid) {
  Projections set = closed_form(12, 20, false);
  set.table.rows[1].image = 0;
  for (std::size_t i = 0; i < 20; ++i) set.table.rows[i].half = i < 10 ? 1 : 2;
  const auto apart = backproject(set, {});
  ASSERT_TRUE(apart.ok());
  EXPECT_TRUE(apart->notes.empty());
  set.table.rows[15].image = 0;
  const auto shared = backproject(set, {});
  ASSERT_TRUE(shared.ok());
  ASSERT_EQ(shared->notes.size(), 1U);
  EXPECT_NE(shared->notes[0].find("1 images are in both halves"), std::string::npos);
}

TEST(Backproject, PixelsThatAreNotNumbersAreErrors) {
  Projections set = closed_form(12, 20, false);
  std::vector<float> values(12 * 12 * 20, 1.0F);
  values[7 * 144 + 5] = std::numeric_limits<float>::infinity();
  set.images = std::make_shared<test::MemoryImages>(12, std::move(values));
  const auto failed = backproject(set, {});
  ASSERT_FALSE(failed.ok());
  const std::string message = failed.error().message();
  EXPECT_NE(message.find("image 8 of closed.mrcs"), std::string::npos) << message;
  EXPECT_NE(message.find("line 17"), std::string::npos) << message;
}

Projections with_ctf() {
  Projections set = closed_form(12, 20, false);
  set.table.optics[0].voltage_kv = 300;
  set.table.optics[0].spherical_aberration_mm = 2.7;
  set.table.optics[0].amplitude_contrast = .1;
  for (Projection& row : set.table.rows) row.defocus_u = row.defocus_v = 9000;
  return set;
}

// What a file may say and no map can be made of.
TEST(Backproject, NumbersThatGiveNoMapAreErrors) {
  ASSERT_TRUE(backproject(with_ctf(), {}).ok());
  const auto fails = [](const auto& spoil, const char* word) {
    Projections set = with_ctf();
    spoil(set.table);
    const auto map = backproject(set, {});
    return !map.ok() && map.error().message().find(word) != std::string::npos;
  };
  using Table = ProjectionTable;
  EXPECT_TRUE(fails([](Table& t) { t.optics[0].amplitude_contrast = 10; }, "contrast"));
  EXPECT_TRUE(fails([](Table& t) { t.optics[0].voltage_kv = 0; }, "voltage"));
  EXPECT_TRUE(fails([](Table& t) { t.optics[0].pixel_size = 1e300; }, "pixel size"));
  EXPECT_TRUE(fails([](Table& t) { t.optics[0].pixel_size = 1e9; }, "pixel size"));
  EXPECT_TRUE(fails([](Table& t) { t.rows[3].weight = 1e300; }, "line 13"));
  EXPECT_TRUE(fails([](Table& t) { t.rows[3].phase_shift = 1e308; }, "line 13"));
  EXPECT_TRUE(fails([](Table& t) { t.rows[3].defocus_u = 1e300; }, "line 13"));
  EXPECT_TRUE(fails([](Table& t) { t.rows[3].shift_x = 1e300; }, "line 13"));
  // Without a CTF the same holds of sizes that have nothing to do with each other.
  Projections set = closed_form(12, 20, false);
  set.table.optics[0].pixel_size = 1e9;
  EXPECT_FALSE(backproject(set, {}).ok());
  // Numbers that are fine one by one.
  std::vector<float> values(12 * 12 * 20, 3e38F);
  set = with_ctf();
  set.images = std::make_shared<test::MemoryImages>(12, std::move(values));
  EXPECT_FALSE(backproject(set, {}).ok());
}

// Groups that no image belongs to say nothing, and neither do rows that are left out.
TEST(Backproject, UnusedOpticsGroupsDoNotSwitchTheCtfOff) {
  const auto expected = backproject(with_ctf(), {});
  ASSERT_TRUE(expected.ok());
  Projections set = with_ctf();
  set.table.optics.emplace_back();  // says nothing
  set.table.optics.push_back(set.table.optics[0]);
  set.table.optics[2].premultiplied = true;
  Projection more = set.table.rows[0];
  more.optics = 2;
  more.enabled = false;
  set.table.rows.push_back(more);
  const auto map = backproject(set, {});
  ASSERT_TRUE(map.ok()) << map.error().message();
  EXPECT_EQ(map->map, expected->map);
  EXPECT_EQ(map->notes, expected->notes);
}

// What the table says of its images is taken, and a mixture of both is not.
TEST(Backproject, PhasesThatWereFlippedAreTakenAsSuch) {
  Projections set = with_ctf();
  const auto plain = backproject(set, {});
  const auto expected = backproject(set, {.ctf = CtfUse::phase_flipped});
  set.table.optics[0].phase_flipped = true;
  const auto flipped = backproject(set, {});
  ASSERT_TRUE(plain.ok() && expected.ok() && flipped.ok());
  EXPECT_EQ(flipped->map, expected->map);
  EXPECT_NE(flipped->map, plain->map);
  set.table.optics.push_back(set.table.optics[0]);
  set.table.optics[1].phase_flipped = false;
  set.table.rows[3].optics = 1;
  const auto mixed = backproject(set, {});
  ASSERT_FALSE(mixed.ok());
  EXPECT_NE(mixed.error().message().find("flipped"), std::string::npos);
  set.table.optics[0].premultiplied = true;
  EXPECT_FALSE(backproject(set, {}).ok());
  // Multiplied with the CTF they are all alike, flipped before or not.
  set.table.optics[1].premultiplied = true;
  const auto multiplied = backproject(set, {});
  const auto as_such = backproject(with_ctf(), {.ctf = CtfUse::premultiplied});
  ASSERT_TRUE(multiplied.ok() && as_such.ok());
  EXPECT_EQ(multiplied->map, as_such->map);
}

// All of them are named at once, or left out as if the table did not have them.
TEST(Backproject, ImagesThatAreNoNumbersAreNamedOrLeftOut) {
  constexpr std::int64_t n = 24;
  constexpr std::int64_t count = 600;
  const Projections whole = closed_form(n, count, false);
  std::vector<float> values(static_cast<std::size_t>(n * n * count));
  ASSERT_TRUE(whole.images->read(whole.table.rows, values, {}).ok());
  const std::vector<std::int64_t> bad = {4, 5, 300, 599};
  Projections without = whole;
  for (const std::int64_t row : bad) {
    values[static_cast<std::size_t>(row * n * n + 7)] = std::numeric_limits<float>::quiet_NaN();
    without.table.rows[static_cast<std::size_t>(row)].enabled = false;
  }
  const Projections set{whole.table, std::make_shared<test::MemoryImages>(n, std::move(values))};
  BackprojectSettings settings;
  settings.halves = Halves::none;
  std::vector<std::int64_t> told;
  BackprojectHooks hooks;
  hooks.unsound = [&](const std::vector<bool>& rows) {
    EXPECT_EQ(std::ssize(rows), count);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i]) told.push_back(static_cast<std::int64_t>(i));
    }
  };
  const auto refused = backproject(set, settings, hooks);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(told, bad);
  const std::string why = refused.error().message();
  EXPECT_NE(why.find("4 images have pixels that are not numbers"), std::string::npos) << why;
  EXPECT_NE(why.find("image 5 of closed.mrcs"), std::string::npos) << why;
  EXPECT_NE(why.find("rows 5-6,301,600"), std::string::npos) << why;
  EXPECT_NE(why.find("closed.star, line 14"), std::string::npos) << why;
  settings.skip_unsound = true;
  told.clear();
  const auto skipped = backproject(set, settings, hooks);
  EXPECT_TRUE(told.empty());
  const auto expected = backproject(without, settings);
  ASSERT_TRUE(skipped.ok() && expected.ok());
  EXPECT_LT(worst_difference(skipped->map, expected->map), 1e-5);
  EXPECT_EQ(skipped->images, count - 4);
  EXPECT_EQ(skipped->total, count - 4);
  EXPECT_EQ(skipped->left_out, 4);
  EXPECT_EQ(skipped->unsound, 4);
  EXPECT_FALSE(skipped->partial);
  EXPECT_EQ(skipped->directions.counts, expected->directions.counts);
  ASSERT_EQ(skipped->notes.size(), 1U);
  EXPECT_NE(skipped->notes[0].find("rows 5-6,301,600"), std::string::npos) << skipped->notes[0];
  const Projections none{whole.table,
                         std::make_shared<test::MemoryImages>(
                             n, std::vector<float>(static_cast<std::size_t>(n * n * count),
                                                   std::numeric_limits<float>::quiet_NaN()))};
  const auto empty = backproject(none, settings);
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message().find("no image is left"), std::string::npos);
}

// Rows that cannot be used do not hide the CTF of the others.
TEST(ProjectionTable, HasACtfWhereAllThatCanBeUsedHaveOne) {
  ProjectionTable table = with_ctf().table;
  EXPECT_TRUE(table.has_ctf());
  table.rows[2].defocus_u = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(table.has_ctf());
  table.unusable.push_back({2, "its defocus is not a number"});
  EXPECT_TRUE(table.has_ctf());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i != 2) table.rows[i].enabled = false;
  }
  EXPECT_FALSE(table.has_ctf());
}

TEST(Backproject, SettingsThatDoNotFitAreErrors) {
  const Projections set = closed_form(12, 4, false);
  const auto fails = [&](const BackprojectSettings& settings) {
    const auto map = backproject(set, settings);
    return !map.ok() && !map.error().advice.empty();
  };
  EXPECT_FALSE(backproject(closed_form(7, 4, false), {}).ok());
  EXPECT_TRUE(backproject(closed_form(8, 4, false), {.padding = 1}).ok());
  EXPECT_TRUE(fails({.symmetry = "X"}));
  EXPECT_TRUE(fails({.radius = 0}));
  EXPECT_TRUE(fails({.order = -1}));
  EXPECT_TRUE(fails({.order = kMostBlobOrder + 1}));
  EXPECT_TRUE(fails({.padding = .5}));
  EXPECT_TRUE(fails({.padding = 1, .solve = Solve::least_squares}));
  EXPECT_TRUE(fails({.ctf = CtfUse::ctf}));
  EXPECT_TRUE(fails({.max_resolution = 1e6}));
  EXPECT_TRUE(fails({.tau = 2 * kMostTau}));
  EXPECT_FALSE(fails({.tau = kMostTau}));
  EXPECT_TRUE(fails({.images = -1}));
  // The transform of a ball of radius 4 is 0 at .18 of the padded side, well within the map.
  EXPECT_TRUE(fails({.radius = 4, .alpha = 0}));
  EXPECT_FALSE(fails({.radius = 4, .alpha = 20}));
  EXPECT_TRUE(fails({.max_resolution = std::numeric_limits<double>::quiet_NaN()}));
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

// Images in many small batches.
Result<std::unique_ptr<Inserter>> in_small_batches(const InsertionPlan& plan,
                                                   const JobContext& context) {
  return make_batched<BatchedInserter>(plan, context, 10);
}

TEST(Backproject, ShowsTheMapAsItGrows) {
  const Projections set = closed_form(20, 50, false);
  std::vector<LiveMap> seen;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.live = [&](LiveMap live) { seen.push_back(std::move(live)); };
  const auto map = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(map.ok());
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0].done, 10);
  EXPECT_EQ(seen[0].total, 50);
  EXPECT_EQ(seen[0].side, 20);
  ASSERT_EQ(seen[0].map.size(), 8000U);
  const auto fsc = map_shell_correlation(seen[0].map, map->map, 20);
  ASSERT_TRUE(fsc.ok());
  EXPECT_GT((*fsc)[3], .8);
  // Batches change no more than rounding.
  const auto whole = backproject(set, {});
  ASSERT_TRUE(whole.ok());
  EXPECT_LT(worst_difference(map->map, whole->map), 1e-4);
}

TEST(Backproject, KeepsWhatThereIs) {
  const Projections set = closed_form(16, 50, false);
  std::stop_source keep;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.keep = keep.get_token();
  hooks.live = [&](const LiveMap&) { keep.request_stop(); };
  const auto map = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(map.ok());
  EXPECT_TRUE(map->partial);
  EXPECT_EQ(map->images, 20);
  EXPECT_EQ(map->total, 50);
  EXPECT_EQ(map->map.size(), 4096U);
}

// Images up to the first picture, of a table whose rows are those of half 1, then those of half 2.
TEST(Backproject, WhatIsKeptOfATableSortedByHalfHasBothHalves) {
  Projections set = closed_form(16, 200, false);
  for (std::size_t i = 0; i < 200; ++i) set.table.rows[i].half = i % 2 == 0 ? 1 : 2;
  std::stable_sort(set.table.rows.begin(), set.table.rows.end(),
                   [](const Projection& a, const Projection& b) { return a.half < b.half; });
  std::stop_source keep;
  BackprojectHooks hooks;
  hooks.seconds_between = 0.0;
  hooks.keep = keep.get_token();
  hooks.live = [&](const LiveMap&) { keep.request_stop(); };
  const auto kept = backproject(set, {}, hooks, {}, in_small_batches);
  ASSERT_TRUE(kept.ok());
  ASSERT_TRUE(kept->partial);
  EXPECT_LT(kept->images, 100);
  EXPECT_TRUE(kept->notes.empty());
  ASSERT_EQ(kept->fsc.size(), 9U);
  EXPECT_GT(kept->fsc[2], .2);
  // Asked for as many, it is the same map.
  const auto again = backproject(set, {.images = kept->images}, {}, {}, in_small_batches);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->images, kept->images);
  EXPECT_FALSE(again->partial);
  EXPECT_TRUE(again->notes.empty());
  EXPECT_EQ(again->map, kept->map);
  EXPECT_EQ(again->half2, kept->half2);
}

TEST(Backproject, OneImageHasNoHalves) {
  const Projections set = closed_form(16, 20, false);
  const auto map = backproject(set, {.images = 1});
  ASSERT_TRUE(map.ok()) << map.error().message();
  EXPECT_EQ(map->images, 1);
  EXPECT_EQ(map->left_out, 19);
  EXPECT_TRUE(map->fsc.empty());
  EXPECT_TRUE(map->half1.empty());
  ASSERT_FALSE(map->notes.empty());
  EXPECT_NE(map->notes.back().find("only one half"), std::string::npos);
}

// Ended while a single image is in: its half is the map.
TEST(Backproject, KeepsAMapWhoseOtherHalfIsEmpty) {
  const auto one_by_one = [](const InsertionPlan& plan, const JobContext& context) {
    return make_batched<BatchedInserter>(plan, context, 1);
  };
  const Projections set = closed_form(16, 20, false);
  std::stop_source keep;
  keep.request_stop();
  BackprojectHooks hooks;
  hooks.keep = keep.get_token();
  const auto kept = backproject(set, {}, hooks, {}, one_by_one);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->images, 1);
  EXPECT_TRUE(kept->fsc.empty());
  EXPECT_TRUE(kept->half1.empty());
  const auto alone = backproject(set, {.halves = Halves::none, .images = 1});
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(kept->map, alone->map);
}

TEST(Backproject, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  const auto map = backproject(closed_form(12, 10, false), {}, {}, JobContext(stop.get_token()));
  ASSERT_FALSE(map.ok());
  EXPECT_TRUE(map.error().cancelled());
}

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

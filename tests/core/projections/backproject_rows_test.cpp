// Which rows, images and settings a map is not made of, and what is said then.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/backproject.hpp"
#include "tests/core/projections/closed_form.hpp"
#include "tests/core/projections/cryo_data.hpp"

namespace aprscope {
namespace {

using test::closed_form;
using test::worst_difference;

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

}  // namespace
}  // namespace aprscope

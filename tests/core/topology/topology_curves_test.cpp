#include "core/topology/topology_curves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "core/pipeline/backend.hpp"

namespace aprscope {
namespace {

struct Measured {
  std::vector<double> threshold;
  std::vector<std::int64_t> voxels;
  std::vector<std::int64_t> euler;
  std::vector<double> volume;
  std::vector<double> surface;
  std::vector<double> breadth;
};

template <class T>
Measured measured(Pixels<T> pixels, const std::map<std::string, ParameterValue>& parameters = {},
                  const VoxelSize& voxel = {}) {
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  const auto found =
      cpu_backend()->measure({"topology", parameters}, *Dataset::create(std::move(volume)), {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  Measured out;
  if (!found) return out;
  const Table& table = found->tables.front();
  const auto real = [&](const char* id) {
    return std::get<std::vector<double>>(table.column(id)->cells);
  };
  out.threshold = real("threshold");
  out.volume = real("volume");
  out.surface = real("surface");
  if (table.column("breadth") != nullptr) out.breadth = real("breadth");
  out.voxels = std::get<std::vector<std::int64_t>>(table.column("voxels")->cells);
  out.euler = std::get<std::vector<std::int64_t>>(table.column("ecc")->cells);
  return out;
}

// 1 where `inside` says so.
template <class Inside>
Pixels<std::uint8_t> shape(const Size3& size, const Inside& inside) {
  Pixels<std::uint8_t> pixels(size);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const double c[3] = {z - (size.z - 1) / 2.0, x - (size.x - 1) / 2.0,
                             y - (size.y - 1) / 2.0};
        pixels.at(z, x, y) = inside(c) ? 1 : 0;
      }
    }
  }
  return pixels;
}

TEST(Topology, ABallIsOnePieceAndHasItsVolumeAndSurface) {
  constexpr double kRadius = 22.0;
  const auto ball = measured(shape({51, 51, 51}, [](const double(&c)[3]) {
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] <= kRadius * kRadius;
  }));
  ASSERT_EQ(ball.threshold, (std::vector<double>{0, 1}));
  EXPECT_EQ(ball.euler.back(), 1);
  EXPECT_NEAR(ball.volume.back(), 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3),
              0.01 * ball.volume.back());
  // Digital surfaces are 3/2 of the true ones.
  EXPECT_NEAR(ball.surface.back() * 2.0 / 3.0, 4.0 * std::numbers::pi * kRadius * kRadius,
              0.01 * ball.surface.back());
  // The whole box, by its sides.
  EXPECT_EQ(ball.volume.front(), 51.0 * 51 * 51);
  EXPECT_EQ(ball.surface.front(), 6.0 * 51 * 51);
  EXPECT_EQ(ball.breadth.front(), 1.5 * 51);
}

TEST(Topology, ATorusHasATunnelAndAShellAVoid) {
  const auto torus = measured(shape({21, 61, 61}, [](const double(&c)[3]) {
    const double from_ring = std::hypot(c[1], c[2]) - 20.0;
    return std::hypot(from_ring, c[0]) <= 7.0;
  }));
  EXPECT_EQ(torus.euler.back(), 0);
  const auto shell = measured(shape({41, 41, 41}, [](const double(&c)[3]) {
    const double r = std::hypot(std::hypot(c[0], c[1]), c[2]);
    return r > 10.0 && r < 15.0;
  }));
  EXPECT_EQ(shell.euler.back(), 2);
}

TEST(Topology, ConstructionsDifferWhereVoxelsTouchAtACorner) {
  Pixels<std::uint8_t> two({2, 2, 2});
  two.at(0, 0, 0) = two.at(1, 1, 1) = 1;
  EXPECT_EQ(measured(two, {{"construction", std::string("t")}}).euler.back(), 1);
  EXPECT_EQ(measured(two, {{"construction", std::string("v")}}).euler.back(), 2);
}

TEST(Topology, VolumesHaveTheUnitOfTheVoxel) {
  Pixels<std::uint8_t> one({3, 3, 3});
  one.at(1, 1, 1) = 9;
  const auto box = measured(one, {}, {2.0, 0.5, 0.25, "µm"});
  EXPECT_DOUBLE_EQ(box.volume.back(), 0.25);
  EXPECT_DOUBLE_EQ(box.surface.back(), 2.0 * (2.0 * 0.5 + 0.5 * 0.25 + 2.0 * 0.25));
  EXPECT_DOUBLE_EQ(box.breadth.back(), (2.0 + 0.5 + 0.25) / 2.0);
}

// What a level set is like at t, from the row of the first level that it holds.
std::int64_t euler_at(const Measured& exact, double t, bool superlevel) {
  std::int64_t found = 0;
  if (superlevel) {
    for (std::size_t i = exact.threshold.size(); i-- > 0 && exact.threshold[i] >= t;) {
      found = exact.euler[i];
    }
  } else {
    for (std::size_t i = 0; i < exact.threshold.size() && exact.threshold[i] <= t; ++i) {
      found = exact.euler[i];
    }
  }
  return found;
}

TEST(Topology, EvenLevelsAreExactAtEach) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<float> values(-3.0F, 7.0F);
  Pixels<float> reals({9, 12, 15});
  for (float& v : reals.values) v = values(random);
  Pixels<std::uint16_t> whole({9, 12, 15});
  for (auto& v : whole.values) v = static_cast<std::uint16_t>(random() % 5000);
  for (const std::string sets : {"superlevel", "sublevel"}) {
    const auto check = [&](const auto& pixels) {
      const auto exact = measured(pixels, {{"sets", sets}});
      const auto few = measured(pixels, {{"sets", sets}, {"levels", std::int64_t{20}}});
      EXPECT_GT(exact.threshold.size(), 1000U);
      EXPECT_LE(few.threshold.size(), 20U);
      std::int64_t voxels = 0;
      for (std::size_t i = 0; i < few.threshold.size(); ++i) {
        EXPECT_EQ(few.euler[i], euler_at(exact, few.threshold[i], sets == "superlevel")) << sets;
        voxels += few.voxels[i];
      }
      EXPECT_EQ(voxels, pixels.size.count());
    };
    check(reals);
    check(whole);
  }
}

TEST(Topology, ManyDifferentRealNumbersGetEvenLevels) {
  Pixels<float> reals({30, 50, 50});
  for (std::size_t i = 0; i < reals.values.size(); ++i) {
    reals.values[i] = 0.001F * static_cast<float>(i);
  }
  const auto found = measured(reals);
  EXPECT_LE(found.threshold.size(), 4096U);
  EXPECT_GT(found.threshold.size(), 4000U);
  EXPECT_EQ(found.volume.front(), 75000.0);
  // Which is said; not where levels were asked for, or every value has one.
  const auto notes = [](const Pixels<float>& pixels, std::int64_t levels) {
    Volume volume;
    volume.pixels = pixels;
    const auto made = cpu_backend()->measure({"topology", {{"levels", levels}}},
                                             *Dataset::create(std::move(volume)), {});
    return made ? made->notes : std::vector<std::string>{"failed"};
  };
  // What a level set is is said of all.
  EXPECT_EQ(notes(reals, 100), (std::vector<std::string>{"bright objects, voxels touch at corners",
                                                         "voxels of 1 × 1 × 1 px (z × x × y)"}));
  EXPECT_EQ(notes(Pixels<float>({2, 2, 2}, 0.5F), 0), notes(reals, 100));
  ASSERT_EQ(notes(reals, 0).size(), 3U);
  EXPECT_NE(notes(reals, 0)[1].find("4096 evenly spaced"), std::string::npos);
}

TEST(Topology, WhatIsNoNumberIsRefusedWithItsPlace) {
  Pixels<float> reals({2, 2, 2}, 1.0F);
  reals.at(1, 0, 1) = std::nanf("");
  Volume volume;
  volume.name = "holes";
  volume.pixels = reals;
  const auto found = cpu_backend()->measure({"topology", {}}, *Dataset::create(volume), {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("z 1, x 0, y 1"), std::string::npos)
      << found.error().message();
  // Large numbers are numbers.
  reals.at(1, 0, 1) = 3e38F;
  EXPECT_EQ(measured(reals).threshold.size(), 2U);
}

Measurement whole(Volume volume, const std::map<std::string, ParameterValue>& parameters) {
  auto found =
      cpu_backend()->measure({"topology", parameters}, *Dataset::create(std::move(volume)), {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  return found ? *std::move(found) : Measurement();
}

std::vector<std::int64_t> counts(const Measurement& found, const char* id) {
  const Column* column = found.tables.front().column(id);
  return column != nullptr ? std::get<std::vector<std::int64_t>>(column->cells)
                           : std::vector<std::int64_t>();
}

TEST(Topology, PiecesTunnelsAndVoidsAreCountedWhereAsked) {
  Volume volume;
  volume.pixels = shape({41, 41, 41}, [](const double(&c)[3]) {
    const double r = std::hypot(std::hypot(c[0], c[1]), c[2]);
    return (r > 10.0 && r < 15.0) || r < 5.0;
  });
  EXPECT_TRUE(counts(whole(volume, {}), "b0").empty());
  const auto shell = whole(volume, {{"betti", true}});
  // Of what is not below 0: all; of what is not below 1: a shell with a ball in it.
  EXPECT_EQ(counts(shell, "b0"), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(counts(shell, "b1"), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(counts(shell, "b2"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(shell.tables.size(), 1U);
  const auto named = [&](const char* id) {
    return std::ranges::any_of(shell.curves, [&](const Curve& curve) { return curve.id == id; });
  };
  EXPECT_TRUE(named("b0") && named("b1") && named("b2"));
  volume.pixels = shape({21, 61, 61}, [](const double(&c)[3]) {
    return std::hypot(std::hypot(c[1], c[2]) - 20.0, c[0]) <= 7.0;
  });
  EXPECT_EQ(counts(whole(volume, {{"betti", true}}), "b1"), (std::vector<std::int64_t>{0, 1}));
}

TEST(Topology, OfAFlatImageThereArePiecesAndHoles) {
  Volume volume;
  volume.pixels = shape({1, 30, 30}, [](const double(&c)[3]) {
    const double r = std::hypot(c[1], c[2]);
    return r > 5.0 && r < 9.0;
  });
  const auto ring = whole(volume, {{"betti", true}});
  EXPECT_EQ(counts(ring, "b0").back(), 1);
  EXPECT_EQ(counts(ring, "b1").back(), 1);
  EXPECT_EQ(ring.tables.front().column("b2"), nullptr);
  EXPECT_EQ(ring.tables.front().column("b1")->label, "Holes β1");
}

TEST(Topology, TheMostLastingPiecesHavePlacesInTheUnit) {
  Pixels<float> peaks({3, 4, 9}, 1.0F);
  peaks.at(1, 2, 3) = 9.5F;
  peaks.at(0, 0, 7) = 4.0F;
  peaks.at(2, 3, 8) = 3.0F;
  Volume volume;
  volume.pixels = peaks;
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.origin = {10.0, 0.0, 0.0};
  const auto found = whole(volume, {{"persistence", std::int64_t{2}}});
  ASSERT_EQ(found.tables.size(), 2U);
  const Table& lives = found.tables.back();
  EXPECT_EQ(lives.id, "persistence");
  ASSERT_EQ(lives.rows(), 2U);
  const auto cell = [&](const char* id, std::size_t row) {
    return cell_text(*lives.column(id), row);
  };
  EXPECT_EQ(cell("birth", 0), "9.5");
  EXPECT_EQ(cell("death", 0), "");
  EXPECT_EQ(cell("size", 0), "108");
  EXPECT_EQ(cell("birth", 1), "4");
  EXPECT_EQ(cell("death", 1), "1");
  EXPECT_EQ(cell("persistence", 1), "3");
  EXPECT_EQ(cell("y", 1), "7");
  EXPECT_EQ(cell("at_z", 0), "12");
  EXPECT_EQ(cell("at_y", 1), "1.75");
  EXPECT_EQ(cell("size", 1), "1");
  // They take the count of pieces with them.
  EXPECT_FALSE(counts(found, "b0").empty());
  volume.voxel = {};
  EXPECT_EQ(whole(volume, {{"persistence", std::int64_t{2}}}).tables.back().column("at_z"),
            nullptr);
}

TopologyCurves with_euler(std::vector<std::int64_t> euler) {
  TopologyCurves curves;
  curves.euler = std::move(euler);
  for (std::size_t i = 0; i < curves.euler.size(); ++i) {
    curves.levels.push_back(10.0 * static_cast<double>(i));
    curves.voxels.push_back(1);
  }
  return curves;
}

TEST(ZeroCrossings, AreWhereTheSignChanges) {
  EXPECT_EQ(zero_crossings(with_euler({5, 3, -4, -1, 2})), (std::vector<double>{20, 40}));
  // Zeros have no sign, and what stays near zero is noise.
  EXPECT_EQ(zero_crossings(with_euler({5, 0, 0, -4})), (std::vector<double>{30}));
  EXPECT_EQ(zero_crossings(with_euler({500, -2, 300, -400})), (std::vector<double>{30}));
  EXPECT_EQ(zero_crossings(with_euler({500, -2, -400})), (std::vector<double>{10}));
  EXPECT_TRUE(zero_crossings(with_euler({1, 2, 3})).empty());
  EXPECT_TRUE(zero_crossings(with_euler({})).empty());
}

TEST(OtsuThreshold, SeparatesTwoClasses) {
  const std::vector<double> falling{200, 190, 20, 10};  // as superlevel sets enter
  const std::vector<std::int64_t> counts{5, 7, 100, 90};
  EXPECT_EQ(otsu_threshold(falling, counts, LevelSets::superlevel), 190.0);
  // Levels that do not occur have no part in it.
  const std::vector<double> rising{10, 20, 100, 190, 200, 300};
  const std::vector<std::int64_t> with_gaps{90, 100, 0, 7, 5, 0};
  EXPECT_EQ(otsu_threshold(rising, with_gaps, LevelSets::superlevel), 190.0);
  // Of the darker class the last one that occurs.
  EXPECT_EQ(otsu_threshold(rising, with_gaps, LevelSets::sublevel), 20.0);
  EXPECT_EQ(otsu_threshold(falling, counts, LevelSets::sublevel), 20.0);
  const std::vector<double> one{7};
  const std::vector<std::int64_t> three{3};
  EXPECT_FALSE(otsu_threshold(one, three, LevelSets::superlevel).has_value());
}

TEST(LongestPlateau, IsWhereNothingChanges) {
  TopologyCurves curves;
  curves.levels = {200, 190, 180, 170, 100, 90, 20, 10};
  curves.voxels = {5, 5, 5, 5, 5, 5, 100, 70};
  curves.euler = {1, 3, 3, 3, 3, 7, -2, 1};
  // From 190 down to 90 there are three pieces.
  EXPECT_EQ(longest_plateau(curves), 140.0);
  // The gap below one bright block counts, too.
  TopologyCurves block;
  block.levels = {200, 10, 9};
  block.voxels = {64, 200, 200};
  block.euler = {1, -7, 1};
  EXPECT_EQ(longest_plateau(block), 105.0);
  // A hot pixel far above all is no object.
  block.levels = {9000, 200, 10, 9};
  block.voxels = {1, 64, 2000, 2000};
  block.euler = {1, 1, -7, 1};
  EXPECT_EQ(longest_plateau(block), 105.0);
  curves.euler = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(longest_plateau(curves), 135.0);  // of the widest gaps the first, 170 to 100
  EXPECT_FALSE(longest_plateau({}).has_value());
}

}  // namespace
}  // namespace aprscope

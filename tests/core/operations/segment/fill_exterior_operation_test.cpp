// Cells from membranes as users ask for them: thresholds, repair, findings, refusals.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/cells/slice_findings.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {
namespace {

using Parameters = std::map<std::string, ParameterValue>;

std::shared_ptr<const Dataset> dataset(Pixels<float> pixels, VoxelSize voxel = {}) {
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = std::move(voxel);
  volume.name = "image";
  return Dataset::create(std::move(volume));
}

// A shell of 200 on 10, of radii 9 to 11 about (z, x, y) = (15, 15, 15), and one of 4 to 6 at y 45.
Pixels<float> shells(double hole) {
  Pixels<float> pixels(Size3{31, 31, 60}, 10.0F);
  for (std::int64_t z = 0; z < 31; ++z) {
    for (std::int64_t x = 0; x < 31; ++x) {
      for (std::int64_t y = 0; y < 60; ++y) {
        const auto dz = static_cast<double>(z - 15);
        const auto dx = static_cast<double>(x - 15);
        const auto a = std::hypot(dz, dx, static_cast<double>(y - 15));
        const auto b = std::hypot(dz, dx, static_cast<double>(y - 45));
        const bool open = std::hypot(dz, dx) < hole && y > 15 && y < 30;
        if ((a >= 9.0 && a <= 11.0 && !open) || (b >= 4.0 && b <= 6.0)) pixels.at(z, x, y) = 200.0F;
      }
    }
  }
  return pixels;
}

Result<std::shared_ptr<const Labels>> cells(const std::shared_ptr<const Dataset>& input,
                                            Parameters parameters,
                                            const char* id = "fill_exterior") {
  const auto whole = complete({id, std::move(parameters)});
  if (!whole) return whole.error();
  const auto run = execute({*whole}, input, *cpu_backend(), {});
  if (!run) return run.error();
  return run->data->labels();
}

std::string message_of(const std::shared_ptr<const Dataset>& input, Parameters parameters,
                       const char* id = "fill_exterior") {
  const auto found = cells(input, std::move(parameters), id);
  EXPECT_FALSE(found.ok());
  return found ? "" : found.error().message();
}

TEST(FillExterior, LabelsWholeCellsAndSaysThatTheyAreClosed) {
  const auto found = cells(dataset(shells(0.0)), {});
  ASSERT_TRUE(found.ok()) << found.error().message();
  const Labels& labels = **found;
  ASSERT_EQ(labels.largest, 2U);
  const auto counts = label_counts(labels);
  EXPECT_NEAR(static_cast<double>(counts[1]), 4.0 / 3.0 * 3.1416 * 1331.0, 120.0);
  EXPECT_NEAR(static_cast<double>(counts[2]), 4.0 / 3.0 * 3.1416 * 216.0, 50.0);
  for (const std::uint32_t label : {1U, 2U}) {
    ASSERT_NE(labels.finding(label), nullptr);
    EXPECT_EQ(labels.finding(label)->leak_radius, 0.0);
    EXPECT_EQ(labels.finding(label)->voxels_per_slice, static_cast<double>(counts[label]));
    EXPECT_EQ(labels.finding(label)->most_open_slice, -1);
  }
}

TEST(FillExterior, ALeakIsToldAndItsRadiusClosesIt) {
  const auto closed = cells(dataset(shells(0.0)), {});
  const auto input = dataset(shells(2.5));
  const auto leaky = cells(input, {});
  ASSERT_TRUE(closed.ok() && leaky.ok());
  const auto before = label_counts(**closed);
  const auto after = label_counts(**leaky);
  EXPECT_LT(after[1], before[1] / 2);
  const LabelFinding& leak = *(*leaky)->finding(1);
  EXPECT_NEAR(leak.leak_radius, 2.5, 0.75);
  EXPECT_NEAR(static_cast<double>(leak.leak_at.y), 25.0, 2.5);
  // Slices are open where they cut the hole, and closed elsewhere.
  EXPECT_GT(leak.voxels_per_slice, 0.75 * static_cast<double>(before[1]));
  EXPECT_EQ(leak.most_open_slice >= 0, true);
  EXPECT_EQ((*leaky)->finding(2)->leak_radius, 0.0);
  const auto repaired = cells(input, {{"close", leak.leak_radius}});
  ASSERT_TRUE(repaired.ok());
  EXPECT_NEAR(static_cast<double>(label_counts(**repaired)[1]), static_cast<double>(before[1]),
              0.03 * static_cast<double>(before[1]));
  EXPECT_EQ((*repaired)->finding(1)->leak_radius, 0.0);
}

TEST(FillExterior, LumensDarkMembranesAndTheLeastVolume) {
  Pixels<float> dark = shells(0.0);
  for (float& value : dark.values) value = 250.0F - value;
  const auto bright =
      cells(dataset(shells(0.0)), {{"lumens", true}, {"membrane", std::string("outside")}});
  const auto other = cells(
      dataset(dark), {{"lumens", true}, {"membrane", std::string("outside")}, {"dark", true}});
  ASSERT_TRUE(bright.ok() && other.ok());
  EXPECT_EQ(**bright, **other);
  const auto counts = label_counts(**bright);
  ASSERT_EQ(counts.size(), 3U);
  // In cubes of the unit: 8 a voxel.
  const VoxelSize twice{2.0, 2.0, 2.0, "µm"};
  const double one = 8.0 * static_cast<double>(counts[1]);
  for (const double least : {one, one + 1.0}) {
    const auto kept =
        cells(dataset(shells(0.0), twice),
              {{"lumens", true}, {"membrane", std::string("outside")}, {"min_volume", least}});
    EXPECT_EQ(kept.ok(), least == one);
    if (kept) {
      EXPECT_EQ((*kept)->largest, 1U);
      EXPECT_EQ((*kept)->findings.size(), 1U);
    }
  }
}

TEST(FillExterior, SlicesByThemselvesCloseWhatIsOpenElsewhere) {
  const auto input = dataset(shells(2.5));
  const auto slices = cells(input, {{"per_slice", true}});
  const auto whole = cells(input, {});
  ASSERT_TRUE(slices.ok() && whole.ok());
  EXPECT_EQ(static_cast<double>(label_counts(**slices)[1]), (*whole)->finding(1)->voxels_per_slice);
  // What slices hide is told.
  EXPECT_EQ((*slices)->finding(1)->leak_radius, (*whole)->finding(1)->leak_radius);
  EXPECT_EQ((*slices)->finding(2)->leak_radius, 0.0);
}

TEST(FillExterior, ACellThatIsMissingSinceItLeaksIsTold) {
  const auto input = dataset(shells(2.5));
  const auto whole = cells(input, {});
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE((*whole)->open.empty());
  for (const Parameters& parameters :
       {Parameters{{"lumens", true}},
        Parameters{{"lumens", true}, {"membrane", std::string("half")}},
        Parameters{{"membrane", std::string("outside")}},
        Parameters{{"membrane", std::string("half")}}}) {
    const auto found = cells(input, parameters);
    ASSERT_TRUE(found.ok()) << found.error().message();
    // The other one is not blamed for it.
    EXPECT_EQ((*found)->largest, 1U);
    EXPECT_EQ((*found)->findings.at(0).leak_radius, 0.0);
    ASSERT_EQ((*found)->open.size(), 1U);
    EXPECT_EQ((*found)->open[0].radius, (*whole)->finding(1)->leak_radius);
    EXPECT_EQ((*found)->open[0].at, (*whole)->finding(1)->leak_at);
    Parameters closing = parameters;
    closing["close"] = (*found)->open[0].radius;
    const auto closed = cells(input, closing);
    ASSERT_TRUE(closed.ok());
    EXPECT_EQ((*closed)->largest, 2U);
    EXPECT_TRUE((*closed)->open.empty());
  }
}

TEST(FillExterior, ACorrectedCellIsNotCheckedAnyMore) {
  const auto input = dataset(shells(2.5));
  const auto run =
      execute({*complete({"fill_exterior", {}}), *complete({"correct",
                                                            {{"action", std::string("grow")},
                                                             {"points", std::string("15,15,5")},
                                                             {"radius", 1.0}}})},
              input, *cpu_backend(), {});
  ASSERT_TRUE(run.ok()) << run.error().message();
  const Labels& labels = *run->data->labels();
  EXPECT_TRUE(labels.finding(1)->unchecked);
  EXPECT_TRUE(std::isnan(labels.finding(1)->leak_radius));
  EXPECT_FALSE(labels.finding(2)->unchecked);
}

TEST(FillExterior, WhatCannotBeFoundIsSaid) {
  Pixels<float> none(Size3{5, 6, 7});
  const Parameters one{{"method", std::string("value")}, {"value", 1.0}};
  EXPECT_NE(message_of(dataset(none), one).find("no membrane"), std::string::npos);
  EXPECT_NE(message_of(dataset(none), {}).find("one value only"), std::string::npos);
  Pixels<float> full(Size3{5, 6, 7}, 3.0F);
  EXPECT_NE(message_of(dataset(full), one).find("all membrane"), std::string::npos);
  Parameters lumens{{"lumens", true}};
  const std::string leaks = message_of(dataset([] {
                                         auto pixels = shells(2.5);
                                         for (std::int64_t z = 0; z < 31; ++z) {
                                           for (std::int64_t x = 0; x < 31; ++x) {
                                             for (std::int64_t y = 31; y < 60; ++y)
                                               pixels.at(z, x, y) = 10.0F;
                                           }
                                         }
                                         return pixels;
                                       }()),
                                       lumens);
  EXPECT_NE(leaks.find("leaks at z 15, x 15, y 2"), std::string::npos) << leaks;
  EXPECT_NE(leaks.find("close holes with"), std::string::npos) << leaks;
  none.values[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message_of(dataset(none), one).find("not finite"), std::string::npos);
}

TEST(FillExterior, HistoryHasTheThresholdThatWasFound) {
  const auto input = dataset(shells(0.0));
  const Operation found = settled(*complete({"fill_exterior", {}}), *input);
  EXPECT_EQ(parameter<std::string>(found, "method"), "value");
  EXPECT_EQ(parameter<double>(found, "value"), 200.0);
}

TEST(LabelOperation, NumbersObjectsOfAMask) {
  Pixels<float> mask(Size3{4, 5, 6});
  mask.at(0, 0, 0) = 1.0F;
  mask.at(0, 1, 1) = 1.0F;
  mask.at(3, 4, 5) = 2.0F;
  const auto by_faces = cells(dataset(mask), {}, "label");
  ASSERT_TRUE(by_faces.ok()) << by_faces.error().message();
  EXPECT_EQ((*by_faces)->largest, 3U);
  const auto by_corners = cells(dataset(mask), {{"connectivity", std::string("26")}}, "label");
  ASSERT_TRUE(by_corners.ok());
  EXPECT_EQ((*by_corners)->largest, 2U);
  const auto large =
      cells(dataset(mask), {{"connectivity", std::string("26")}, {"min_volume", 2.0}}, "label");
  ASSERT_TRUE(large.ok());
  EXPECT_EQ((*large)->largest, 1U);
  EXPECT_NE(message_of(dataset(mask), {{"min_volume", 9.0}}, "label").find("least volume"),
            std::string::npos);
  EXPECT_NE(message_of(dataset(Pixels<float>(Size3{2, 2, 2})), {}, "label").find("zero everywhere"),
            std::string::npos);
  mask.at(1, 1, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(message_of(dataset(mask), {}, "label").find("not finite"), std::string::npos);
}

TEST(LocalThreshold, WhatIsFlatIsNoMembrane) {
  Pixels<float> pixels(Size3{9, 9, 9});
  pixels.at(4, 4, 4) = 5.0F;
  for (const char* sets : {"superlevel", "sublevel"}) {
    const auto run = execute(
        {*complete(
            {"threshold",
             {{"method", std::string("local")}, {"window", 3.0}, {"sets", std::string(sets)}}})},
        dataset(pixels), *cpu_backend(), {});
    ASSERT_TRUE(run.ok()) << run.error().message();
    const auto& mask = std::get<Pixels<std::uint8_t>>(run->data->volume().pixels);
    EXPECT_EQ(mask.at(0, 0, 0), 0);
    EXPECT_EQ(mask.at(4, 4, 4), std::string(sets) == "superlevel" ? 1 : 0);
  }
}

// The mean of a box against adding it up.
TEST(LocalThreshold, IsTheMeanOfWhatIsRoundAPixel) {
  Pixels<float> pixels(Size3{19, 7, 9});
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<float>(i * 2654435761U % 1000U);
  }
  const VoxelSize voxel{2.0, 1.0, 0.5, "µm"};
  for (const char* sets : {"superlevel", "sublevel"}) {
    const Operation local{"threshold",
                          {{"method", std::string("local")},
                           {"window", 4.0},
                           {"offset", 20.0},
                           {"sets", std::string(sets)}}};
    const auto input = dataset(pixels, voxel);
    const auto run = execute({*complete(local)}, input, *cpu_backend(), {});
    ASSERT_TRUE(run.ok()) << run.error().message();
    const auto& mask = std::get<Pixels<std::uint8_t>>(run->data->volume().pixels);
    for (std::int64_t z = 0; z < 19; ++z) {
      for (std::int64_t x = 0; x < 7; ++x) {
        for (std::int64_t y = 0; y < 9; ++y) {
          double sum = 0.0;
          int count = 0;
          for (std::int64_t c = std::max<std::int64_t>(0, z - 1);
               c <= std::min<std::int64_t>(18, z + 1); ++c) {
            for (std::int64_t b = std::max<std::int64_t>(0, x - 2);
                 b <= std::min<std::int64_t>(6, x + 2); ++b) {
              for (std::int64_t a = std::max<std::int64_t>(0, y - 4);
                   a <= std::min<std::int64_t>(8, y + 4); ++a) {
                sum += pixels.at(c, b, a);
                ++count;
              }
            }
          }
          const double mean = sum / count;
          const bool bright = std::string(sets) == "superlevel";
          const bool in =
              bright ? pixels.at(z, x, y) > mean + 20.0 : pixels.at(z, x, y) < mean - 20.0;
          ASSERT_EQ(mask.at(z, x, y), in ? 1 : 0) << z << " " << x << " " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace aprscope

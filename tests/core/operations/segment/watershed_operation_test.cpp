// Watershed as an operation: what it takes, what it refuses, what is written down; and how it does
// on real tissue.
#include <cmath>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "core/cells/agreement.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/measure/background_note.hpp"
#include "core/operations/segment/flood_levels.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/operations/segment/watershed_parameters.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/tissue_phantom.hpp"

namespace aprscope {
namespace {

using Parameters = std::map<std::string, ParameterValue>;

std::shared_ptr<const Dataset> image_of(AnyPixels pixels, VoxelSize voxel = {}) {
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = std::move(voxel);
  volume.name = "image";
  return Dataset::create(std::move(volume));
}

Result<Execution> flooded(const std::shared_ptr<const Dataset>& input, Parameters parameters = {},
                          const JobContext& context = {}) {
  const auto whole = complete({"watershed", std::move(parameters)});
  if (!whole) return whole.error();
  return execute({*whole}, input, *cpu_backend(), context);
}

std::vector<std::uint32_t> labels_of(const Result<Execution>& run) {
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message());
  if (!run || !run->data->labels()) return {};
  return run->data->labels()->values;
}

// Four chambers with walls of 200 that stand in 10, the first one with a dent of 3 in its floor,
// the wall between the last two only 40 high.
Pixels<std::uint8_t> chambers(std::int64_t depth = 4) {
  Pixels<std::uint8_t> pixels({depth, 21, 21}, 10);
  for (std::int64_t z = 0; z < depth; ++z) {
    for (std::int64_t i = 0; i < 21; ++i) pixels.at(z, 10, i) = pixels.at(z, i, 10) = 200;
    for (std::int64_t i = 11; i < 21; ++i) pixels.at(z, i, 10) = 40;
    pixels.at(z, 5, 5) = 7;
    pixels.at(z, 2, 2) = 7;
  }
  return pixels;
}

std::size_t count(const std::vector<std::uint32_t>& labels) {
  std::set<std::uint32_t> seen(labels.begin(), labels.end());
  seen.erase(0);
  return seen.size();
}

TEST(Watershed, DepthsAndWallsDecideWhatACellIs) {
  const auto input = image_of(chambers());
  EXPECT_EQ(count(labels_of(flooded(input, {{"depth", 1.0}, {"merge", 0.0}}))), 5U);
  EXPECT_EQ(count(labels_of(flooded(input, {{"depth", 3.0}, {"merge", 0.0}}))), 4U);
  EXPECT_EQ(count(labels_of(flooded(input, {{"depth", 3.0}, {"merge", 29.0}}))), 4U);
  EXPECT_EQ(count(labels_of(flooded(input, {{"depth", 3.0}, {"merge", 31.0}}))), 3U);
  EXPECT_EQ(count(labels_of(flooded(input, {{"depth", 3.0}, {"merge", 200.0}}))), 1U);
}

TEST(Watershed, WhatWeakWallsPartedIsKnownAsParts) {
  const auto input = image_of(chambers());
  const OperationType& type = *operations().find("watershed");
  const auto asked = [](double merge) {
    return *complete({"watershed", {{"depth", 3.0}, {"merge", merge}}});
  };
  auto prepared = type.labels.prepare(asked(0.0), *input, {});
  ASSERT_TRUE(prepared.ok());
  EXPECT_EQ(type.labels.parts(asked(0.0), *input, *prepared), nullptr);
  // The same cells that there are without merging, whatever is merged.
  const auto unmerged = labels_of(flooded(input, {{"depth", 3.0}, {"merge", 0.0}}));
  for (const double merge : {31.0, 200.0}) {
    const auto parts = type.labels.parts(asked(merge), *input, *prepared);
    ASSERT_NE(parts, nullptr);
    const auto pieces = parts->pieces.lock();
    ASSERT_NE(pieces, nullptr);
    ASSERT_EQ(pieces->size(), unmerged.size());
    for (std::size_t i = 0; i < unmerged.size(); ++i) {
      ASSERT_EQ(parts->part_of[(*pieces)[i]], unmerged[i]) << i;
    }
  }
  // They do not keep what was flooded.
  const auto parts = type.labels.parts(asked(31.0), *input, *prepared);
  prepared = Error{"let go", "", ""};
  EXPECT_TRUE(parts->pieces.expired());
}

// Whatever was cut before, with more depth or less, and into memory of labels that nobody needs.
TEST(Watershed, SlidersGiveWhatRunsGive) {
  test::TissuePhantom phantom;
  phantom.size = {20, 40, 40};
  const auto input = Dataset::create(make_tissue(phantom).image);
  const OperationType& type = *operations().find("watershed");
  const auto asked = [](double depth, double merge, bool drop) {
    return *complete(
        {"watershed",
         {{"smooth", 0.0}, {"depth", depth}, {"merge", merge}, {"drop_border", drop}}});
  };
  const auto prepared = type.labels.prepare(asked(1.0, 0.0, false), *input, {});
  ASSERT_TRUE(prepared.ok());
  std::set<std::size_t> counts;
  for (const auto& [depth, merge] : std::vector<std::pair<double, double>>{{9.0, 25.0},
                                                                           {9.0, 60.0},
                                                                           {20.0, 25.0},
                                                                           {4.0, 25.0},
                                                                           {9.0, 25.0},
                                                                           {4.0, 0.0},
                                                                           {35.0, 90.0},
                                                                           {9.0, 10.0}}) {
    for (const bool drop : {false, true}) {
      const Operation step = asked(depth, merge, drop);
      auto made = type.labels.label(step, *input, prepared->get(), {});
      ASSERT_TRUE(made.ok());
      const auto labels = with_spare(*std::move(made), *prepared);
      EXPECT_EQ(labels->values, labels_of(flooded(input, step.parameters)))
          << depth << " " << merge << " " << drop;
      counts.insert(count(labels->values));
    }
  }
  EXPECT_GT(counts.size(), 6U) << "sliders hardly change anything";
  EXPECT_EQ((*prepared)->spare().bytes(), 4U * 20 * 40 * 40);
}

// What the basins say of labels without a look at them, beside a look; also on particles.
TEST(Watershed, CountsOfLabelsAreThoseOfALook) {
  test::TissuePhantom phantom;
  phantom.size = {20, 40, 40};
  const Volume image = make_tissue(phantom).image;
  Apr apr = test::random_apr({{18, 33, 40}, 4, 0.7, true});
  const LabelEngine& engine = operations().find("watershed")->labels;
  LabelEngine looking = engine;
  looking.counts = nullptr;
  int shares = 0;
  for (const auto& input : {Dataset::create(image), Dataset::create(std::move(apr))}) {
    for (const char* const seeds : {"", "2,3,4; 10,20,30; 15,30,2"}) {
      const auto asked = [&](double depth, double merge, double least, bool drop) {
        return *complete({"watershed",
                          {{"smooth", 0.0},
                           {"depth", depth},
                           {"merge", merge},
                           {"min_volume", least},
                           {"drop_border", drop},
                           {"seeds", std::string(seeds)}}});
      };
      const auto prepared = engine.prepare(asked(1.0, 0.0, 0.0, false), *input, {});
      ASSERT_TRUE(prepared.ok());
      // Of nothing that was made so far nothing is known.
      EXPECT_FALSE(engine.counts(asked(1.0, 0.0, 0.0, false), *input, **prepared));
      for (const double depth : {1.0, 200.0}) {
        for (const double merge : {0.0, 30.0, 400.0, 1e6}) {
          for (const double least : {0.0, 50.0}) {
            for (const bool drop : {false, true}) {
              const Operation step = asked(depth, merge, least, drop);
              const auto labels = engine.label(step, *input, prepared->get(), {});
              ASSERT_TRUE(labels.ok());
              ASSERT_TRUE(engine.counts(step, *input, **prepared));
              const LabelCounts found =
                  label_counts(engine, step, *input, prepared->get(), *labels);
              const LabelCounts seen =
                  label_counts(looking, step, *input, prepared->get(), *labels);
              EXPECT_EQ(found.cells, seen.cells);
              EXPECT_EQ(found.cells, count(labels->values));
              EXPECT_EQ(found.background_share, seen.background_share);
              shares += found.background_share > 0.0 ? 1 : 0;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(shares, 3);
}

TEST(Watershed, PartsOfDroppedCellsAreNone) {
  const auto input = image_of(chambers());
  const OperationType& type = *operations().find("watershed");
  const auto whole =
      *complete({"watershed", {{"depth", 3.0}, {"merge", 200.0}, {"drop_border", true}}});
  const auto prepared = type.labels.prepare(whole, *input, {});
  ASSERT_TRUE(prepared.ok());
  // All of them lie at the border.
  const auto parts = type.labels.parts(whole, *input, *prepared);
  ASSERT_NE(parts, nullptr);
  for (const std::uint32_t part : parts->part_of) EXPECT_EQ(part, 0U);
}

TEST(Watershed, DarkWallsAreTheSameUpsideDown) {
  const auto bright = chambers();
  Pixels<std::uint8_t> dark = bright;
  for (auto& v : dark.values) v = static_cast<std::uint8_t>(255 - v);
  EXPECT_EQ(labels_of(flooded(image_of(bright))),
            labels_of(flooded(image_of(dark), {{"dark", true}})));
}

TEST(Watershed, WritesDownTheNumbersThatItChose) {
  const auto run = flooded(image_of(chambers()));
  ASSERT_TRUE(run.ok());
  const Operation& step = run->steps.back();
  // There is no noise.
  EXPECT_EQ(parameter<double>(step, "depth"), 0.0);
  EXPECT_GT(parameter<double>(step, "merge"), 0.0);
  EXPECT_EQ(parameter<double>(step, "smooth"), 0.0);
  // The same again from what is written.
  EXPECT_EQ(labels_of(execute({step}, image_of(chambers()), *cpu_backend(), {})), labels_of(run));
}

TEST(Watershed, SeedsAreTheCellsInTheirOrder) {
  const auto labels =
      labels_of(flooded(image_of(chambers()), {{"seeds", std::string("0,20,20; 0,0,0;3,1,20")}}));
  const Pixels<std::uint8_t> at(Size3{4, 21, 21});
  EXPECT_EQ(labels[at.index(3, 15, 15)], 1U);
  EXPECT_EQ(labels[at.index(3, 5, 5)], 2U);
  EXPECT_EQ(labels[at.index(0, 5, 15)], 3U);
  // Behind the low wall.
  EXPECT_EQ(labels[at.index(0, 15, 5)], 1U);
  EXPECT_EQ(count(labels), 3U);
}

TEST(Watershed, SeedsThatAreNoneAreErrors) {
  for (const char* bad : {"4,0,0", "0,-1,0", "0,0,21", "1,2", "1,2,3,4", "a,b,c", "0,0,0;0,0,0"}) {
    const auto run = flooded(image_of(chambers()), {{"seeds", std::string(bad)}});
    ASSERT_FALSE(run.ok()) << bad;
    EXPECT_NE(run.error().message().find("seed"), std::string::npos) << run.error().message();
  }
}

TEST(Watershed, SmallCellsJoinTheOneBehindTheirWeakestWall) {
  const VoxelSize voxel{2.0, 0.5, 0.5, "µm"};
  const auto input = image_of(chambers(), voxel);
  const Parameters fine{{"depth", 1.0}, {"merge", 0.0}};
  const auto labels = labels_of(flooded(input, fine));
  std::map<std::uint32_t, double> volume;
  for (const std::uint32_t one : labels) volume[one] += 0.5;
  double least = 1e9;
  for (const auto& [label, of] : volume) least = std::min(least, of);
  Parameters with = fine;
  with["min_volume"] = least;
  EXPECT_EQ(count(labels_of(flooded(input, with))), 5U);
  with["min_volume"] = least + 0.1;
  const auto joined = labels_of(flooded(input, with));
  EXPECT_EQ(count(joined), 4U);
  // The dent went to the rest of its chamber.
  const Pixels<std::uint8_t> at(Size3{4, 21, 21});
  EXPECT_EQ(joined[at.index(0, 5, 5)], joined[at.index(0, 2, 2)]);
}

TEST(Watershed, CellsAtTheBorderCanBeDropped) {
  Pixels<std::uint8_t> pixels({1, 9, 9}, 0);
  for (std::int64_t i = 2; i < 7; ++i) {
    pixels.at(0, 2, i) = pixels.at(0, 6, i) = pixels.at(0, i, 2) = pixels.at(0, i, 6) = 200;
  }
  const auto labels = labels_of(flooded(image_of(pixels), {{"drop_border", true}}));
  EXPECT_EQ(count(labels), 1U);
  EXPECT_EQ(labels[4 * 9 + 4], 1U);
  EXPECT_EQ(labels[0], 0U);
}

TEST(Watershed, SmoothsInTheUnitOfTheVoxel) {
  // One column of noise along z; voxels that are tall are smoothed over fewer of them.
  Pixels<float> pixels({64, 1, 1});
  for (std::size_t i = 0; i < 64; ++i) {
    pixels.values[i] = static_cast<float>((i * 37) % 64);
  }
  const Parameters smooth{{"smooth", 3.0}, {"depth", 1e-6}, {"merge", 0.0}};
  const auto flat = count(labels_of(flooded(image_of(pixels, {1.0, 1.0, 1.0, "µm"}), smooth)));
  const auto tall = count(labels_of(flooded(image_of(pixels, {9.0, 1.0, 1.0, "µm"}), smooth)));
  EXPECT_LT(flat, tall);
}

LabelAgreement agreement(const Labels& truth, const Result<Execution>& run) {
  EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message());
  const auto made = compare_labels(truth, *run->data->labels());
  EXPECT_TRUE(made.ok());
  // What it chose and how it did, for whoever looks.
  std::printf("%s: %zu of %zu, IoU %.3f, large %.3f, F1 %.3f\n",
              describe(run->steps.back()).c_str(), made->found, made->truths, made->mean_best_iou,
              made->mean_best_iou_large, made->at_half.f1);
  return *made;
}

Volume loaded(const std::string& path) {
  auto data = load_file(path);
  EXPECT_TRUE(data.ok());
  return std::get<Volume>(std::move(*data));
}

Labels labels_in(const Volume& volume) {
  Labels out;
  std::visit(
      [&](const auto& pixels) {
        for (const auto value : pixels.values) {
          out.values.push_back(static_cast<std::uint32_t>(value));
          out.largest = std::max(out.largest, out.values.back());
        }
      },
      volume.pixels);
  return out;
}

// Two balls of radius 8 µm whose centres are 12 µm apart, in voxels of twice the height.
Pixels<std::uint16_t> two_balls() {
  Pixels<std::uint16_t> pixels({14, 24, 40}, 100);
  for (std::int64_t z = 0; z < 14; ++z) {
    for (std::int64_t x = 0; x < 24; ++x) {
      for (std::int64_t y = 0; y < 40; ++y) {
        for (const double centre : {13.3, 25.3}) {
          const double square = std::pow(2.0 * (static_cast<double>(z) - 6.6), 2.0) +
                                std::pow(static_cast<double>(x) - 11.7, 2.0) +
                                std::pow(static_cast<double>(y) - centre, 2.0);
          if (square <= 64.0) pixels.at(z, x, y) = 900;
        }
      }
    }
  }
  return pixels;
}

TEST(Watershed, OfDistancesPartsBlobsAtTheirNecks) {
  const VoxelSize voxel{2.0, 1.0, 1.0, "µm"};
  const auto pixels = two_balls();
  const auto run = flooded(image_of(pixels, voxel), {{"signal", std::string("distance")}});
  const auto labels = labels_of(run);
  ASSERT_EQ(count(labels), 2U);
  for (std::int64_t z = 0; z < 14; ++z) {
    for (std::int64_t x = 0; x < 24; ++x) {
      for (std::int64_t y = 0; y < 40; ++y) {
        const std::uint32_t one = labels[pixels.index(z, x, y)];
        ASSERT_EQ(one != 0, pixels.at(z, x, y) == 900);
        // The plane between the centres, but for the voxels on it.
        if (one != 0 && std::abs(static_cast<double>(y) - 19.3) > 1.5) {
          ASSERT_EQ(one == labels[pixels.index(7, 12, 13)], y < 19) << z << " " << x << " " << y;
        }
      }
    }
  }
  EXPECT_EQ(parameter<std::string>(run->steps.back(), "method"), "value");
  EXPECT_EQ(parameter<double>(run->steps.back(), "depth"), 2.0);
  // A neck that is not deep enough parts nothing.
  EXPECT_EQ(count(labels_of(flooded(image_of(pixels, voxel),
                                    {{"signal", std::string("distance")}, {"depth", 6.0}}))),
            1U);
  Pixels<std::uint16_t> turned = pixels;
  for (auto& v : turned.values) v = static_cast<std::uint16_t>(1000 - v);
  EXPECT_EQ(labels_of(flooded(image_of(turned, voxel),
                              {{"signal", std::string("distance")}, {"dark", true}})),
            labels);
}

TEST(Watershed, OfDistancesFromSeedsLeavesOtherBlobsOut) {
  Pixels<std::uint8_t> pixels({1, 5, 20}, 0);
  for (const std::int64_t y : {2, 3, 4, 12, 13, 14}) {
    for (std::int64_t x = 1; x < 4; ++x) pixels.at(0, x, y) = 200;
  }
  const auto labels = labels_of(flooded(
      image_of(pixels), {{"signal", std::string("distance")}, {"seeds", std::string("0,2,13")}}));
  EXPECT_EQ(labels[pixels.index(0, 1, 12)], 1U);
  EXPECT_EQ(labels[pixels.index(0, 2, 3)], 0U);
  EXPECT_EQ(labels[0], 0U);
}

TEST(Watershed, OfDistancesInNucleiWithItsDefaults) {
  APRSCOPE_NEEDS_DATA();
  const auto folder = test::data_dir() / "cells";
  const LabelAgreement found =
      agreement(labels_in(loaded((folder / "nuclei_75_labels.tif").string())),
                flooded(Dataset::create(loaded((folder / "nuclei_75.tif").string())),
                        {{"signal", std::string("distance")}}));
  EXPECT_EQ(found.truths, 11U);
  // Otsu cuts the dim ones too small; it is the threshold that is to blame, not the parting.
  EXPECT_GE(found.mean_best_iou, 0.38);
}

TEST(Watershed, OneValueEverywhereHasNoWalls) {
  const auto refused = [](const std::shared_ptr<const Dataset>& input) {
    const auto run = flooded(input);
    ASSERT_FALSE(run.ok());
    EXPECT_NE(run.error().message().find("no walls"), std::string::npos) << run.error().message();
  };
  refused(image_of(Pixels<std::uint8_t>({1, 1, 1}, 3)));
  refused(image_of(Pixels<std::uint16_t>({5, 6, 7}, 0)));
  refused(image_of(Pixels<float>({5, 6, 7}, -3.0F)));
  Apr apr = test::random_apr({{9, 10, 11}, 3, 0.6, true});
  apr.fields = {std::make_shared<const Field>(
      Field{"particles", std::vector<float>(apr.access->count(), 1.0F)})};
  refused(Dataset::create(std::move(apr)));
  // From seeds it is divided by distance.
  const auto seeded = flooded(image_of(Pixels<std::uint16_t>({5, 6, 7}, 1)),
                              {{"seeds", std::string("0,0,0; 4,5,6")}});
  EXPECT_EQ(count(labels_of(seeded)), 2U);
}

TEST(Watershed, TakesAllSampleTypes) {
  Pixels<std::uint8_t> bytes({5, 6, 7}, 3);
  bytes.values[7] = 4;
  EXPECT_EQ(count(labels_of(flooded(image_of(bytes)))), 1U);
  Pixels<float> reals({5, 6, 7}, -3.0F);
  reals.values[7] = -2.5F;
  EXPECT_EQ(count(labels_of(flooded(image_of(reals)))), 1U);
  Pixels<float> bad({5, 6, 7});
  bad.values[3] = std::nanf("");
  EXPECT_FALSE(flooded(image_of(bad)).ok());
}

TEST(Watershed, FindsTheCellsOfTissuesWithItsDefaults) {
  using Kind = test::TissuePhantom::Kind;
  // Border pieces of a few pixels are part of every mean; what is asked for is what was reached,
  // less a little.
  struct Case {
    Kind kind;
    double signal, voxel_z, least, least_large;
  };
  for (const Case& one :
       {Case{Kind::isotropic, 200.0, 0.25, 0.78, 0.94},
        Case{Kind::elongated, 200.0, 0.25, 0.78, 0.90}, Case{Kind::mixed, 200.0, 0.25, 0.73, 0.91},
        Case{Kind::isotropic, 50.0, 0.25, 0.72, 0.93},
        Case{Kind::isotropic, 200.0, 0.75, 0.66, 0.87}}) {
    test::TissuePhantom phantom;
    phantom.kind = one.kind;
    phantom.signal = one.signal;
    phantom.voxel.z = one.voxel_z;
    phantom.size = {one.voxel_z > 0.5 ? 20 : 48, 72, 72};
    phantom.seed = 7;
    const test::TissueImage tissue = test::make_tissue(phantom);
    const LabelAgreement found = agreement(tissue.truth, flooded(Dataset::create(tissue.image)));
    EXPECT_GE(found.mean_best_iou, one.least);
    EXPECT_GE(found.mean_best_iou_large, one.least_large);
  }
}

TEST(Watershed, OfTheOvuleWithItsDefaults) {
  APRSCOPE_NEEDS_DATA();
  const std::string path = (test::data_dir() / "fluo/sample_ovule.h5").string();
  const LabelAgreement found = agreement(labels_in(loaded(path + ":/label")),
                                         flooded(Dataset::create(loaded(path + ":/raw"))));
  EXPECT_EQ(found.truths, 50U);
  EXPECT_GE(found.mean_best_iou, 0.77);
  EXPECT_GE(found.mean_best_iou_large, 0.905);
}

TEST(Watershed, OfTheMaizeRootWithItsDefaults) {
  APRSCOPE_NEEDS_DATA();
  const auto folder = test::data_dir() / "cells";
  const LabelAgreement found =
      agreement(labels_in(loaded((folder / "maize_clsm_labels.tif").string())),
                flooded(Dataset::create(loaded((folder / "maize_clsm.tif").string()))));
  EXPECT_EQ(found.truths, 460U);
  EXPECT_GE(found.mean_best_iou, 0.76);
}

TEST(Watershed, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto run = flooded(image_of(chambers()), {}, JobContext(stop.get_token()));
  ASSERT_FALSE(run.ok());
  EXPECT_TRUE(run.error().cancelled());
}

}  // namespace
}  // namespace aprscope

// The mask of a threshold, against the comparison itself, on pixels and on particles.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "core/operations/segment/segments.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

using Parameters = std::map<std::string, ParameterValue>;

std::shared_ptr<const Dataset> dataset(Pixels<float> pixels) {
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.name = "image";
  return Dataset::create(std::move(volume));
}

// What the pipeline makes of it: words become numbers first.
Result<Execution> thresholded(const std::shared_ptr<const Dataset>& input, Parameters parameters) {
  const auto whole = complete({"threshold", std::move(parameters)});
  if (!whole) return whole.error();
  return execute({*whole}, input, *cpu_backend(), {});
}

std::vector<std::uint8_t> mask_of(const Dataset& data) {
  if (!data.is_apr()) return std::get<Pixels<std::uint8_t>>(data.volume().pixels).values;
  return std::get<std::vector<std::uint8_t>>(data.apr().main_field()->values);
}

double used(const Execution& run) { return parameter<double>(run.steps.back(), "value"); }

// Background of 10 to 19, and 4 × 4 × 4 of 200.
Pixels<float> block() {
  Pixels<float> pixels(Size3{8, 8, 8});
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<float>(10 + i % 10);
  }
  for (std::int64_t z = 2; z < 6; ++z) {
    for (std::int64_t x = 2; x < 6; ++x) {
      for (std::int64_t y = 2; y < 6; ++y) pixels.at(z, x, y) = 200.0F;
    }
  }
  return pixels;
}

TEST(Threshold, KeepsTheValueItself) {
  const auto values = test::random_values(6 * 7 * 9, 3, -50.0F, 50.0F, true);
  Pixels<float> pixels(Size3{6, 7, 9});
  pixels.values = values;
  for (const char* sets : {"superlevel", "sublevel"}) {
    const auto run = thresholded(
        dataset(pixels),
        {{"method", std::string("value")}, {"value", 7.0}, {"sets", std::string(sets)}});
    ASSERT_TRUE(run.ok()) << run.error().message();
    const auto mask = mask_of(*run->data);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool kept = std::string(sets) == "superlevel" ? values[i] >= 7.0F : values[i] <= 7.0F;
      ASSERT_EQ(mask[i], kept ? 1 : 0) << values[i];
    }
  }
}

TEST(Threshold, OfParticlesIsThatOfTheirReconstruction) {
  const Apr apr = test::random_apr({{9, 14, 11}, 5, 0.6, false});
  const auto particles = Dataset::create(Apr(apr));
  const auto pixels =
      dataset(test::naive_reconstruct(*apr.access, particles->values().particles()));
  for (const char* method : {"otsu", "crossing"}) {
    const Parameters parameters{{"method", std::string(method)}};
    const auto native = thresholded(particles, parameters);
    const auto image = thresholded(pixels, parameters);
    ASSERT_TRUE(native.ok()) << native.error().message();
    ASSERT_TRUE(image.ok()) << image.error().message();
    // The same threshold, found on particles alone.
    EXPECT_EQ(used(*native), used(*image));
    const auto mask = mask_of(*native->data);
    const std::vector<float> as_values(mask.begin(), mask.end());
    const auto want = mask_of(*image->data);
    const auto got = test::naive_reconstruct(*apr.access, as_values).values;
    EXPECT_EQ(std::vector<std::uint8_t>(got.begin(), got.end()), want);
  }
  // Structure and name stay, and the history says what was done.
  const auto run = thresholded(particles, {});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->data->apr().access, particles->apr().access);
  EXPECT_NE(run->data->apr().history.back().find("threshold"), std::string::npos);
}

TEST(Threshold, OtsuSeparatesTheBlock) {
  const auto run = thresholded(dataset(block()), {});
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(used(*run), 200.0);
  EXPECT_EQ(parameter<std::string>(run->steps.back(), "method"), "value");
  const auto mask = mask_of(*run->data);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 64);
  // The other side of the same border.
  const auto dark = thresholded(dataset(block()), {{"sets", std::string("sublevel")}});
  ASSERT_TRUE(dark.ok());
  EXPECT_EQ(used(*dark), 19.0);
  const auto rest = mask_of(*dark->data);
  for (std::size_t i = 0; i < mask.size(); ++i) ASSERT_EQ(mask[i] + rest[i], 1);
}

// Both keep their own class, in the mask as in the curve that starts with the same threshold.
TEST(Threshold, OtsuIsThatOfTheCurve) {
  // A dark ramp, and a narrow bright class; more values than there are levels.
  Pixels<float> ramp(Size3{20, 80, 100});
  for (std::size_t i = 0; i < ramp.values.size(); ++i) {
    const auto v = static_cast<float>(i);
    ramp.values[i] = i % 4 == 0 ? 1000.0F + v * 1e-3F : v * 1e-3F;
  }
  for (const auto& image : {block(), ramp}) {
    const auto input = dataset(image);
    for (const char* sets : {"superlevel", "sublevel"}) {
      const auto run = thresholded(input, {{"sets", std::string(sets)}});
      const auto curve =
          cpu_backend()->measure({"topology", {{"sets", std::string(sets)}}}, *input, {});
      ASSERT_TRUE(run.ok() && curve.ok());
      ASSERT_TRUE(curve->curves.front().threshold.has_value());
      EXPECT_EQ(curve->curves.front().threshold->start, used(*run)) << sets;
      const auto mask = mask_of(*run->data);
      const bool bright = std::string(sets) == "superlevel";
      for (std::size_t i = 0; i < mask.size(); ++i) {
        ASSERT_EQ(mask[i] == 1, (image.values[i] > 180.0F) == bright) << sets << " " << i;
      }
    }
  }
}

TEST(Threshold, WhatCannotBeFoundIsSaid) {
  Pixels<float> flat(Size3{3, 4, 5});
  const auto none = thresholded(dataset(flat), {});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message().find("one value only"), std::string::npos);
  const auto crossing = thresholded(
      dataset(block()), {{"method", std::string("crossing")}, {"crossing", std::int64_t{9}}});
  ASSERT_FALSE(crossing.ok());
  EXPECT_NE(crossing.error().message().find("Euler characteristic"), std::string::npos);
  flat.values[7] = std::nanf("");
  const auto nan = thresholded(dataset(flat), {{"method", std::string("value")}});
  ASSERT_FALSE(nan.ok());
  EXPECT_NE(nan.error().message().find("image"), std::string::npos);
}

TEST(Threshold, APartOfItIsThatPart) {
  const Apr apr = test::random_apr({{9, 14, 11}, 6, 0.6, true});
  const auto particles = Dataset::create(Apr(apr));
  const auto pixels =
      dataset(test::naive_reconstruct(*apr.access, particles->values().particles()));
  const Region region{{2, 3, 4}, {5, 9, 10}};
  for (const auto& input : {particles, pixels}) {
    const Operation operation = settled(*complete({"threshold", {}}), *input);
    const auto all = thresholded(input, operation.parameters);
    ASSERT_TRUE(all.ok());
    const auto mask = mask_of(*all->data);
    std::vector<float> part(mask.size(), -1.0F);
    ASSERT_TRUE(cpu_backend()->run_region(operation, *input, region, part, {}).ok());
    std::size_t touched = 0;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      if (part[i] < 0.0F) continue;
      ++touched;
      ASSERT_EQ(part[i], static_cast<float>(mask[i]));
    }
    EXPECT_GE(touched, input->is_apr() ? 1U : 3U * 6U * 6U);
  }
}

TEST(Threshold, TheStepOfALevelSetIsComplete) {
  const auto step = complete(threshold_step({12.5, LevelSets::sublevel}));
  ASSERT_TRUE(step.ok()) << step.error().message();
  EXPECT_EQ(parameter<double>(*step, "value"), 12.5);
  EXPECT_EQ(parameter<std::string>(*step, "sets"), "sublevel");
  EXPECT_EQ(parameter<std::string>(*step, "method"), "value");
}

}  // namespace
}  // namespace aprscope

#include "core/operations/engine/registry.hpp"

#include <gtest/gtest.h>

#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/stencil_spec.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/toy_operation.hpp"

// An operation is all in one place: what follows is one that the program does not know, and
// everything that the core does with operations.
namespace aprscope {
namespace {

std::vector<float> values_of(const Data& data) {
  const auto dataset = Dataset::create(data);
  return dataset->is_apr() ? dataset->values().particles() : dataset->values().pixels().values;
}

class ToyOperation : public testing::Test {
 protected:
  const test::WithToy with_;
  const Operation toy_{"next_mean", {{"share", 0.25}}};
};

TEST_F(ToyOperation, IsKnownByItsSchema) {
  const OperationSchema* schema = find_schema("next_mean");
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(operation_schemas().back(), schema);
  EXPECT_EQ(complete(toy_)->parameters.size(), 4U);
  EXPECT_FALSE(complete({"next_mean", {{"share", 2.0}}}).ok());
  EXPECT_NE(complete({"nothing", {}}).error().message().find("next_mean"), std::string::npos);
  EXPECT_EQ(describe(toy_), "next_mean share=0.25, same, reflect, no normalize");
  EXPECT_TRUE(is_filter(toy_));
  EXPECT_EQ(traits_of(toy_).panel, "filter");
  EXPECT_EQ(range_of(toy_), Range::of_input);
  const auto parsed = parse_stencil_spec("next_mean:part=0.25");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(*parsed, *complete(toy_));
}

TEST_F(ToyOperation, RunsOnPixelsAndParticlesAndInParts) {
  for (const bool particles : {false, true}) {
    const auto data = particles ? Dataset::create(test::two_level_apr(16, test::rough))
                                : Dataset::create(test::image_of({16, 16, 16}, test::rough));
    const auto made = cpu_backend()->run(toy_, *data, {});
    const auto wanted = cpu_backend()->run(test::next_mean_by_hand(0.25), *data, {});
    ASSERT_TRUE(made.ok() && wanted.ok());
    EXPECT_EQ(values_of(*made), values_of(*wanted));
    std::vector<float> part;
    const Region slice{{5, 0, 0}, {6, 16, 16}};
    ASSERT_TRUE(cpu_backend()->run_region(toy_, *data, slice, part, {}).ok());
    std::vector<float> wanted_part;
    ASSERT_TRUE(cpu_backend()
                    ->run_region(test::next_mean_by_hand(0.25), *data, slice, wanted_part, {})
                    .ok());
    EXPECT_EQ(part, wanted_part);
  }
}

TEST_F(ToyOperation, IsAStepOfRecipes) {
  const Recipe recipe{"a.tif", 0, 0, {*complete(toy_)}};
  const auto again = recipe_from_json(to_json(recipe));
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(again->steps, recipe.steps);
  const auto data = Dataset::create(test::image_of({6, 7, 8}, test::rough));
  const auto done = execute({toy_, test::next_mean_by_hand(0.5)}, data, *cpu_backend());
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->costs.front().operation, "next_mean");
  EXPECT_FALSE(done->converted_from);
  EXPECT_FALSE(done->deconvolved_from);
}

TEST_F(ToyOperation, IsGoneWithItsRegistry) {
  use_operations(standard_operations());
  EXPECT_EQ(find_schema("next_mean"), nullptr);
  EXPECT_FALSE(complete(toy_).ok());
  EXPECT_FALSE(is_filter(toy_));
}

TEST(Registry, WhatItSaysOfTheStandardOperations) {
  const Operation convert{"convert", {}};
  EXPECT_TRUE(is_estimated(convert));
  EXPECT_EQ(traits_of(convert).gives, Gives::apr);
  EXPECT_EQ(traits_of({"reconstruct", {}}).gives, Gives::pixels);
  EXPECT_TRUE(traits_of({"deconvolve", {}}).iterates);
  EXPECT_FALSE(goes_on({"deconvolve", {}}));
  EXPECT_TRUE(goes_on({"deconvolve", {{"start", std::string("previous")}}}));
  for (const char* id : {"laplacian", "log", "gradient", "standard_deviation", "deconvolve"}) {
    EXPECT_EQ(range_of({id, {}}), Range::own) << id;
  }
  for (const char* id : {"gaussian", "box", "sharpen", "median", "mean", "convert"}) {
    EXPECT_EQ(range_of({id, {}}), Range::of_input) << id;
  }
  // A stencil by hand keeps grey values where its weights sum to 1 and none is negative.
  const auto custom = [](std::vector<double> weights, bool normalize) {
    return Operation{
        "custom",
        {{"stencil", Stencil{{1, 1, 3}, std::move(weights), ""}}, {"normalize", normalize}}};
  };
  EXPECT_EQ(range_of(custom({1, 2, 1}, true)), Range::of_input);
  EXPECT_EQ(range_of(custom({1, 2, 1}, false)), Range::own);
  EXPECT_EQ(range_of(custom({-1, 3, -1}, true)), Range::own);
  // Every operation has a family, a word for it and an engine.
  for (const auto& type : operations().all()) {
    EXPECT_FALSE(type->traits.family.empty()) << type->schema.id;
    const bool measures = type->traits.gives == Gives::measurement;
    const bool labels = type->traits.gives == Gives::labels;
    EXPECT_EQ(type->cpu.run != nullptr, !measures && !labels) << type->schema.id;
    EXPECT_EQ(type->labels.label != nullptr, labels) << type->schema.id;
    EXPECT_EQ(type->cpu.measure != nullptr, measures) << type->schema.id;
    EXPECT_NE(type->cpu.bytes, nullptr) << type->schema.id;
    EXPECT_EQ(type->cpu.run_regions != nullptr, type->traits.preview == Previewed::region)
        << type->schema.id;
  }
}

}  // namespace
}  // namespace aprscope

#include <set>

#include <gtest/gtest.h>

#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {
namespace {

TEST(Schemas, HoldTheOperationsOfTheMenuInItsOrder) {
  const std::vector<std::string> expected{
      "convert",       "reconstruct", "gaussian", "box",         "sharpen",
      "laplacian",     "log",         "gradient", "mean",        "standard_deviation",
      "median",        "min",         "max",      "deconvolve",  "custom",
      "statistics",    "topology",    "compare",  "threshold",   "watershed",
      "fill_exterior", "label",       "cells",    "correct",     "clean_labels",
      "open_labels",   "closing",     "crop",     "line_profile"};
  const std::vector<std::string> of_maps{
      "map_sharpen", "map_mask", "map_flip",    "map_upsample", "local_resolution",
      "fsc",         "guinier",  "backproject", "project",      "projections"};
  std::multiset<std::string> ids;
  for (const OperationSchema* schema : operation_schemas()) ids.insert(schema->id);
  std::multiset<std::string> all(expected.begin(), expected.end());
  all.insert(of_maps.begin(), of_maps.end());
  EXPECT_EQ(ids, all);
  EXPECT_EQ(operation_schemas().front()->id, "convert");
  EXPECT_EQ(operation_schemas().back()->id, "custom");
}

TEST(Schemas, EachParameterHasWhatAControlNeeds) {
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    EXPECT_FALSE(schema.label.empty() || schema.group.empty() || schema.help.empty()) << schema.id;
    EXPECT_FALSE(schema.inputs.empty()) << schema.id;
    std::set<std::string> seen;
    for (const ParameterSpec& spec : schema.parameters) {
      SCOPED_TRACE(schema.id + "." + spec.id);
      EXPECT_TRUE(seen.insert(spec.id).second) << "twice";
      EXPECT_FALSE(spec.label.empty());
      EXPECT_GT(spec.help.size(), 10U);
      EXPECT_EQ(spec.help.back(), '.');
      EXPECT_EQ(spec.type == ParameterType::choice, !spec.choices.empty());
      const bool numeric = spec.type == ParameterType::real ||
                           spec.type == ParameterType::integer ||
                           spec.type == ParameterType::vector3;
      EXPECT_TRUE(!numeric || spec.minimum < spec.maximum);
    }
  }
}

TEST(Schemas, DefaultsAreValid) {
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    Operation all{schema.id, {}};
    for (const ParameterSpec& spec : schema.parameters) {
      all.parameters[spec.id] = spec.default_value;
    }
    const auto given = complete(all);
    ASSERT_TRUE(given.ok()) << given.error().message();
    const auto filled = complete({schema.id, {}});
    ASSERT_TRUE(filled.ok());
    EXPECT_EQ(*given, *filled) << schema.id;
  }
}

TEST(Schemas, DefaultModeSuitsTheFilter) {
  const auto mode = [](const char* id) {
    return parameter<std::string>(*complete({id, {}}), "mode");
  };
  for (const char* smoothing : {"gaussian", "box", "sharpen", "custom"}) {
    EXPECT_EQ(mode(smoothing), "restricted") << smoothing;
  }
  for (const char* derivative : {"gradient", "laplacian", "log"}) {
    EXPECT_EQ(mode(derivative), "rescaled") << derivative;
    EXPECT_FALSE(parameter<bool>(*complete({derivative, {}}), "normalize"));
  }
  for (const char* smoothing : {"gaussian", "box"}) {
    EXPECT_TRUE(parameter<bool>(*complete({smoothing, {}}), "normalize"));
  }
}

TEST(Schemas, EveryFilterTakesPixelsAndParticles) {
  for (const OperationSchema* each : operation_schemas()) {
    const OperationSchema& schema = *each;
    if (schema.group == "Convert" || schema.group == "Measure") continue;
    // No neighbourhood of these reaches beyond the image, and some want pixels.
    if (schema.group == "Segment" || schema.group == "Maps" || schema.group == "Cut") continue;
    EXPECT_EQ(schema.inputs, (std::vector<DataKind>{DataKind::pixels, DataKind::apr})) << schema.id;
    EXPECT_NE(schema.parameter("boundary"), nullptr) << schema.id;
  }
}

TEST(Schemas, NoNameMeansNoSchema) {
  EXPECT_EQ(find_schema("blur"), nullptr);
  EXPECT_EQ(find_schema(""), nullptr);
  EXPECT_EQ(find_schema("gaussian")->parameter("radius"), nullptr);
}

}  // namespace
}  // namespace aprscope

// A soft mask round the molecule of a map.
#include <algorithm>
#include <string>
#include <utility>

#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/automatic_mask.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/map_parameters.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

enum class Out { mask, masked };
constexpr Word<Out> kOuts[] = {{"mask", Out::mask}, {"masked", Out::masked}};
enum class Method { otsu, value };
constexpr Word<Method> kMethods[] = {{"otsu", Method::otsu}, {"value", Method::value}};
constexpr double kGreyLimit = 3.4e38;
constexpr double kMostVoxels = 1000.0;

OperationSchema mask_schema() {
  return operation_schema("map_mask", "Mask of a map", "Maps", {DataKind::pixels},
                          "A soft mask round the molecule, 1 inside and 0 outside: smooths the "
                          "map, takes what is brighter than a threshold, extends it and lets it "
                          "fall off over some voxels.")
      .with(choice("method", "Threshold", words_of(kMethods))
                .main()
                .help("otsu: what separates bright from dark best in the smoothed map; value: a "
                      "value of it. What is found is written into the result's history."))
      .with(real("value", "Value")
                .range(-kGreyLimit, kGreyLimit)
                .unit("grey values")
                .help("The threshold, with method value."))
      .with(real("low_pass", "Low-pass", 15.0)
                .range(0.0, kMostAngstrom)
                .unit("Å")
                .help("The map is smoothed to this resolution before the threshold; 0: it is "
                      "not."))
      .with(boolean("largest", "Largest piece only", true)
                .help("Drops what is bright but hangs together with less than the rest."))
      .with(real("extend", "Extend", 3.0)
                .range(0.0, kMostVoxels)
                .unit("px")
                .help("Voxels by which the mask reaches beyond the threshold."))
      .with(real("edge", "Soft edge", 6.0)
                .range(0.0, kMostVoxels)
                .unit("px")
                .main()
                .help("Voxels over which it falls from 1 to 0; below 3 it makes half maps agree "
                      "that do not."))
      .with(choice("gives", "Gives", words_of(kOuts))
                .main()
                .help("mask: the mask itself; masked: the map times the mask."));
}

Method method_of(const Operation& operation) {
  return value_of(kMethods, parameter<std::string>(operation, "method"));
}

std::uint64_t bytes_of_map_mask(const Operation&, const Dataset& input) {
  return mask_bytes(input) + static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
}

Result<FoundMask> find(const Operation& operation, const Dataset& input,
                       const JobContext& context) {
  MaskSettings settings;
  settings.low_pass = parameter<double>(operation, "low_pass");
  const auto scale = settings.low_pass > 0.0 ? map_scale_in_angstrom(input) : map_scale(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_map_mask(operation, input), input); !ok) return ok.error();
  // Finer than two voxels is as it is.
  settings.low_pass /= scale->voxel;
  if (settings.low_pass <= 2.0) settings.low_pass = 0.0;
  if (method_of(operation) == Method::value) {
    settings.threshold = parameter<double>(operation, "value");
  }
  settings.largest = parameter<bool>(operation, "largest");
  settings.extend = parameter<double>(operation, "extend");
  settings.edge = parameter<double>(operation, "edge");
  return find_mask(input, settings, context);
}

Result<Data> run_map_mask(const Operation& operation, const Dataset& input, const IterationHooks&,
                          const JobContext& context) {
  auto found = find(operation, input, context);
  if (!found) return found.error();
  const bool masked = value_of(kOuts, parameter<std::string>(operation, "gives")) == Out::masked;
  if (masked) {
    const std::vector<float>& values = input.values().pixels().values;
    std::transform(found->mask.begin(), found->mask.end(), values.begin(), found->mask.begin(),
                   [](float mask, float value) { return mask * value; });
  }
  Data out = filtered_image(input, std::move(found->mask));
  if (masked) std::get<Volume>(out).reconstruction = input.volume().reconstruction;
  return out;
}

// The operation with the threshold that was found.
Operation settled_map_mask(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || input.is_apr() || method_of(*whole) == Method::value) return asked;
  const auto found = find(*whole, input, context);
  if (!found) return asked;
  asked.parameters["method"] = std::string(word_of(kMethods, Method::value));
  asked.parameters["value"] = found->threshold;
  return asked;
}

}  // namespace

OperationType map_mask_operation() {
  OperationType type;
  type.schema = mask_schema();
  type.schema.counts = [](const Operation& operation, const std::string& id) {
    return id != "value" || method_of(operation) == Method::value;
  };
  type.traits.gives = Gives::pixels;
  type.traits.family = "map_mask";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.cpu.bytes = bytes_of_map_mask;
  type.cpu.run = run_map_mask;
  type.settled = settled_map_mask;
  type.range = [](const Operation& operation) {
    return value_of(kOuts, parameter<std::string>(operation, "gives")) == Out::mask
               ? Range::own
               : Range::of_input;
  };
  return type;
}

}  // namespace aprscope

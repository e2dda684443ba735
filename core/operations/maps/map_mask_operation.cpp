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
                          "Makes a soft mask around the molecule, 1 inside and 0 outside: the map "
                          "is smoothed, thresholded, extended and given a soft edge.")
      .with(choice("method", "Threshold", words_of(kMethods))
                .main()
                .help("How the threshold is chosen. otsu: the value that separates bright from "
                      "dark best in the smoothed map; value: a number that you give. The threshold "
                      "is written into the result's history."))
      .with(real("value", "Value")
                .range(-kGreyLimit, kGreyLimit)
                .unit("grey values")
                .help("Threshold, used with method value: what is brighter is inside the mask."))
      .with(real("low_pass", "Low-pass", 15.0)
                .range(0.0, kMostAngstrom)
                .unit("Å")
                .help("Resolution that the map is smoothed to before the threshold. Larger values "
                      "smooth more; 0: no smoothing."))
      .with(boolean("largest", "Largest piece only", true)
                .help("Keep only the largest connected piece above the threshold."))
      .with(real("extend", "Extend", 3.0)
                .range(0.0, kMostVoxels)
                .unit("px")
                .help("Distance by which the mask reaches beyond what is above the threshold."))
      .with(real("edge", "Soft edge", 6.0)
                .range(0.0, kMostVoxels)
                .unit("px")
                .main()
                .help("Width over which the mask falls from 1 to 0. Below 3 the edge itself makes "
                      "half maps correlate."))
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

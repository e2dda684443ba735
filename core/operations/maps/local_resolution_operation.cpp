// The resolution of a map place by place, from its half maps.
#include <algorithm>
#include <string>
#include <utility>

#include "core/maps/local_resolution.hpp"
#include "core/maps/shells.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/map_parameters.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema local_schema() {
  return operation_schema("local_resolution", "Local resolution", "Maps", {DataKind::pixels},
                          "Resolution in Å at each voxel, from the correlation of two half maps "
                          "inside a soft ball around the voxel.")
      .with(text("other", "Other half map")
                .names_file()
                .main()
                .help("File of the second half map; the input is the first one."))
      .with(text("mask", "Mask")
                .names_file()
                .help("File of a mask: where it is below 0.5 the result is 0. Empty: no mask."))
      .with(real("radius", "Radius of the ball")
                .range(0.0, kMostAngstrom)
                .lowest("automatic")
                .unit("Å")
                .main()
                .help("Radius of the ball in which the half maps are compared. A larger ball is "
                      "more reliable but less local; 0: four times the resolution of the whole "
                      "map, a quarter of the box at most."))
      .with(real("threshold", "Correlation", 0.5)
                .range(0.01, 0.99)
                .help("The resolution is read off where the correlation of the half maps falls "
                      "below this. Higher values give coarser resolutions."));
}

std::uint64_t bytes_of_local_resolution(const Operation&, const Dataset& input) {
  // The other half, the mask, the result; for the resolution of the whole two spectra.
  return 2 * map_bytes(input) +
         3 * static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
}

// The radius of the ball in voxels.
Result<double> radius_of(const Operation& operation, const std::vector<float>& first,
                         const std::vector<float>& second, const MapScale& scale,
                         const JobContext& context) {
  const double typed = parameter<double>(operation, "radius");
  if (typed > 0.0) return typed / scale.voxel;
  const auto fsc = shell_correlation(first, second, scale.side, context);
  if (!fsc) return fsc.error();
  const double resolution = crossing(*fsc, kGoldStandard, scale.side, 1.0).value_or(2.0);
  return std::clamp(4.0 * resolution, 2.0, std::max(2.0, static_cast<double>(scale.side) / 4.0));
}

Result<Data> run_local_resolution(const Operation& operation, const Dataset& input,
                                  const IterationHooks&, const JobContext& context) {
  const auto scale = map_scale_in_angstrom(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_local_resolution(operation, input), input); !ok)
    return ok.error();
  const auto& other = parameter<std::string>(operation, "other");
  if (other.empty()) {
    return Error{"is to be compared with its other half, and none is named", input.name(),
                 "choose the file of the other half map"};
  }
  const std::vector<float>& first = input.values().pixels().values;
  const auto second = read_map(other, "half map", scale->side, context.part(0.0, 0.05));
  if (!second) return second.error();
  const auto radius = radius_of(operation, first, second->values, *scale, context.part(0.05, 0.1));
  if (!radius) return radius.error();
  std::vector<float> mask;
  if (const auto& file = parameter<std::string>(operation, "mask"); !file.empty()) {
    auto read = read_map(file, "mask", scale->side, {});
    if (!read) return read.error();
    mask = std::move(read->values);
  }
  auto found =
      local_resolution(first, second->values, scale->side, mask,
                       {.radius = *radius, .threshold = parameter<double>(operation, "threshold")},
                       context.part(0.1, 1.0));
  if (!found) return found.error();
  for (float& value : *found) value *= static_cast<float>(scale->voxel);
  return filtered_image(input, *std::move(found));
}

// The operation with the radius that was found.
Operation settled_local_resolution(Operation asked, const Dataset& input,
                                   const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || input.is_apr() || parameter<double>(*whole, "radius") > 0.0) return asked;
  const auto scale = map_scale_in_angstrom(input);
  if (!scale) return asked;
  const auto other = read_map(parameter<std::string>(*whole, "other"), "half map", scale->side,
                              context.part(0.0, 0.3));
  if (!other) return asked;
  const auto radius = radius_of(*whole, input.values().pixels().values, other->values, *scale,
                                context.part(0.3, 1.0));
  if (radius) asked.parameters["radius"] = *radius * scale->voxel;
  return asked;
}

}  // namespace

OperationType local_resolution_operation() {
  OperationType type;
  type.schema = local_schema();
  type.traits.gives = Gives::pixels;
  type.traits.family = "local_resolution";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.traits.gives_angstrom = true;
  type.cpu.bytes = bytes_of_local_resolution;
  type.cpu.run = run_local_resolution;
  type.settled = settled_local_resolution;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope

// A map on a finer grid.
#include <utility>

#include "core/maps/upsampled.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema upsample_schema() {
  return operation_schema("map_upsample", "Finer grid", "Maps", {DataKind::pixels},
                          "Puts a map on a grid that is a whole number of times finer, "
                          "interpolated in Fourier space. Existing voxels keep their values. It "
                          "adds no detail, but surfaces and particles become smoother.")
      .with(integer("times", "Times finer", 3)
                .range(2, 4)
                .main()
                .help("Number of voxels of the result along each side of a voxel of the map."));
}

std::uint64_t bytes_of_map_upsample(const Operation& operation, const Dataset& input) {
  return upsampled_bytes(input.size().z, parameter<std::int64_t>(operation, "times"));
}

// The first voxel stays where it is. Labels, and half maps with how they were made, are of the
// coarse grid.
Volume on_finer_grid(const Volume& map, std::vector<float> values, std::int64_t times) {
  const Size3 n = map.size();
  const auto by = static_cast<double>(times);
  Volume out;
  Pixels<float> pixels;
  pixels.size = {times * n.z, times * n.x, times * n.y};
  pixels.values = std::move(values);
  out.pixels = std::move(pixels);
  out.voxel = {map.voxel.z / by, map.voxel.x / by, map.voxel.y / by, map.voxel.unit};
  out.origin = map.origin;
  out.name = map.name;
  out.channel = map.channel;
  out.channel_index = map.channel_index;
  out.time = map.time;
  return out;
}

Status takes_map_upsample(const Operation&, const Dataset& input) {
  if (!input.is_apr() && input.volume().projections) {
    return Error{"is a set of projections with its table", input.name(),
                 "use the map that is reconstructed from them"};
  }
  return {};
}

Result<Data> run_map_upsample(const Operation& operation, const Dataset& input,
                              const IterationHooks&, const JobContext& context) {
  const auto scale = map_scale(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_map_upsample(operation, input), input); !ok)
    return ok.error();
  const auto times = parameter<std::int64_t>(operation, "times");
  auto values = upsampled(input.values().pixels().values, scale->side, times, context);
  if (!values) return values.error();
  return Data{on_finer_grid(input.volume(), *std::move(values), times)};
}

}  // namespace

OperationType map_upsample_operation() {
  OperationType type;
  type.schema = upsample_schema();
  type.traits.gives = Gives::pixels;
  type.traits.family = "map_upsample";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.cpu.bytes = bytes_of_map_upsample;
  type.cpu.run = run_map_upsample;
  type.takes = takes_map_upsample;
  return type;
}

}  // namespace aprscope

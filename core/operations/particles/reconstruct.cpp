// Particles to pixels.
#include <cmath>
#include <utility>

#include "core/base/system.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/overview.hpp"
#include "core/operations/particles/particle_words.hpp"
#include "core/operations/particles/particles.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema reconstruct_schema() {
  return operation_schema("reconstruct", "Reconstruct pixels", "Convert", {DataKind::apr},
                          "Turns particles back into a pixel image.")
      .with(choice("mode", "Mode", words_of(kReconstructionModes))
                .help("constant: one value for each cell; smooth: interpolated; level: the level "
                      "of each particle instead of its value."))
      .with(integer("at_level", "Resolution level")
                .range(0, 31)
                .described(Described::changed)
                .help("Level of the particles whose smaller image is reconstructed: each level "
                      "below the finest halves the size. 0: full resolution."));
}

ReconstructionMode mode_of(const Operation& operation) {
  return value_of(kReconstructionModes, parameter<std::string>(operation, "mode"));
}

// A sub-image of a level, whose pixels are larger.
VoxelSize scaled(VoxelSize voxel, double factor) {
  voxel.z *= factor;
  voxel.x *= factor;
  voxel.y *= factor;
  return voxel;
}

std::uint64_t bytes_of_reconstruct(const Operation&, const Dataset& input) {
  const auto pixels = static_cast<std::uint64_t>(std::max<std::int64_t>(0, input.size().count()));
  return pixels * sizeof(float) * 3 / 2;
}

Result<Data> run_reconstruct(const Operation& operation, const Dataset& input,
                             const IterationHooks&, const JobContext& context) {
  const ReconstructionMode mode = mode_of(operation);
  if (Status ok = check_memory(bytes_of_reconstruct(operation, input), input); !ok)
    return ok.error();
  if (mode == ReconstructionMode::smooth) {
    if (Status ok = check_finite(input); !ok) return ok.error();
  }
  if (context.stop_requested()) return cancelled_error();
  const Apr& apr = input.apr();
  const auto level = static_cast<int>(parameter<std::int64_t>(operation, "at_level"));
  if (level != 0 && mode != ReconstructionMode::constant) {
    return Error{"an image of one level exists in mode constant only", operation.id,
                 "use mode constant or at_level 0"};
  }
  if (level > apr.access->level_max()) {
    return Error{"has no level " + std::to_string(level), input.name(),
                 "use 1 to " + std::to_string(apr.access->level_max())};
  }
  const bool levels = mode == ReconstructionMode::level;
  static const std::vector<float> no_values;
  auto pixels = level != 0
                    ? reconstruct_at_level(*apr.access, input.values().particles(),
                                           input.values().tree_mean(), level, context)
                    : reconstruct(*apr.access, levels ? no_values : input.values().particles(),
                                  mode, whole(input.size()), context);
  if (!pixels) return pixels.error();
  // Pixels with values of particles keep the particles' type; interpolated ones are f32.
  const bool exact = level == 0 && mode == ReconstructionMode::constant;
  Volume out = image_like(apr, levels  ? typed<std::uint8_t>(*std::move(pixels))
                               : exact ? typed_as(*apr.main_field(), *std::move(pixels))
                                       : AnyPixels(*std::move(pixels)));
  if (level != 0) out.voxel = scaled(apr.voxel, std::exp2(apr.access->level_max() - level));
  return with_labels_of(apr, std::move(out), context);
}

// The image of a level from the means in the file, for particles that memory has no room for. For
// particles that fit, the means are computed, whether the file has a tree or not.
Result<std::optional<Data>> reconstruct_of_file(const Operation& operation, const SourceInfo& info,
                                                const SourceSelection& selection,
                                                const JobContext& context) {
  const auto level = level_of(operation);
  if (!info.is_apr || !level) return std::optional<Data>();
  const auto needed = particle_bytes_to_show(info, selection);
  if (!needed) return needed.error();
  const std::uint64_t left = available_bytes();
  if (left == 0 || *needed <= left) return std::optional<Data>();
  return level_of_file(info, selection, *level, context);
}

}  // namespace

Operation level_step(int level) {
  return {"reconstruct", {{"at_level", static_cast<std::int64_t>(level)}}};
}

std::optional<int> level_of(const Operation& step) {
  if (step.id != "reconstruct") return std::nullopt;
  const auto whole = complete(step);
  if (!whole || mode_of(*whole) != ReconstructionMode::constant) return std::nullopt;
  const auto level = static_cast<int>(parameter<std::int64_t>(*whole, "at_level"));
  return level == 0 ? std::nullopt : std::optional(level);
}

OperationType reconstruct_operation() {
  OperationType type;
  type.schema = reconstruct_schema();
  type.traits.gives = Gives::pixels;
  type.traits.family = "reconstruct";
  type.cpu = {bytes_of_reconstruct, run_reconstruct, nullptr};
  type.of_file = reconstruct_of_file;
  type.structure_only = [](const Operation& operation) {
    return mode_of(operation) == ReconstructionMode::level;
  };
  type.range = [](const Operation& operation) {
    return mode_of(operation) == ReconstructionMode::level ? Range::own : Range::of_input;
  };
  return type;
}

}  // namespace aprscope

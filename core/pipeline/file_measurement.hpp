#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/data/measurement.hpp"
#include "core/image/volume.hpp"
#include "core/io/common/source_info.hpp"
#include "core/operations/schema/operation.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Whether an operation can measure the particles of a file part by part.
bool can_be_in_parts(const Operation& operation);

/// An operation on the image of a level of a file as one on the whole file: a box in its parameters
/// is in the pixels of that, of which `size` are there.
Operation in_pixels_of_file(Operation operation, int level, const Size3& size);

/// What an operation finds in all particles of a channel and time point of a file, which are read
/// some planes at a time: the numbers of all of them in memory. `memory`: bytes to stay within; 0:
/// 1 GB, or half of what is free if that is less. `voxel` replaces the file's. None: the file has a
/// layout that cannot be read in parts. Errors: those of AprFileSlabs::open() and measure_file().
Result<std::optional<Measurement>> measure_in_parts(
    const Operation& operation, const SourceInfo& info, const SourceSelection& selection,
    std::uint64_t memory, const std::optional<VoxelSize>& voxel, const JobContext& context = {});

/// A measurement of all particles of a file of which a level is shown.
struct WholeMeasurement {
  Operation operation;
  /// The file.
  std::string input;
  SourceSelection part;
  int level = 1;
  /// Voxel size of the level's pixels, if the file's is replaced.
  std::optional<VoxelSize> level_voxel;
  /// A box in the operation is in pixels of the level, see in_pixels_of_file().
  bool in_level_pixels = false;
  /// See measure_in_parts().
  std::uint64_t memory = 0;
};

/// What came of it.
struct MeasuredWhole {
  /// In pixels of the file.
  Operation operation;
  std::shared_ptr<const Measurement> found;
  StepCost cost;
};

/// measure_in_parts() of such a measurement, by the CPU. Errors: also those of inspect(); a layout
/// that cannot be read in parts.
Result<MeasuredWhole> measure_all_of_file(const WholeMeasurement& wanted,
                                          const JobContext& context = {});

}  // namespace aprscope

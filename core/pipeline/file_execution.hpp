#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/io/common/source_info.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// Whether a first step may need no more than a part of a file of particles, which can then be
/// larger than memory, see OperationType::of_file.
bool may_take_part(const std::vector<Operation>& steps);

/// execute() on a channel and time point of a file, of which no more is read than the first step
/// needs; without steps, what load() gives. `voxel` counts instead of the file's. Errors: those of
/// load() and execute().
Result<Execution> execute_file(const std::vector<Operation>& steps, const SourceInfo& info,
                               const SourceSelection& selection, const Backend& backend,
                               const RunContext& run = {},
                               const std::optional<VoxelSize>& voxel = std::nullopt);

/// What can be shown of a channel and time point of a file: what load() gives, where that takes no
/// more than `memory` bytes to show; else, of particles, the image of the finest level that does,
/// a step; all of them where the file has no tree. Errors: those of load().
Result<Execution> open_file(const SourceInfo& info, const SourceSelection& selection,
                            std::uint64_t memory, const Backend& backend,
                            const RunContext& run = {});

/// Whether what load() gives of it takes no more than `memory` bytes to show; of an image alone.
bool image_fits(const SourceInfo& info, std::uint64_t memory);

/// The level whose image these steps on a file of particles are, see open_file(); none: other
/// steps.
std::optional<int> shown_level(const std::vector<Operation>& steps);

/// Converts an image, read slice by slice, into an .apr with its tree, from file to file: see
/// convert_to_file(). Returns the number of particles. Errors: those of open_slices() and of that.
Result<std::uint64_t> convert_file(const Operation& convert, const SourceInfo& info,
                                   const SourceSelection& selection,
                                   const std::filesystem::path& output,
                                   const JobContext& context = {});

}  // namespace aprscope

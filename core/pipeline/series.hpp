#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/io/apr/apr_write.hpp"
#include "core/io/common/source_info.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// All channels and time points of a file: all channels of one time point after the other.
std::vector<SourceSelection> all_parts(const SourceInfo& info);

/// The particles that steps make of a channel and time point of a file. `voxel` replaces the
/// file's. Errors: those of execute_file(); the steps make no particles.
Result<Apr> particles_of_part(const std::vector<Operation>& steps, const SourceInfo& info,
                              const SourceSelection& selection,
                              const std::optional<VoxelSize>& voxel, const Backend& backend,
                              const JobContext& context = {});

/// An error that says of which channel and time point it is.
Error in_part(Error error, const SourceSelection& selection);

/// Writes the particles that steps make of some channels and time points into one .apr; those of
/// one are in memory at a time. Errors: those of particles_of_part(), see in_part(), and of
/// writing; `output` is the file itself.
Status write_series(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, const std::filesystem::path& output,
                    const AprWriteOptions& options = {}, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "core/io/apr/apr_write.hpp"
#include "core/io/common/part_error.hpp"
#include "core/io/common/source_info.hpp"
#include "core/operations/particles/file_conversion.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/part_maker.hpp"

namespace aprscope {

/// All channels and time points of a file: all channels of one time point after the other.
std::vector<SourceSelection> all_parts(const SourceInfo& info);

/// The particles that `make` makes of a channel and time point of a file. Errors: those of `make`,
/// see in_part(); it makes no particles.
Result<Apr> particles_of_part(const MakePart& make, const SourceInfo& info,
                              const SourceSelection& selection, const JobContext& context = {});

/// Whether one file can hold these parts: its parts go by the names of their channels. Error: two
/// have the same.
Status check_parts(const SourceInfo& info, std::span<const SourceSelection> parts);

/// Writes the particles that steps make of some channels and time points into one .apr; those of
/// one are in memory at a time. Channels may share a structure, see part_maker(). Errors: those of
/// check_parts(), of particles_of_part() and of writing; `output` is the file itself.
Status write_series(const std::vector<Operation>& steps, const SourceInfo& info,
                    std::span<const SourceSelection> parts, const std::optional<VoxelSize>& voxel,
                    const Backend& backend, const std::filesystem::path& output,
                    const AprWriteOptions& options = {}, const JobContext& context = {});

/// Converts some channels and time points of an image, read slice by slice, into one .apr, of which
/// no part is ever whole in memory: see convert_series_to_file(). Errors: those of open_slices(),
/// of that and of check_parts(); `output` is the image itself.
Result<std::vector<FileConversionReport>> convert_series(const FileConversion& how,
                                                         const SourceInfo& info,
                                                         std::span<const SourceSelection> parts,
                                                         const std::filesystem::path& output,
                                                         const JobContext& context = {});

}  // namespace aprscope

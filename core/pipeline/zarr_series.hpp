#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/io/common/source_info.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/part_maker.hpp"

namespace aprscope {

/// What OME-Zarr is to say of channels and time points of a file that steps were run on: the names
/// and colours of the file, its step of time, and its windows unless a step gives values of a range
/// of their own. `parts`: all channels that are written of one time point after the other, as
/// all_parts() has them.
OmeZarrSeries zarr_series(const SourceInfo& info, std::span<const SourceSelection> parts,
                          const std::vector<Operation>& steps);

/// Writes parts into one OME-Zarr, see write_ome_zarr(): `series` has as many places as there are
/// parts. Errors: also those of making a part, see in_part().
Status write_zarr_parts(const OmeZarrSeries& series, std::span<const SourceSelection> parts,
                        const MakePart& make, const std::filesystem::path& output,
                        OmeZarrVersion version, const JobContext& context = {});

/// How channels and time points of a file become OME-Zarr.
struct ZarrExport {
  /// Run on each; none: the data of the file.
  std::vector<Operation> steps;
  /// Channels of the file that other steps are run on.
  std::map<int, std::vector<Operation>> other_steps;
  /// Replaces that of the file.
  std::optional<VoxelSize> voxel;
  OmeZarrSeries series;
  OmeZarrVersion version = OmeZarrVersion::v04;
};

/// Writes what steps make of parts of a file, pixels or particles; those of one are in memory at a
/// time. Errors: those of execute_file() and write_zarr_parts(); `output` is the file itself.
Status write_zarr_series(const ZarrExport& how, const SourceInfo& info,
                         std::span<const SourceSelection> parts, const Backend& backend,
                         const std::filesystem::path& output, const JobContext& context = {});

}  // namespace aprscope

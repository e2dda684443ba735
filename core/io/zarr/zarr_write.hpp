#pragma once

#include <filesystem>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// 0.4 is Zarr 2, which most programs read; 0.5 is Zarr 3 with its chunks in few files.
enum class OmeZarrVersion { v04, v05 };

/// Whether a name ends in .zarr, whatever its case.
bool is_zarr_name(const std::filesystem::path& path);

/// Writes a folder of OME-Zarr (NGFF 0.4 or 0.5): axes c, z, y and x (of the file: x and y of the
/// program are its y and x), voxel size, unit, place, the channel's name, and a pyramid down to 64
/// pixels a side, each level the mean of up to 2³ pixels of the one before. Chunks of 64³, blosc
/// with zstd. An existing folder of this kind is replaced at the end. Errors (which leave what was
/// there): a file or another folder is there; those of the disk; cancelled.
Status write_ome_zarr(const Volume& volume, const std::filesystem::path& path,
                      OmeZarrVersion version = OmeZarrVersion::v04, const JobContext& context = {});

/// The main field of particles, constant in each cell; levels of the pyramid are those of the APR,
/// with the means of its tree. Integers are rounded to the nearest.
Status write_ome_zarr(const Apr& apr, const std::filesystem::path& path,
                      OmeZarrVersion version = OmeZarrVersion::v04, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/projections/projection_table.hpp"

namespace aprscope {

/// How samples are written: mode 2, 12 or 6.
enum class MrcSamples { f32, f16, u16 };

struct MrcWriteOptions {
  MrcSamples samples = MrcSamples::f32;
  /// Lines of up to 80 bytes for the header, nine at most, after the one that names this program:
  /// the recipe of a map.
  std::vector<std::string> labels;
};

/// Writes a map: MRC2014 (NVERSION 20141), little-endian, least, most, mean and deviation of the
/// values in the header, cell and ORIGIN in Å; a voxel size in pixels becomes a cell of 0, which
/// says that there is none. A temporary file is renamed over the target at the end. Errors: no
/// pixels, a side too long; values that f16 or u16 do not hold; the disk; cancelled.
Status write_mrc(const std::filesystem::path& path, const Volume& volume,
                 const MrcWriteOptions& options = {}, const JobContext& context = {});

/// The same of values that are no Volume, x fastest, `side`³ of them; `pixel_size` in Å, 0 or NaN
/// for none.
Status write_mrc_map(const std::filesystem::path& path, std::span<const float> values,
                     std::int64_t side, double pixel_size, const MrcWriteOptions& options = {},
                     const JobContext& context = {});

/// Fills images [first, first + out.size() / side²) of a stack.
using StackFiller = std::function<Status(std::int64_t first, std::span<float> out)>;

/// Writes a stack of `count` images (space group 0), asking for some at a time.
Status write_mrc_stack(const std::filesystem::path& path, std::int64_t side, std::int64_t count,
                       double pixel_size, const StackFiller& fill,
                       const MrcWriteOptions& options = {}, const JobContext& context = {});

/// Writes a table of projections as RELION 3.1 does: optics, then the rows that are enabled, with
/// columns that all rows have; without a defocus also usual values that RELION insists on where
/// they are unknown (300 kV, 2.7 mm, .1). Names of stacks are those of the table, relative to the
/// file where they lie in its folder or below. Weights other than 1 have no column there and are
/// left out. Errors: no rows; the disk.
Status write_star(const std::filesystem::path& path, const ProjectionTable& table);

/// Whether a name ends in .mrc, .map or .mrcs.
bool is_mrc_name(const std::filesystem::path& path);

}  // namespace aprscope

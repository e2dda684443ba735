#pragma once

#include <filesystem>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/zarr/zarr_chunk_write.hpp"
#include "core/io/zarr/zarr_group_write.hpp"

// Private to core/io: the levels of an image that is written as OME-Zarr.

namespace aprscope {

/// The arrays of a pyramid, the finest first.
struct ZarrPyramid {
  std::vector<ZarrArrayPlan> arrays;
  std::vector<ZarrFactors> factors;
};

/// Down to kZarrChunk pixels a side, below `finest.folder`; the other arrays are like `finest`.
ZarrPyramid zarr_pyramid(const ZarrArrayPlan& finest);

/// Writes all levels of one channel and time point and widens `range` by its values. The data have
/// the size and the kind of samples of the arrays. Errors: those of memory and of the disk;
/// cancelled.
Status write_zarr_part(const ZarrPyramid& pyramid, const ZarrPlace& place, const OmeZarrPart& part,
                       ZarrRange& range, const JobContext& context);

/// The kind of samples that values of particles are written as.
SampleKind zarr_kind(const Field& field);

}  // namespace aprscope

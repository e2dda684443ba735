#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/base/scratch.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Squares of distances, one a pixel in the order z, x, y. f32: whole numbers of pixels up to 2²⁴
/// are exact where voxels have whole sides, others to 1e-7 of themselves, which is less than any
/// threshold of a mask is known to; f64 would take as much memory again as all the rest.
using SquaredDistances = Scratch<float>;

/// The square of the Euclidean distance of each pixel's centre to that of the nearest pixel of a
/// mask (not zero), in the unit of `voxel`; infinite if the mask is empty. Outside the image is no
/// mask. Lower envelopes of parabolas, an axis after the other (Felzenszwalb and Huttenlocher
/// 2012); the same bytes for any number of threads. Errors: cancelled. Throws std::bad_alloc.
Result<SquaredDistances> squared_distances(std::span<const std::uint8_t> mask, const Size3& size,
                                           const VoxelSize& voxel, const JobContext& context = {});

/// Gives each pixel of `wanted` (not zero) the label of the nearest pixel that has one. `labels`:
/// one a pixel, 0: none, stays where there are no labels at all, and is read elsewhere before it is
/// written. Among equally near pixels the choice is always the same. Errors and throws: as
/// squared_distances().
Status spread_labels(std::vector<std::uint32_t>& labels, std::span<const std::uint8_t> wanted,
                     const Size3& size, const VoxelSize& voxel, const JobContext& context = {});

}  // namespace aprscope

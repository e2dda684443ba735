#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// The connected components of the particles whose `mask` (one value a particle) is not 0, one
/// label a particle, numbered in the order of their first pixel (z, x, y): the labels of the image
/// that particles make when each cell has its particle's value, voxel for voxel. Cells of any size
/// may meet. Takes about 2 bytes a particle beyond the labels where particles of a kind lie
/// together, at most 16. Equal for any number of threads. Errors: a mask of another length, more
/// particles than check_cell_count() allows, cancelled. Throws std::bad_alloc.
Result<Labels> label_particles(const AprAccess& access, std::span<const std::uint8_t> mask,
                               Connectivity connectivity, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/label_sums.hpp"

namespace aprscope {

/// The sums of all objects on particles and over the values of `channels` (one a particle) in them:
/// those that label_records() finds in the image that particles make when each cell has its
/// particle's label and values, from the cells themselves. Volumes, moments and grey values are
/// closed forms of each cell; strata, crossings and contacts those of the faces, edges and corners
/// of cells where labels differ. For u8 and u16 all is equal to the bit; for other types, which
/// have real sums, up to rounding. Cells of any size may meet. Equal for any number of threads.
/// Errors: labels or values of another number, an image or channel that cannot be counted,
/// cancelled. Throws std::bad_alloc.
Result<LabelRecords> particle_records(const AprAccess& access,
                                      std::span<const std::uint32_t> labels, std::uint32_t largest,
                                      std::span<const FieldValues* const> channels,
                                      const JobContext& context = {});

/// The records of particles some of whose labels changed, see updated_records(): the same bytes as
/// particle_records(), from the particles in and round the boxes of the labels that changed.
/// `largest`: of the labels now. Errors and exceptions as particle_records().
Result<LabelRecords> updated_particle_records(
    LabelRecords before, const AprAccess& access, std::span<const std::uint32_t> labels,
    std::uint32_t largest, std::span<const FieldValues* const> channels, const Region& box,
    std::span<const std::uint32_t> changed, const JobContext& context = {});

}  // namespace aprscope

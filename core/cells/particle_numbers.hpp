#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Labels of particles, and pixels of each label ([0] of none).
struct NumberedParticles {
  Labels labels;
  std::vector<std::int64_t> pixels;
};

/// The same objects with numbers from 1 on without gaps, in the order of their first pixel (z, x,
/// y), as renumbered() gives them on pixels; findings get the new numbers. Equal for any number of
/// threads. Errors: cancelled. Throws std::bad_alloc.
Result<NumberedParticles> numbered_particles(const AprAccess& access, Labels labels,
                                             const JobContext& context = {});

}  // namespace aprscope

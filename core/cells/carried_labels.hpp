#pragma once

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// The labels of pixels from those of particles: each pixel has that of the particle whose cell
/// holds it, also where its value is interpolated. Findings stay. Errors: cancelled. Throws
/// std::bad_alloc.
Result<Labels> pixel_labels(const AprAccess& access, const Labels& particles,
                            const JobContext& context = {});

/// The labels of particles from those of pixels: the label (or 0) that most pixels of the cell
/// have, of several the least. Objects that win no cell vanish with their findings. Equal for any
/// number of threads. Errors: labels of another size, cancelled. Throws std::bad_alloc.
Result<Labels> particle_labels(const AprAccess& access, const Labels& pixels,
                               const JobContext& context = {});

}  // namespace aprscope

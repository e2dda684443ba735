#pragma once

#include "core/dataset/dataset.hpp"
#include "core/image/level_set.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// The first half of fill_exterior on particles, from the particles themselves: labels equal to
/// those of their constant reconstruction. Leaks are not looked for, which takes distances of
/// pixels. Errors: an option that takes distances or slices of pixels, no membrane or nothing
/// enclosed, cancelled. Throws std::bad_alloc.
Result<std::shared_ptr<const Prepared>> fill_particle_cells(const Operation& operation,
                                                            LevelSets sets, const Dataset& input,
                                                            const JobContext& context);

/// The first half of "label" on particles: components of those that are not zero. Errors: all are
/// zero, cancelled. Throws std::bad_alloc.
Result<std::shared_ptr<const Prepared>> label_particle_mask(const Operation& operation,
                                                            const Dataset& input,
                                                            const JobContext& context);

}  // namespace aprscope

#pragma once

#include "core/dataset/dataset.hpp"
#include "core/image/level_set.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// What fill_exterior prepares of particles, from the particles themselves: labels equal to those
/// of their constant reconstruction. Whether cells leak is not looked at, which takes distances of
/// pixels. Errors: what takes distances or slices of pixels is asked for, there is no membrane or
/// nothing it encloses, cancelled. Throws std::bad_alloc.
Result<std::shared_ptr<const Prepared>> fill_particle_cells(const Operation& operation,
                                                            LevelSets sets, const Dataset& input,
                                                            const JobContext& context);

/// What label prepares of particles: components of those that are not zero. Errors: all are zero,
/// cancelled. Throws std::bad_alloc.
Result<std::shared_ptr<const Prepared>> label_particle_mask(const Operation& operation,
                                                            const Dataset& input,
                                                            const JobContext& context);

}  // namespace aprscope

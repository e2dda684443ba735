#pragma once

#include "core/image/level_set.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// Operations that tell objects from what is round them.
OperationType threshold_operation();

/// The step that makes the mask of a level set.
Operation threshold_step(const LevelSet& set);

}  // namespace aprscope

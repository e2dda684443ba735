#pragma once

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// "convert": a pixel image to particles.
OperationType convert_operation();
/// "reconstruct": particles to a pixel image.
OperationType reconstruct_operation();
/// "crop": a box of an image or of particles.
OperationType crop_operation();

}  // namespace aprscope

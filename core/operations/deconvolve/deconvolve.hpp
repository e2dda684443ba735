#pragma once

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// "deconvolve": Richardson–Lucy deconvolution of pixels and particles.
OperationType deconvolve_operation();

}  // namespace aprscope

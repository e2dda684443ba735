#pragma once

#include "core/image/region.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The operation that cuts out this box.
Operation crop_step(const Region& box);

}  // namespace aprscope

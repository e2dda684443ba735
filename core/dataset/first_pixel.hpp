#pragma once

#include <cstdint>

#include "core/apr/structure/linear_access.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// First pixel of the cell of particle `index`.
Index3 first_pixel(const LinearAccess& access, std::uint64_t index);

}  // namespace aprscope

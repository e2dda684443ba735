#pragma once

#include <string>

#include "core/io/common/source_info.hpp"

namespace aprscope {

/// What keeps a tile from becoming one image with the first one, in words ("samples of type f32",
/// "3 channels"); empty: nothing. Voxel sizes may differ by 1 %, as they are written with few
/// digits.
std::string tile_difference(const SourceInfo& first, const SourceInfo& tile);

}  // namespace aprscope

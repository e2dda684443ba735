#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/cells/basins.hpp"

namespace aprscope {

/// "z,x,y; z,x,y; …" in whole pixels: a marker a point, numbered from 1 in this order, sorted by
/// pixel. Errors: another text, a point outside the image, two points in one pixel.
Result<std::vector<FloodMarker>> markers_from_text(const std::string& text, const Size3& size);

}  // namespace aprscope

#pragma once

#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/cells/basins.hpp"

namespace aprscope {

/// A marker a point (z, x, y in pixels), numbered from 1 in this order, sorted by pixel. `where`
/// names their source in errors: a point outside the image, two points in one pixel.
Result<std::vector<FloodMarker>> markers_of(const std::vector<Index3>& points, const Size3& size,
                                            const std::string& where);

/// "z,x,y; z,x,y; …" in whole pixels, see markers_of(). Errors: another text; those of
/// markers_of().
Result<std::vector<FloodMarker>> markers_from_text(const std::string& text, const Size3& size);

}  // namespace aprscope

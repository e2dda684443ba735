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

/// Markers from "z,x,y; z,x,y; …" in whole pixels, see markers_of(). Errors: a text of another
/// form; those of markers_of().
Result<std::vector<FloodMarker>> markers_from_text(const std::string& text, const Size3& size);

/// Gives markers the numbers 1, 2, … in the order of their own, and returns those by the new ones,
/// with 0 for 0: flooding keeps a few bytes for each number up to the largest. Takes an eighth of a
/// byte for each number up to the largest.
std::vector<std::uint32_t> number_without_gaps(std::vector<FloodMarker>& markers);

}  // namespace aprscope

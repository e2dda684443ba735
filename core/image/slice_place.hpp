#pragma once

#include <cstdint>

#include "core/image/region.hpp"

namespace aprscope {

/// A slice perpendicular to an axis.
struct SlicePlace {
  Axis axis = Axis::z;
  std::int64_t index = 0;
  friend bool operator==(const SlicePlace&, const SlicePlace&) = default;
};

/// Slices [first, end) perpendicular to an axis, as far as they are in an image of this size.
Region region_of_slices(const Size3& size, Axis axis, std::int64_t first, std::int64_t end);
inline Region region_of_slice(const Size3& size, const SlicePlace& place) {
  return region_of_slices(size, place.axis, place.index, place.index + 1);
}

}  // namespace aprscope

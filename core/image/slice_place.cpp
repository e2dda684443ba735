#include "core/image/slice_place.hpp"

#include <algorithm>

namespace aprscope {

Region region_of_slices(const Size3& size, Axis axis, std::int64_t first, std::int64_t end) {
  Region region = whole(size);
  const auto cut = [&](std::int64_t& begin, std::int64_t& last) {
    last = std::clamp<std::int64_t>(end, 0, last);
    begin = std::clamp<std::int64_t>(first, 0, last);
  };
  switch (axis) {
    case Axis::z:
      cut(region.begin.z, region.end.z);
      break;
    case Axis::x:
      cut(region.begin.x, region.end.x);
      break;
    case Axis::y:
      cut(region.begin.y, region.end.y);
      break;
  }
  return region;
}

}  // namespace aprscope

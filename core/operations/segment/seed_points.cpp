#include "core/operations/segment/seed_points.hpp"

#include <algorithm>

#include "core/operations/segment/points_text.hpp"

namespace aprscope {

Result<std::vector<FloodMarker>> markers_of(const std::vector<Index3>& points, const Size3& size,
                                            const std::string& where) {
  std::vector<FloodMarker> markers;
  for (const Index3& p : points) {
    if (p.z < 0 || p.x < 0 || p.y < 0 || p.z >= size.z || p.x >= size.x || p.y >= size.y) {
      return Error{"the seed " + points_to_text({p}) + " lies outside the image of " +
                       std::to_string(size.z) + " × " + std::to_string(size.x) + " × " +
                       std::to_string(size.y) + " pixels",
                   where, "choose points inside; the first pixel is 0,0,0"};
    }
    markers.push_back(
        {(p.z * size.x + p.x) * size.y + p.y, static_cast<std::uint32_t>(markers.size() + 1)});
  }
  std::sort(markers.begin(), markers.end(),
            [](const FloodMarker& a, const FloodMarker& b) { return a.pixel < b.pixel; });
  const auto twice = std::adjacent_find(
      markers.begin(), markers.end(),
      [](const FloodMarker& a, const FloodMarker& b) { return a.pixel == b.pixel; });
  if (twice != markers.end()) {
    return Error{"seeds " + std::to_string(std::min(twice->number, (twice + 1)->number)) + " and " +
                     std::to_string(std::max(twice->number, (twice + 1)->number)) +
                     " are the same pixel",
                 where, "leave one out"};
  }
  return markers;
}

Result<std::vector<FloodMarker>> markers_from_text(const std::string& text, const Size3& size) {
  const auto points = points_from_text(text, "seeds");
  if (!points) return points.error();
  return markers_of(*points, size, "seeds");
}

}  // namespace aprscope

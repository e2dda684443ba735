#include "core/operations/segment/seed_points.hpp"

#include <algorithm>
#include <bit>

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

std::vector<std::uint32_t> number_without_gaps(std::vector<FloodMarker>& markers) {
  std::uint32_t largest = 0;
  for (const FloodMarker& one : markers) largest = std::max(largest, one.number);
  // A bit for each number, and how many are before each 64 of them.
  std::vector<std::uint64_t> met(largest / 64 + 1, 0);
  for (const FloodMarker& one : markers)
    met[one.number / 64] |= std::uint64_t{1} << one.number % 64;
  met[0] |= 1U;
  std::vector<std::uint32_t> before(met.size());
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < met.size(); ++i) {
    before[i] = static_cast<std::uint32_t>(numbers.size());
    for (std::uint64_t bits = met[i]; bits != 0; bits &= bits - 1) {
      numbers.push_back(static_cast<std::uint32_t>(64 * i) +
                        static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  for (FloodMarker& one : markers) {
    const std::uint64_t below = (std::uint64_t{1} << one.number % 64) - 1;
    one.number = before[one.number / 64] +
                 static_cast<std::uint32_t>(std::popcount(met[one.number / 64] & below));
  }
  return numbers;
}

}  // namespace aprscope

#include "core/operations/segment/seed_file.hpp"

#include <algorithm>
#include <array>

#include "core/base/atomic_file.hpp"
#include "core/io/label_read.hpp"
#include "core/operations/segment/point_table.hpp"
#include "core/operations/segment/seed_points.hpp"

namespace aprscope {
namespace {

// Later steps may keep a few bytes for each number up to the largest, so it is limited.
constexpr std::uint32_t kMostNumber = 1U << 26U;

Result<std::vector<FloodMarker>> from_table(const std::string& path, const Dataset& input) {
  const auto text = read_text(path);
  if (!text) return text.error();
  const std::array<double, 3> origin =
      input.is_apr() ? std::array<double, 3>{} : input.volume().origin;
  const Size3 size = input.size();
  const auto points = points_from_table(*text, input.voxel(), origin, size.z == 1, path);
  if (!points) return points.error();
  return markers_of(*points, size, path);
}

Result<std::vector<FloodMarker>> from_labels(const std::string& path, const Size3& size,
                                             const JobContext& context) {
  const auto labels = read_labels(path, size, {}, context);
  if (!labels) return labels.error();
  if (labels->largest == 0) {
    return Error{"has no seeds: all its pixels are 0", path,
                 "choose an image with a whole number for each seed"};
  }
  if (labels->largest > kMostNumber) {
    return Error{"numbers a seed " + std::to_string(labels->largest) + ", and seeds go up to " +
                     std::to_string(kMostNumber),
                 path, "number its objects from 1 on"};
  }
  const auto zeros = std::count(labels->values.begin(), labels->values.end(), 0U);
  std::vector<FloodMarker> markers;
  markers.reserve(labels->values.size() - static_cast<std::size_t>(zeros));
  for (std::size_t i = 0; i < labels->values.size(); ++i) {
    if (labels->values[i] == 0) continue;
    markers.push_back({static_cast<std::int64_t>(i), labels->values[i]});
  }
  return markers;
}

}  // namespace

Result<std::vector<FloodMarker>> markers_from_file(const std::string& path, const Dataset& input,
                                                   const JobContext& context) {
  return is_point_table(path) ? from_table(path, input) : from_labels(path, input.size(), context);
}

}  // namespace aprscope

#include "core/cells/background_cell.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/cells/particle_walls.hpp"
#include "core/cells/wall_signal.hpp"

namespace aprscope {
namespace {

constexpr double kNearlyAll = 0.99;

// What is seen of a label.
struct Seen {
  std::int64_t pixels = 0;
  double minimum = std::numeric_limits<double>::infinity();
};

double share_of_darkest(const std::vector<Seen>& all, double mean) {
  std::size_t dark = 0;
  std::int64_t largest = 0;
  std::int64_t pixels = 0;
  for (const Seen& one : all) {
    pixels += one.pixels;
    if (!(one.minimum < mean)) continue;
    ++dark;
    largest = std::max(largest, one.pixels);
  }
  if (dark == 0) return 0.0;
  const double share = static_cast<double>(largest) / static_cast<double>(pixels);
  const bool most_are_bright = dark <= std::max<std::size_t>(1, all.size() / 2);
  return most_are_bright || share > kNearlyAll ? share : 0.0;
}

}  // namespace

double background_share(const std::vector<LabelRow>& rows, const Size3& size) {
  std::vector<Seen> all;
  std::int64_t pixels = 0;
  double sum = 0.0;
  for (const LabelRow& row : rows) {
    if (row.intensities.empty()) return 0.0;
    all.push_back({row.voxels, row.intensities.front().minimum});
    pixels += row.voxels;
    sum += row.intensities.front().sum;
  }
  if (pixels != size.count()) return 0.0;
  return share_of_darkest(all, sum / static_cast<double>(pixels));
}

template <class T>
double background_share(const Pixels<T>& image, std::span<const std::uint32_t> labels) {
  std::unordered_map<std::uint32_t, Seen> found;
  double sum = 0.0;
  std::int64_t pixels = 0;
  // Neighbours along a row mostly have the same label.
  std::uint32_t last = 0;
  Seen* seen = nullptr;
  for (const std::int64_t row : wall_signal_rows(image.size)) {
    const auto start = static_cast<std::size_t>(row * image.size.y);
    for (std::size_t i = start; i < start + static_cast<std::size_t>(image.size.y); ++i) {
      if (labels[i] == 0) return 0.0;
      if (seen == nullptr || labels[i] != last) {
        last = labels[i];
        seen = &found[last];
      }
      const auto value = static_cast<double>(image.values[i]);
      sum += value;
      ++pixels;
      ++seen->pixels;
      seen->minimum = std::min(seen->minimum, value);
    }
  }
  std::vector<Seen> all;
  all.reserve(found.size());
  for (const auto& [label, one] : found) all.push_back(one);
  return share_of_darkest(all, sum / static_cast<double>(pixels));
}

double background_share(const AprAccess& access, std::span<const float> values,
                        std::span<const std::uint32_t> labels) {
  const Pixels<std::uint32_t> of_labels = particle_rows(access, labels);
  return background_share(particle_rows(access, values), of_labels.values);
}

template double background_share(const Pixels<std::uint8_t>&, std::span<const std::uint32_t>);
template double background_share(const Pixels<std::uint16_t>&, std::span<const std::uint32_t>);
template double background_share(const Pixels<float>&, std::span<const std::uint32_t>);

}  // namespace aprscope

#include "core/pipeline/surface_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

namespace aprscope {
namespace {

constexpr std::int64_t kLooks = std::int64_t{1} << 18;
constexpr double kLeftOut = 0.02;  // at each end

// Calls visit(i) for places in memory that are spread evenly over all rows and columns: steps of a
// golden section meet none of their periods.
template <class Visit>
void spread(std::int64_t count, const Visit& visit) {
  if (count <= kLooks) {
    for (std::int64_t i = 0; i < count; ++i) visit(i);
    return;
  }
  constexpr double kGolden = 0.6180339887498949;
  double at = 0.0;
  for (std::int64_t i = 0; i < kLooks; ++i) {
    at += kGolden;
    if (at >= 1.0) at -= 1.0;
    visit(std::min(count - 1, static_cast<std::int64_t>(at * static_cast<double>(count))));
  }
}

// Whether a pixel belongs to the set and one across a face does not; the border has none there.
template <class T>
bool on_surface(const Pixels<T>& pixels, const LevelSet& set, std::int64_t i) {
  const Size3& n = pixels.size;
  const auto kept = [&](std::int64_t at) {
    return set.contains(static_cast<double>(pixels.values[static_cast<std::size_t>(at)]));
  };
  if (!kept(i)) return false;
  const std::int64_t z = i / (n.x * n.y);
  const std::int64_t x = i / n.y % n.x;
  const std::int64_t y = i % n.y;
  const std::int64_t slice = n.x * n.y;
  return (z > 0 && !kept(i - slice)) || (z + 1 < n.z && !kept(i + slice)) ||
         (x > 0 && !kept(i - n.y)) || (x + 1 < n.x && !kept(i + n.y)) || (y > 0 && !kept(i - 1)) ||
         (y + 1 < n.y && !kept(i + 1));
}

// Takes the values at indices for which `wanted` is true.
template <class Wanted>
std::vector<float> values_at(const Volume& values, bool positive, const Wanted& wanted) {
  std::vector<float> found;
  std::visit(
      [&](const auto& pixels) {
        spread(pixels.size.count(), [&](std::int64_t i) {
          if (!wanted(i)) return;
          const auto value = static_cast<float>(pixels.values[static_cast<std::size_t>(i)]);
          if (std::isfinite(value) && (!positive || value > 0.0F)) found.push_back(value);
        });
      },
      values.pixels);
  return found;
}

}  // namespace

std::optional<Contrast> surface_range(const Dataset& shape, const LevelSet& set,
                                      const Dataset& values, bool positive) {
  if (values.is_apr() || !(values.size() == shape.size())) return std::nullopt;
  std::vector<float> found;
  if (!shape.is_apr()) {
    std::visit(
        [&](const auto& pixels) {
          found = values_at(values.volume(), positive,
                            [&](std::int64_t i) { return on_surface(pixels, set, i); });
        },
        shape.volume().pixels);
  }
  if (found.empty()) {
    found = values_at(values.volume(), positive, [](std::int64_t) { return true; });
  }
  if (found.empty()) return std::nullopt;
  const auto quantile = [&](double fraction) {
    const auto at =
        static_cast<std::ptrdiff_t>(std::lround(fraction * static_cast<double>(found.size() - 1)));
    std::nth_element(found.begin(), found.begin() + at, found.end());
    return static_cast<double>(found[static_cast<std::size_t>(at)]);
  };
  return Contrast{quantile(kLeftOut), quantile(1.0 - kLeftOut), 1.0};
}

}  // namespace aprscope

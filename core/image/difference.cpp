#include "core/image/difference.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

constexpr double kQuantile = 0.999;

}  // namespace

Plane difference(const Plane& a, const Plane& b) {
  Plane out;
  if (a.rows != b.rows || a.cols != b.cols || a.values.size() != b.values.size()) return out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.values.resize(a.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) out.values[i] = b.values[i] - a.values[i];
  return out;
}

Contrast symmetric_contrast(std::span<const float> differences) {
  std::vector<float> sizes;
  sizes.reserve(differences.size());
  std::size_t finite = 0;
  for (const float d : differences) {
    if (!std::isfinite(d)) continue;
    ++finite;
    if (d != 0.0F) sizes.push_back(std::abs(d));
  }
  if (sizes.empty()) return {-1.0, 1.0, 1.0};
  // The quantile over all values: zeros are its low end.
  const auto skip = static_cast<double>(finite) * (1.0 - kQuantile);
  const auto from_top = std::min(static_cast<std::size_t>(skip), sizes.size() - 1);
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() - 1 - from_top);
  std::nth_element(sizes.begin(), at, sizes.end());
  return {-static_cast<double>(*at), static_cast<double>(*at), 1.0};
}

Pixels<float> plane_image(const Plane& plane) {
  Pixels<float> image;
  image.size = {1, plane.rows, plane.cols};
  image.values = plane.values;
  return image;
}

}  // namespace aprscope

#include "core/cells/wall_signal.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace aprscope {
namespace {

// The most pixels that are looked at.
constexpr std::int64_t kMost = std::int64_t{1} << 22;
constexpr std::size_t kBins = 4096;
// From the median magnitude of normal deviates to their standard deviation.
constexpr double kNormal = 1.4826;

double noise_of(std::vector<float> magnitudes) {
  if (magnitudes.empty()) return 0.0;
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return kNormal * static_cast<double>(*middle) / std::sqrt(6.0);
}

// Otsu (1979): the cut of a histogram that leaves the least variance within both parts.
double contrast_of(const std::vector<float>& values) {
  if (values.empty()) return 0.0;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto from = static_cast<double>(*low);
  const double width = (static_cast<double>(*high) - from) / static_cast<double>(kBins);
  if (!(width > 0.0)) return 0.0;
  std::vector<double> count(kBins, 0.0);
  std::vector<double> sum(kBins, 0.0);
  double all = 0.0;
  for (const float value : values) {
    const double v = static_cast<double>(value) - from;
    const auto bin = std::min(kBins - 1, static_cast<std::size_t>(v / width));
    count[bin] += 1.0;
    sum[bin] += v;
    all += v;
  }
  const auto n = static_cast<double>(values.size());
  double below = 0.0;
  double below_sum = 0.0;
  double best = -1.0;
  double contrast = 0.0;
  for (std::size_t bin = 0; bin + 1 < kBins; ++bin) {
    below += count[bin];
    below_sum += sum[bin];
    if (below == 0.0 || below == n) continue;
    const double apart = (all - below_sum) / (n - below) - below_sum / below;
    const double between = below * (n - below) * apart * apart;
    if (between <= best) continue;
    best = between;
    contrast = apart;
  }
  return contrast;
}

}  // namespace

std::vector<std::int64_t> wall_signal_rows(const Size3& size) {
  const std::int64_t rows = size.z * size.x;
  std::vector<std::int64_t> out;
  if (rows == 0 || size.y == 0) return out;
  // No row of more than this, and as many rows as there is room for.
  const std::int64_t wanted = std::clamp<std::int64_t>(kMost / std::min(size.y, kMost), 1, rows);
  for (std::int64_t k = 0; k < wanted; ++k) {
    // rows · k may be large, but k is below 2^22.
    out.push_back(rows / wanted * k + (rows % wanted) * k / wanted);
  }
  return out;
}

template <class T>
WallSignal wall_signal(const Pixels<T>& image) {
  const std::int64_t length = std::min(image.size.y, kMost);
  std::vector<float> values;
  std::vector<float> magnitudes;
  for (const std::int64_t r : wall_signal_rows(image.size)) {
    const T* row = image.values.data() + r * image.size.y;
    for (std::int64_t y = 0; y < length; ++y) {
      const auto here = static_cast<float>(row[y]);
      if (!std::isfinite(here)) continue;
      values.push_back(here);
      if (y == 0 || y + 1 >= length) continue;
      const float bend =
          std::abs(static_cast<float>(row[y - 1]) - 2.0F * here + static_cast<float>(row[y + 1]));
      if (std::isfinite(bend)) magnitudes.push_back(bend);
    }
  }
  return {noise_of(std::move(magnitudes)), contrast_of(values)};
}

template WallSignal wall_signal(const Pixels<std::uint8_t>&);
template WallSignal wall_signal(const Pixels<std::uint16_t>&);
template WallSignal wall_signal(const Pixels<float>&);

}  // namespace aprscope

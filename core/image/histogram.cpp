#include "core/image/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Range of the finite values, and whether all of them are whole numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool whole = true;
};

template <class T>
Range range_of(std::span<const T> values) {
  Range all;
  std::mutex joining;
  const auto n = static_cast<std::int64_t>(values.size());
  parallel_stretches(n, threads_for(n), [&](std::int64_t begin, std::int64_t end, int) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    bool whole = true;
    for (std::int64_t i = begin; i < end; ++i) {
      const double v = static_cast<double>(values[static_cast<std::size_t>(i)]);
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
      whole = whole && v == std::floor(v);
    }
    const std::lock_guard lock(joining);
    all.low = std::min(all.low, low);
    all.high = std::max(all.high, high);
    all.whole = all.whole && whole;
  });
  return all;
}

template <class T>
Histogram count(std::span<const T> values, int bins, std::span<const float> weights) {
  Histogram out;
  const Range range = range_of(values);
  if (!(range.low <= range.high)) {
    out.bins.assign(1, 0);
    return out;
  }
  out.minimum = range.low;
  out.maximum = range.high;
  const double width = range.high - range.low;
  const bool one_bin_a_value = range.whole && width < bins;
  const std::size_t n_bins = width == 0        ? 1
                             : one_bin_a_value ? static_cast<std::size_t>(width) + 1
                                               : static_cast<std::size_t>(std::max(1, bins));
  const double scale =
      width == 0 ? 0.0 : static_cast<double>(n_bins - (one_bin_a_value ? 1 : 0)) / width;
  out.bins.assign(n_bins, 0);
  const auto n = static_cast<std::int64_t>(values.size());
  std::mutex joining;
  parallel_stretches(n, threads_for(n), [&](std::int64_t begin, std::int64_t end, int) {
    std::vector<std::uint64_t> mine(n_bins, 0);
    for (std::int64_t i = begin; i < end; ++i) {
      const double v = static_cast<double>(values[static_cast<std::size_t>(i)]);
      if (!std::isfinite(v)) continue;
      const auto bin = std::min(n_bins - 1, static_cast<std::size_t>((v - range.low) * scale));
      mine[bin] +=
          weights.empty() ? 1 : static_cast<std::uint64_t>(weights[static_cast<std::size_t>(i)]);
    }
    const std::lock_guard lock(joining);
    for (std::size_t b = 0; b < n_bins; ++b) out.bins[b] += mine[b];
  });
  for (const auto b : out.bins) out.count += b;
  return out;
}

}  // namespace

double Histogram::quantile(double fraction) const {
  if (count == 0) return minimum;
  const double wanted = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count);
  const double width = (maximum - minimum) / static_cast<double>(bins.size());
  double below = 0.0;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const auto here = static_cast<double>(bins[b]);
    if (here > 0 && below + here >= wanted) {
      return minimum + width * (static_cast<double>(b) + (wanted - below) / here);
    }
    below += here;
  }
  return maximum;
}

Histogram histogram(std::span<const float> values, int bins, std::span<const float> weights) {
  return count(values, bins, weights);
}

Histogram histogram(const Volume& volume, int bins) {
  return std::visit(
      [&]<class T>(const Pixels<T>& p) { return count(std::span<const T>(p.values), bins, {}); },
      volume.pixels);
}

Contrast automatic_contrast(const Histogram& h) {
  Contrast contrast{h.quantile(0.01), h.quantile(0.999), 1.0};
  // Nearly empty images have all their content in the last tenth of a percent.
  if (!(contrast.high > contrast.low)) contrast = {h.minimum, h.maximum, 1.0};
  if (!(contrast.high > contrast.low)) contrast.high = contrast.low + 1.0;
  return contrast;
}

}  // namespace aprscope

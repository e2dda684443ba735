#include "core/deconvolution/iterate/camera_offset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace aprscope {
namespace {

constexpr double kShare = 0.005;
constexpr unsigned kHalf = 16;
constexpr std::size_t kBins = std::size_t{1} << kHalf;

// Whole numbers in the order of the floats.
std::uint32_t key_of(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
float value_of(std::uint32_t key) {
  return std::bit_cast<float>((key & 0x80000000U) != 0 ? key & 0x7FFFFFFFU : ~key);
}

// The first bin up to which `wanted` is reached; what is missing after the bins before it stays in
// `wanted`.
std::uint32_t bin_at(const std::vector<double>& bins, double& wanted) {
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < kBins; ++i) {
    if (bins[i] <= 0.0) continue;
    last = i;
    if (bins[i] >= wanted) break;
    wanted -= bins[i];
  }
  return last;
}

// Counts of pixels are whole, so that sums of them are exact in any order.
double wanted_of(double pixels) { return std::max(1.0, std::ceil(kShare * pixels)); }

template <class T>
double of_integers(std::span<const T> values) {
  if (values.empty()) return 0.0;
  std::vector<double> bins(kBins);
  for (const T v : values) bins[v] += 1.0;
  double wanted = wanted_of(static_cast<double>(values.size()));
  return bin_at(bins, wanted);
}

}  // namespace

double guess_offset(std::span<const std::uint8_t> values) { return of_integers(values); }
double guess_offset(std::span<const std::uint16_t> values) { return of_integers(values); }

double guess_offset(std::span<const float> values, std::span<const WeightRun> weights) {
  const WeightRun one{values.size(), 1.0};
  if (weights.empty()) weights = {&one, 1};
  const auto each = [&](const auto& item) {
    std::size_t i = 0;
    for (const WeightRun& run : weights) {
      for (; i < std::min<std::size_t>(run.end, values.size()); ++i) {
        if (std::isfinite(values[i])) item(key_of(values[i]), run.weight);
      }
    }
  };
  // Finds the key in two passes: first its upper half, then its lower half among keys of that bin.
  // This is exact, and takes no more memory than the bins.
  std::vector<double> bins(kBins);
  double pixels = 0.0;
  each([&](std::uint32_t key, double weight) {
    bins[key >> kHalf] += weight;
    pixels += weight;
  });
  if (!(pixels > 0.0)) return 0.0;
  double wanted = wanted_of(pixels);
  const std::uint32_t upper = bin_at(bins, wanted);
  std::fill(bins.begin(), bins.end(), 0.0);
  each([&](std::uint32_t key, double weight) {
    if (key >> kHalf == upper) bins[key & (kBins - 1)] += weight;
  });
  const float guess = value_of(upper << kHalf | bin_at(bins, wanted));
  return std::max(0.0, static_cast<double>(guess));
}

}  // namespace aprscope

#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace aprscope {

/// A counter-based random generator (SplitMix64, Steele et al. 2014): value i of stream s does not
/// depend on any other, so threads may draw in any order.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, std::uint64_t stream)
      : key_(mix(seed * 0x9E3779B97F4A7C15ULL + mix(stream))) {}

  /// Value i, uniform in [0, 1).
  [[nodiscard]] double uniform(std::uint64_t i) const {
    return static_cast<double>(mix(key_ + i * 0x9E3779B97F4A7C15ULL) >> 11U) * 0x1.0p-53;
  }

  /// Value i, standard normal (Box–Muller).
  [[nodiscard]] double normal(std::uint64_t i) const {
    const double u = 1.0 - uniform(2 * i);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * uniform(2 * i + 1));
  }

 private:
  static std::uint64_t mix(std::uint64_t v) {
    v = (v ^ (v >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    v = (v ^ (v >> 27U)) * 0x94D049BB133111EBULL;
    return v ^ (v >> 31U);
  }
  std::uint64_t key_;
};

}  // namespace aprscope

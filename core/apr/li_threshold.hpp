#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/apr/parallel.hpp"

namespace aprscope::detail {

/// Values ≥ 0 by the upper half of their bits, which holds one exponent each, so that the values of
/// a bin are added as integers: exactly, in any order.
class ValueBins {
 public:
  static constexpr std::size_t kBins = std::size_t{1} << 15U;

  ValueBins() : count_(kBins, 0), low_(kBins, 0) {}

  static std::uint32_t bits(float v) {
    std::uint32_t b = 0;
    std::memcpy(&b, &v, sizeof b);
    return b;
  }
  static std::size_t bin(float v) { return bits(v) >> 16U; }

  void add(std::size_t b, std::uint64_t count, std::uint64_t low) {
    count_[b] += count;
    low_[b] += low;
  }
  [[nodiscard]] std::uint64_t count(std::size_t b) const { return count_[b]; }
  /// Sum of the values of a bin.
  [[nodiscard]] double sum(std::size_t b) const {
    const auto exponent = static_cast<int>(b >> 7U);
    const std::uint64_t upper = (b & 0x7FU) << 16U;
    const std::uint64_t implicit = exponent > 0 ? std::uint64_t{1} << 23U : 0;
    return std::ldexp(static_cast<double>(count_[b] * (implicit | upper) + low_[b]),
                      std::max(exponent, 1) - 150);
  }

 private:
  std::vector<std::uint64_t> count_, low_;
};

/// Li's threshold of values that are visited in chunks: for_chunk(c, visit) calls visit(value) for
/// the values of chunk c, 0 ≤ c < chunks, each of fewer than 2^22 values ≥ 0.
template <class ForChunk>
float li_threshold_of(std::int64_t chunks, int threads, const ForChunk& for_chunk) {
  constexpr std::size_t kBins = ValueBins::kBins;
  ValueBins bins;
  float smallest = std::numeric_limits<float>::infinity();
  float largest = 0.0F;
#pragma omp parallel num_threads(threads) reduction(min : smallest) reduction(max : largest)
  {
    // Count in the upper 24 bits, sum of the low halves below.
    std::vector<std::uint64_t> own(kBins, 0);
    std::int64_t held = 0;
    const auto flush = [&] {
#pragma omp critical(aprscope_li_threshold)
      for (std::size_t b = 0; b < kBins; ++b) {
        if (own[b] != 0) bins.add(b, own[b] >> 40U, own[b] & ((std::uint64_t{1} << 40U) - 1));
      }
      std::fill(own.begin(), own.end(), 0);
      held = 0;
    };
#pragma omp for schedule(static)
    for (std::int64_t c = 0; c < chunks; ++c) {
      std::uint64_t* const to = own.data();
      std::int64_t n = 0;
      for_chunk(c, [&](float v) {
        const std::uint32_t b = ValueBins::bits(v);
        to[b >> 16U] += (std::uint64_t{1} << 40U) + (b & 0xFFFFU);
        smallest = std::min(smallest, v);
        largest = std::max(largest, v);
        ++n;
      });
      held += n;
      if (held > (std::int64_t{1} << 22U)) flush();
    }
    flush();
  }
  // Values above the bins, from the highest one down.
  std::vector<std::uint64_t> above_count(kBins + 1, 0);
  std::vector<double> above_sum(kBins + 1, 0.0);
  for (std::size_t b = kBins; b-- > 0;) {
    above_count[b] = above_count[b + 1] + bins.count(b);
    above_sum[b] = above_sum[b + 1] + (bins.count(b) > 0 ? bins.sum(b) : 0.0);
  }
  const std::uint64_t n = above_count[0];
  if (n == 0) return 0.0F;
  if (smallest == largest) return smallest;
  const double all = above_sum[0];

  // Iterates with partial(bin, threshold, count, sum), which adds the values of one bin above the
  // threshold; stops early when that gives false.
  const auto iterate = [&](const auto& partial) -> std::pair<bool, float> {
    auto threshold = static_cast<float>(all / static_cast<double>(n));
    std::uint64_t last = n + 1;
    // The cross-entropy falls at each step, so the loop ends; the limit guards against ties.
    for (int round = 0; round < 1000; ++round) {
      const std::size_t b = ValueBins::bin(threshold);
      std::uint64_t count = above_count[b + 1];
      double sum = above_sum[b + 1];
      if (!partial(b, threshold, count, sum)) return {false, threshold};
      if (count == last || count == 0 || count == n) break;
      last = count;
      const double fore = sum / static_cast<double>(count);
      const double back = (all - sum) / static_cast<double>(n - count);
      if (!(back > 0.0)) break;
      threshold = static_cast<float>((fore - back) / (std::log(fore) - std::log(back)));
    }
    return {true, threshold};
  };

  // A first run that takes the values of a bin as spread evenly tells which bins matter; a second
  // one looks at their values.
  std::vector<std::uint8_t> wanted(kBins, 0);
  iterate([&](std::size_t b, float threshold, std::uint64_t& count, double& sum) {
    wanted[b] = 1;
    const double share = 1.0 - static_cast<double>(ValueBins::bits(threshold) & 0xFFFFU) / 65536.0;
    const auto part = static_cast<std::uint64_t>(share * static_cast<double>(bins.count(b)));
    count += part;
    sum += static_cast<double>(part) * static_cast<double>(threshold);
    return true;
  });
  std::vector<std::vector<float>> values(kBins);
  std::vector<std::uint8_t> known(kBins, 0);
  for (;;) {
#pragma omp parallel num_threads(threads)
    {
      std::vector<float> own;
#pragma omp for schedule(static)
      for (std::int64_t c = 0; c < chunks; ++c) {
        for_chunk(c, [&](float v) {
          if (wanted[ValueBins::bin(v)] != 0) own.push_back(v);
        });
      }
#pragma omp critical(aprscope_li_threshold)
      for (const float v : own) values[ValueBins::bin(v)].push_back(v);
    }
    for (std::size_t b = 0; b < kBins; ++b) known[b] |= std::exchange(wanted[b], 0);
    const auto [done, threshold] =
        iterate([&](std::size_t b, float t, std::uint64_t& count, double& sum) {
          if (known[b] == 0) {
            wanted[b] = 1;
            return false;
          }
          // All values of a bin have one exponent: their sum is exact in double.
          double part = 0.0;
          for (const float v : values[b]) {
            count += v > t ? 1 : 0;
            part += v > t ? static_cast<double>(v) : 0.0;
          }
          sum += part;
          return true;
        });
    if (done) return threshold;
  }
}

}  // namespace aprscope::detail

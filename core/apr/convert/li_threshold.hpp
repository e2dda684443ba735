#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"

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

/// Li's iteration over values that are known by their bins. `partial(bin, threshold, count, sum)`
/// adds the values of one bin that lie above the threshold, or gives false to stop early.
class LiSearch {
 public:
  LiSearch(const ValueBins& bins, float smallest, float largest)
      : bins_(bins),
        smallest_(smallest),
        largest_(largest),
        above_count_(ValueBins::kBins + 1, 0),
        above_sum_(ValueBins::kBins + 1, 0.0) {
    // Values above the bins, from the highest one down.
    for (std::size_t b = ValueBins::kBins; b-- > 0;) {
      above_count_[b] = above_count_[b + 1] + bins.count(b);
      above_sum_[b] = above_sum_[b + 1] + (bins.count(b) > 0 ? bins.sum(b) : 0.0);
    }
  }

  /// The threshold where it is plain: no values, or all equal.
  [[nodiscard]] std::optional<float> plain() const {
    if (above_count_[0] == 0) return 0.0F;
    if (smallest_ == largest_) return smallest_;
    return std::nullopt;
  }

  /// Whether it came to an end, and the threshold then.
  template <class Partial>
  std::pair<bool, float> iterate(const Partial& partial) const {
    const std::uint64_t n = above_count_[0];
    const double all = above_sum_[0];
    auto threshold = static_cast<float>(all / static_cast<double>(n));
    std::uint64_t last = n + 1;
    // The cross-entropy falls at each step, so the loop ends; the limit guards against ties.
    for (int round = 0; round < 1000; ++round) {
      const std::size_t b = ValueBins::bin(threshold);
      std::uint64_t count = above_count_[b + 1];
      double sum = above_sum_[b + 1];
      if (!partial(b, threshold, count, sum)) return {false, threshold};
      if (count == last || count == 0 || count == n) break;
      last = count;
      const double fore = sum / static_cast<double>(count);
      const double back = (all - sum) / static_cast<double>(n - count);
      if (!(back > 0.0)) break;
      threshold = static_cast<float>((fore - back) / (std::log(fore) - std::log(back)));
    }
    return {true, threshold};
  }

  /// The bins that matter if the values of a bin are spread evenly: a first guess.
  [[nodiscard]] std::vector<std::uint8_t> guess() const {
    std::vector<std::uint8_t> wanted(ValueBins::kBins, 0);
    iterate([&](std::size_t b, float threshold, std::uint64_t& count, double& sum) {
      wanted[b] = 1;
      const double share =
          1.0 - static_cast<double>(ValueBins::bits(threshold) & 0xFFFFU) / 65536.0;
      const auto part = static_cast<std::uint64_t>(share * static_cast<double>(bins_.count(b)));
      count += part;
      sum += static_cast<double>(part) * static_cast<double>(threshold);
      return true;
    });
    return wanted;
  }

 private:
  const ValueBins& bins_;
  float smallest_, largest_;
  std::vector<std::uint64_t> above_count_;
  std::vector<double> above_sum_;
};

/// Li's thresholds of N quantities of the same samples, which are visited in chunks: for_chunk(c,
/// visit) calls visit(values) with an array of N values ≥ 0 for each sample of chunk c, 0 ≤ c <
/// chunks, of which there are fewer than 2^22.
template <std::size_t N, class ForChunk>
std::array<float, N> li_thresholds_of(std::int64_t chunks, int threads, const ForChunk& for_chunk) {
  constexpr std::size_t kBins = ValueBins::kBins;
  using Sample = std::array<float, N>;
  std::array<ValueBins, N> bins;
  Sample smallest;
  Sample largest;
  smallest.fill(std::numeric_limits<float>::infinity());
  largest.fill(0.0F);
  std::mutex joining;
  parallel_stretches(chunks, threads, [&](std::int64_t begin, std::int64_t end, int) {
    // Count in the upper 24 bits, sum of the low halves below.
    std::vector<std::uint64_t> own(N * kBins, 0);
    // Least and largest values of this thread alone: others may write to `smallest` already.
    Sample least;
    Sample most;
    least.fill(std::numeric_limits<float>::infinity());
    most.fill(0.0F);
    std::int64_t held = 0;
    const auto flush = [&] {
      const std::lock_guard lock(joining);
      for (std::size_t q = 0; q < N; ++q) {
        for (std::size_t b = 0; b < kBins; ++b) {
          const std::uint64_t sum = own[q * kBins + b];
          if (sum != 0) bins[q].add(b, sum >> 40U, sum & ((std::uint64_t{1} << 40U) - 1));
        }
        smallest[q] = std::min(smallest[q], least[q]);
        largest[q] = std::max(largest[q], most[q]);
      }
      std::fill(own.begin(), own.end(), 0);
      held = 0;
    };
    for (std::int64_t c = begin; c < end; ++c) {
      std::uint64_t* const to = own.data();
      std::int64_t n = 0;
      // Local copies, so that they stay in registers for the length of a chunk.
      Sample low = least;
      Sample high = most;
      for_chunk(c, [&](const Sample& values) {
        for (std::size_t q = 0; q < N; ++q) {
          const std::uint32_t b = ValueBins::bits(values[q]);
          to[q * kBins + (b >> 16U)] += (std::uint64_t{1} << 40U) + (b & 0xFFFFU);
          low[q] = std::min(low[q], values[q]);
          high[q] = std::max(high[q], values[q]);
        }
        ++n;
      });
      least = low;
      most = high;
      held += n;
      if (held > (std::int64_t{1} << 22U)) flush();
    }
    flush();
  });
  // A first run that takes the values of a bin as spread evenly tells which bins matter; a second
  // one looks at their values.
  Sample out{};
  std::array<bool, N> done{};
  std::vector<std::uint8_t> wanted(N * kBins, 0);
  std::vector<LiSearch> searches;
  for (std::size_t q = 0; q < N; ++q) {
    searches.emplace_back(bins[q], smallest[q], largest[q]);
    if (const auto plain = searches[q].plain()) {
      out[q] = *plain;
      done[q] = true;
    } else {
      const std::vector<std::uint8_t> guess = searches[q].guess();
      std::copy(guess.begin(), guess.end(),
                wanted.begin() + static_cast<std::ptrdiff_t>(q * kBins));
    }
  }
  std::vector<std::vector<float>> values(N * kBins);
  std::vector<std::uint8_t> known(N * kBins, 0);
  while (!std::all_of(done.begin(), done.end(), [](bool d) { return d; })) {
    parallel_stretches(chunks, threads, [&](std::int64_t begin, std::int64_t end, int) {
      std::array<std::vector<float>, N> own;
      for (std::int64_t c = begin; c < end; ++c) {
        const std::uint8_t* const asked = wanted.data();
        for_chunk(c, [&](const Sample& sample) {
          for (std::size_t q = 0; q < N; ++q) {
            if (asked[q * kBins + ValueBins::bin(sample[q])] != 0) own[q].push_back(sample[q]);
          }
        });
      }
      const std::lock_guard lock(joining);
      for (std::size_t q = 0; q < N; ++q) {
        for (const float v : own[q]) values[q * kBins + ValueBins::bin(v)].push_back(v);
      }
    });
    for (std::size_t b = 0; b < N * kBins; ++b) known[b] |= std::exchange(wanted[b], 0);
    for (std::size_t q = 0; q < N; ++q) {
      if (done[q]) continue;
      std::tie(done[q], out[q]) =
          searches[q].iterate([&](std::size_t b, float t, std::uint64_t& count, double& sum) {
            if (known[q * kBins + b] == 0) {
              wanted[q * kBins + b] = 1;
              return false;
            }
            // All values of a bin have one exponent: their sum is exact in double.
            double part = 0.0;
            for (const float v : values[q * kBins + b]) {
              count += v > t ? 1 : 0;
              part += v > t ? static_cast<double>(v) : 0.0;
            }
            sum += part;
            return true;
          });
    }
  }
  return out;
}

}  // namespace aprscope::detail

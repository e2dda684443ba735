#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/parallel.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Statistics of a set of values, each counted as often as its weight says. Values that are not
/// finite are only counted. Without values: NaN.
struct Summary {
  std::uint64_t count = 0;
  std::uint64_t not_finite = 0;
  double minimum = std::numeric_limits<double>::quiet_NaN();
  double maximum = std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  double mean = std::numeric_limits<double>::quiet_NaN();
  /// Standard deviation of the values (of the population: division by their count).
  double deviation = std::numeric_limits<double>::quiet_NaN();
  /// For each fraction that was asked for: the least value that at least this part of the values do
  /// not exceed (the inverse of the empirical distribution; exact, no interpolation).
  std::vector<double> quantiles;
};

/// Counts in bins of equal width: bin i holds begin + i · width ≤ v < begin + (i + 1) · width; the
/// last one also the maximum.
struct BinCounts {
  double begin = 0.0;
  double width = 0.0;
  std::vector<std::uint64_t> counts;
};

namespace summary {

// Keys of 32 bits that are ordered as the values are. For integers the upper half is the value.
inline std::uint32_t key_of(std::uint8_t v) { return static_cast<std::uint32_t>(v) << 16U; }
inline std::uint32_t key_of(std::uint16_t v) { return static_cast<std::uint32_t>(v) << 16U; }
inline std::uint32_t key_of(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  constexpr std::uint32_t kSign = 0x80000000U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
template <class T>
double value_of(std::uint32_t key) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<double>(key >> 16U);
  } else {
    constexpr std::uint32_t kSign = 0x80000000U;
    return std::bit_cast<float>((key & kSign) != 0 ? key & ~kSign : ~key);
  }
}

constexpr std::size_t kHalf = 1U << 16U;
constexpr std::uint8_t kNone = 0xFF;

// The bin of counts in which a fraction of the values is reached, and the count before it.
struct Reached {
  std::size_t bin = 0;
  std::uint64_t before = 0;
};
inline Reached reach(std::span<const std::uint64_t> counts, std::uint64_t rank) {
  Reached at;
  while (at.bin + 1 < counts.size() && at.before + counts[at.bin] < rank) {
    at.before += counts[at.bin++];
  }
  return at;
}

// Calls work(block, thread) for all blocks of a source; of one that is brought into memory in
// parts, part after part, as far as it can be.
template <class Source, class Work>
void for_blocks(Source& source, int threads, const Work& work) {
  const std::int64_t blocks = source.blocks();
  if constexpr (requires { source.bring(std::int64_t{}); }) {
    for (std::int64_t first = 0; first < blocks;) {
      const std::int64_t end = source.bring(first);
      if (end <= first) return;
      parallel_each(end - first, threads,
                    [&](std::int64_t i, int thread) { work(first + i, thread); });
      first = end;
    }
  } else {
    parallel_each(blocks, threads, work);
  }
}

}  // namespace summary

/// Of all values of a source, which is of
///   using Value = std::uint8_t | std::uint16_t | float;
///   std::int64_t blocks() const;
///   void each(block, f) const: calls f(std::span<const Value>, const std::uint64_t* weights) for
///     the pieces of a block in order; null: each value counts once.
/// and, where it is not in memory,
///   std::int64_t bring(first): brings blocks from `first` on and returns where they end; `first`
///     itself where it has failed: what summarize() returns is of no use then.
/// Every number is the same for any number of threads. `bins`: at most so many, in `histogram`, if
/// that is asked for; where all values are integers (`whole`) a bin holds as many grey values as
/// the next, one where they suffice. `fractions`: at most 200 numbers from 0 to 1. Reads the values
/// twice. Errors: cancelled. Throws std::bad_alloc.
template <class Source>
Result<Summary> summarize(Source& source, std::span<const double> fractions, bool whole, int bins,
                          BinCounts* histogram, const JobContext& context = {}) {
  using T = typename Source::Value;
  struct Part {
    std::uint64_t count = 0;
    std::uint64_t not_finite = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double sum = 0.0;
    double squares = 0.0;
  };
  const std::int64_t blocks = source.blocks();
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, thread_count()));
  std::vector<Part> parts(static_cast<std::size_t>(blocks));
  std::vector<std::vector<std::uint64_t>> coarse(static_cast<std::size_t>(threads));
  const auto finite = [](T v) {
    if constexpr (std::is_integral_v<T>) {
      return true;
    } else {
      return std::isfinite(v);
    }
  };
  std::atomic<std::int64_t> seen{0};
  const auto tell = [&] {
    context.report(static_cast<double>(++seen) / (2.0 * static_cast<double>(blocks)), "values");
  };
  summary::for_blocks(source, threads, [&](std::int64_t block, int thread) {
    if (context.stop_requested()) return;
    auto& counts = coarse[static_cast<std::size_t>(thread)];
    if (counts.empty()) counts.resize(summary::kHalf);
    Part part;
    source.each(block, [&](std::span<const T> values, const std::uint64_t* weights) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const T v = values[i];
        const std::uint64_t w = weights != nullptr ? weights[i] : 1;
        if (!finite(v)) {
          part.not_finite += w;
          continue;
        }
        part.count += w;
        const auto real = static_cast<double>(v);
        part.sum += real * static_cast<double>(w);
        part.least = std::min(part.least, w > 0 ? real : part.least);
        part.most = std::max(part.most, w > 0 ? real : part.most);
        counts[summary::key_of(v) >> 16U] += w;
      }
    });
    parts[static_cast<std::size_t>(block)] = part;
    tell();
  });
  if (context.stop_requested()) return cancelled_error();

  Summary out;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const Part& part : parts) {
    out.count += part.count;
    out.not_finite += part.not_finite;
    out.sum += part.sum;
    least = std::min(least, part.least);
    most = std::max(most, part.most);
  }
  out.quantiles.assign(fractions.size(), std::numeric_limits<double>::quiet_NaN());
  if (out.count == 0) return out;
  out.minimum = least;
  out.maximum = most;
  out.mean = out.sum / static_cast<double>(out.count);

  std::vector<std::uint64_t> upper(summary::kHalf);
  for (const auto& counts : coarse) {
    for (std::size_t i = 0; i < counts.size(); ++i) upper[i] += counts[i];
  }
  coarse.clear();
  // The upper halves that hold a quantile: the lower halves of their values are counted next.
  std::vector<std::uint8_t> slot(summary::kHalf, summary::kNone);
  std::vector<summary::Reached> reached;
  std::vector<std::uint64_t> ranks;
  std::size_t slots = 0;
  for (const double fraction : fractions) {
    const double wanted = std::ceil(fraction * static_cast<double>(out.count));
    ranks.push_back(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, out.count));
    reached.push_back(summary::reach(upper, ranks.back()));
    std::uint8_t& of_bin = slot[reached.back().bin];
    if (of_bin == summary::kNone) of_bin = static_cast<std::uint8_t>(slots++);
  }
  const bool halves = !std::is_integral_v<T>;
  BinCounts bars;
  if (histogram != nullptr) {
    const double range = most - least;
    bars.begin = least;
    bars.width = whole ? std::max(1.0, std::ceil((range + 1.0) / bins)) : range / bins;
    const double needed =
        bars.width > 0.0 ? std::floor(range / bars.width) + (whole ? 1.0 : 0.0) : 1.0;
    bars.counts.resize(
        static_cast<std::size_t>(std::clamp(needed, 1.0, static_cast<double>(bins))));
  }
  const double scale = bars.width > 0.0 ? 1.0 / bars.width : 0.0;
  const auto last = static_cast<double>(bars.counts.empty() ? 0 : bars.counts.size() - 1);
  std::vector<std::vector<std::uint64_t>> fine(static_cast<std::size_t>(threads));
  std::vector<std::vector<std::uint64_t>> filled(static_cast<std::size_t>(threads));
  summary::for_blocks(source, threads, [&](std::int64_t block, int thread) {
    if (context.stop_requested()) return;
    auto& lower = fine[static_cast<std::size_t>(thread)];
    auto& counts = filled[static_cast<std::size_t>(thread)];
    if (halves && lower.empty()) lower.resize(slots * summary::kHalf);
    if (counts.empty()) counts.resize(bars.counts.size());
    double squares = 0.0;
    source.each(block, [&](std::span<const T> values, const std::uint64_t* weights) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const T v = values[i];
        if (!finite(v)) continue;
        const std::uint64_t w = weights != nullptr ? weights[i] : 1;
        const auto real = static_cast<double>(v);
        const double d = real - out.mean;
        squares += d * d * static_cast<double>(w);
        if (!counts.empty()) {
          counts[static_cast<std::size_t>(std::clamp((real - least) * scale, 0.0, last))] += w;
        }
        if (halves) {
          const std::uint32_t key = summary::key_of(v);
          const std::uint8_t at = slot[key >> 16U];
          if (at != summary::kNone) lower[at * summary::kHalf + (key & 0xFFFFU)] += w;
        }
      }
    });
    parts[static_cast<std::size_t>(block)].squares = squares;
    tell();
  });
  if (context.stop_requested()) return cancelled_error();

  double squares = 0.0;
  for (const Part& part : parts) squares += part.squares;
  out.deviation = std::sqrt(squares / static_cast<double>(out.count));
  for (const auto& counts : filled) {
    for (std::size_t i = 0; i < counts.size(); ++i) bars.counts[i] += counts[i];
  }
  std::vector<std::uint64_t> lower(halves ? slots * summary::kHalf : 0);
  for (const auto& counts : fine) {
    for (std::size_t i = 0; i < counts.size(); ++i) lower[i] += counts[i];
  }
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    auto key = static_cast<std::uint32_t>(reached[i].bin) << 16U;
    if (halves) {
      const std::size_t first = slot[reached[i].bin] * summary::kHalf;
      const auto counts = std::span<const std::uint64_t>(lower).subspan(first, summary::kHalf);
      key |= static_cast<std::uint32_t>(summary::reach(counts, ranks[i] - reached[i].before).bin);
    }
    out.quantiles[i] = summary::value_of<T>(key);
  }
  if (histogram != nullptr) *histogram = std::move(bars);
  return out;
}

}  // namespace aprscope

#include "core/cells/wall_signal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// The most pixels that are looked at.
constexpr std::int64_t kMost = std::int64_t{1} << 22;
constexpr std::size_t kBins = 4096;
// Factor from the median magnitude of normal deviates to their standard deviation.
constexpr double kNormal = 1.4826;
// The number of parts does not depend on threads, so that sums are taken in one order.
constexpr std::int64_t kParts = 8;
// Magnitudes are counted by the upper half of their bits, then those of one upper half by the lower
// one: floats that are not negative have the order of their bits.
constexpr unsigned kHalf = 16;
constexpr std::size_t kUppers = std::size_t{1} << (31 - kHalf);
constexpr std::size_t kLowers = std::size_t{1} << kHalf;

struct Bin {
  double count = 0.0;
  double sum = 0.0;
};

// Facts about a part of the rows from a first pass.
struct FirstLook {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  std::vector<std::uint32_t> uppers = std::vector<std::uint32_t>(kUppers, 0);
};
// Facts from a second pass, when the range and the upper half of the median are known.
struct SecondLook {
  std::vector<Bin> bins = std::vector<Bin>(kBins);
  std::vector<std::uint32_t> lowers = std::vector<std::uint32_t>(kLowers, 0);
};

// The bin of counts that holds the element of this rank; `rank` becomes its rank inside that
// bin.
std::size_t bin_of(const std::vector<std::uint32_t>& counts, std::uint64_t& rank) {
  std::size_t bin = 0;
  while (bin + 1 < counts.size() && rank >= counts[bin]) rank -= counts[bin++];
  return bin;
}

void add(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& some) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += some[i];
}

// Otsu (1979): the cut of a histogram that leaves the least variance within both parts.
double contrast_of(const std::vector<Bin>& bins) {
  Bin all;
  for (const Bin& one : bins) all = {all.count + one.count, all.sum + one.sum};
  Bin below;
  double best = -1.0;
  double contrast = 0.0;
  for (std::size_t i = 0; i + 1 < bins.size(); ++i) {
    below = {below.count + bins[i].count, below.sum + bins[i].sum};
    if (below.count == 0.0 || below.count == all.count) continue;
    const double apart =
        (all.sum - below.sum) / (all.count - below.count) - below.sum / below.count;
    const double between = below.count * (all.count - below.count) * apart * apart;
    if (between <= best) continue;
    best = between;
    contrast = apart;
  }
  return contrast;
}

// Calls look(part of kParts, row, its length) for rows that are looked at.
template <class T, class Look>
void each_row_of_parts(const Pixels<T>& image, const std::vector<std::int64_t>& rows,
                       const Look& look) {
  const std::int64_t length = std::min(image.size.y, kMost);
  const auto count = static_cast<std::int64_t>(rows.size());
  parallel_for(kParts, std::min<int>(kParts, threads_for(count * length)), [&](std::int64_t part) {
    for (std::int64_t k = count * part / kParts; k < count * (part + 1) / kParts; ++k) {
      look(static_cast<std::size_t>(part),
           image.values.data() + rows[static_cast<std::size_t>(k)] * image.size.y, length);
    }
  });
}

// The magnitude of the second difference at y.
template <class T>
float bend_at(const T* row, std::int64_t y) {
  return std::abs(static_cast<float>(row[y - 1]) - 2.0F * static_cast<float>(row[y]) +
                  static_cast<float>(row[y + 1]));
}

}  // namespace

std::vector<std::int64_t> wall_signal_rows(const Size3& size) {
  const std::int64_t rows = size.z * size.x;
  std::vector<std::int64_t> out;
  if (rows == 0 || size.y == 0) return out;
  // Rows of at most kMost pixels, as many as kMost has room for.
  const std::int64_t wanted = std::clamp<std::int64_t>(kMost / std::min(size.y, kMost), 1, rows);
  for (std::int64_t k = 0; k < wanted; ++k) {
    // rows · k may be large, but k is below 2^22.
    out.push_back(rows / wanted * k + (rows % wanted) * k / wanted);
  }
  return out;
}

template <class T>
WallSignal wall_signal(const Pixels<T>& image) {
  const std::vector<std::int64_t> rows = wall_signal_rows(image.size);
  std::array<FirstLook, kParts> first;
  each_row_of_parts(image, rows, [&](std::size_t part, const T* row, std::int64_t length) {
    FirstLook& mine = first[part];
    for (std::int64_t y = 0; y < length; ++y) {
      const auto here = static_cast<float>(row[y]);
      if (!std::isfinite(here)) continue;
      mine.low = std::min(mine.low, here);
      mine.high = std::max(mine.high, here);
      if (y == 0 || y + 1 >= length) continue;
      const float bend = bend_at(row, y);
      if (std::isfinite(bend)) ++mine.uppers[std::bit_cast<std::uint32_t>(bend) >> kHalf];
    }
  });
  for (std::size_t k = 1; k < first.size(); ++k) {
    first[0].low = std::min(first[0].low, first[k].low);
    first[0].high = std::max(first[0].high, first[k].high);
    add(first[0].uppers, first[k].uppers);
  }
  std::uint64_t bends = 0;
  for (const std::uint32_t some : first[0].uppers) bends += some;
  std::uint64_t rank = bends / 2;
  const std::size_t upper = bin_of(first[0].uppers, rank);
  const auto from = static_cast<double>(first[0].low);
  const double width = (static_cast<double>(first[0].high) - from) / static_cast<double>(kBins);
  // All values are equal, or there are none.
  const bool is_flat = !(width > 0.0);

  std::array<SecondLook, kParts> second;
  each_row_of_parts(image, rows, [&](std::size_t part, const T* row, std::int64_t length) {
    SecondLook& mine = second[part];
    for (std::int64_t y = 0; y < length; ++y) {
      const auto here = static_cast<float>(row[y]);
      if (is_flat || !std::isfinite(here)) continue;
      const double v = static_cast<double>(here) - from;
      Bin& bin = mine.bins[std::min(kBins - 1, static_cast<std::size_t>(v / width))];
      bin = {bin.count + 1.0, bin.sum + v};
      if (y == 0 || y + 1 >= length) continue;
      const auto bend = std::bit_cast<std::uint32_t>(bend_at(row, y));
      if (bend >> kHalf == upper) ++mine.lowers[bend & (kLowers - 1)];
    }
  });
  for (std::size_t k = 1; k < second.size(); ++k) {
    for (std::size_t i = 0; i < kBins; ++i) {
      Bin& bin = second[0].bins[i];
      bin = {bin.count + second[k].bins[i].count, bin.sum + second[k].bins[i].sum};
    }
    add(second[0].lowers, second[k].lowers);
  }
  if (is_flat || bends == 0) return {0.0, is_flat ? 0.0 : contrast_of(second[0].bins)};
  const auto bits = static_cast<std::uint32_t>(upper << kHalf | bin_of(second[0].lowers, rank));
  const auto median = static_cast<double>(std::bit_cast<float>(bits));
  return {kNormal * median / std::sqrt(6.0), contrast_of(second[0].bins)};
}

template WallSignal wall_signal(const Pixels<std::uint8_t>&);
template WallSignal wall_signal(const Pixels<std::uint16_t>&);
template WallSignal wall_signal(const Pixels<float>&);

}  // namespace aprscope

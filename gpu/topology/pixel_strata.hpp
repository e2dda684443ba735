#pragma once

#include <cstdint>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Counting strata of pixels on the device, see core/topology/strata.hpp.
namespace aprscope::gpu {

/// Neighbouring slices of an image of 8 or 16-bit values on the device. Rows begin at words of 32
/// bits; what follows the last value of a row in its word holds the pad of the rule. One word
/// before all slices and one behind them are read, too, whatever they hold.
struct StrataSlab {
  const std::uint32_t* words = nullptr;  // of the first slice that is counted
  Int3 size;                             // slices that are counted, rows, values of a row
  int row_words = 0;
  /// Whether a slice comes before the first / after the last of them in memory; else the image ends
  /// there.
  bool before = false;
  bool after = false;
};

/// How values are compared. A stratum enters with the least of the values v ^ flip that touch it,
/// those outside of the image being `pad` ^ flip. So closed voxels have the largest pad, and
/// vertices, which enter with the last voxel, are closed voxels of the values in reverse order with
/// the smallest pad. Where a voxel has the same value as the pad strata are lost: that bin is what
/// is missing to all strata of the image. Of words: two or four values.
struct StrataRule {
  std::uint32_t flip = 0;
  std::uint32_t pad = 0;
};

/// Values v ^ flip from `first` on that are counted in shared memory: all that are frequent.
struct StrataWindow {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
/// A multiple of 64. Values of 8 bits: all.
constexpr std::uint32_t kStrataWindow = 3072;

/// Sums of a level: number j < 4 holds the strata with the free axes 2j and 2j + 1, as first + 2^32
/// · second; the last one how many voxels more own one of each, such as those of flat
/// neighbourhoods.
constexpr int kStrataSums = 5;
/// So many voxels may be added to one set of sums.
constexpr std::int64_t kMostStrataVoxels = std::int64_t{1} << 28;

/// Adds the strata of a slab to sums[number][v ^ flip].
void count_strata_8(const StrataSlab& slab, const StrataRule& rule, unsigned long long* sums,
                    int multiprocessors, cudaStream_t stream);
void count_strata_16(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
                     unsigned long long* sums, int multiprocessors, cudaStream_t stream);

}  // namespace aprscope::gpu

#pragma once

#include <cstdint>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Counts strata of pixels on the device, see core/topology/strata.hpp.
namespace aprscope::gpu {

/// Neighbouring slices of an image of 8- or 16-bit values on the device. Rows begin at 32-bit
/// words; after the last value of a row its word is filled with the rule's pad. One word before all
/// slices and one behind them are read, too, with any content.
struct StrataSlab {
  const std::uint32_t* words = nullptr;  // first slice to count
  Int3 size;                             // slices to count, rows, values of a row
  int row_words = 0;
  /// Whether memory holds a slice before the first / after the last slice to count; if not, the
  /// image ends there.
  bool before = false;
  bool after = false;
};

/// How values are compared. A stratum enters with the smallest of the values v ^ flip that touch
/// it; those outside of the image are `pad` ^ flip. Closed voxels therefore have the largest pad.
/// Vertices enter with the last voxel: they are closed voxels of values in reverse order, with the
/// smallest pad. Strata of voxels with the same value as the pad are lost; their bin is what is
/// missing to the image's total. In words of two or four values.
struct StrataRule {
  std::uint32_t flip = 0;
  std::uint32_t pad = 0;
};

/// The values v ^ flip from `first` on are counted in shared memory: the most frequent ones.
struct StrataWindow {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};
/// The size of a window for 16-bit values, a multiple of 64. For 8 bits all values fit.
constexpr std::uint32_t kStrataWindow = 3072;

/// The sums of a level. Number j < 4 holds the strata with the free axes 2j and 2j + 1, as first +
/// 2^32 · second; the last one holds how many more voxels own one stratum of each, as in flat
/// neighbourhoods.
constexpr int kStrataSums = 5;
/// The most voxels that may be added to one set of sums.
constexpr std::int64_t kMostStrataVoxels = std::int64_t{1} << 28;

/// Adds the strata of a slab of 8- / 16-bit values to sums[number][v ^ flip].
void count_strata_8(const StrataSlab& slab, const StrataRule& rule, unsigned long long* sums,
                    int multiprocessors, cudaStream_t stream);
void count_strata_16(const StrataSlab& slab, const StrataRule& rule, const StrataWindow& window,
                     unsigned long long* sums, int multiprocessors, cudaStream_t stream);

}  // namespace aprscope::gpu

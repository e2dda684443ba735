#pragma once

#include <cstdint>

#include <driver_types.h>

#include "core/image/volume.hpp"
#include "gpu/octet/octets.hpp"

// Sums over the pixels of each label, on the device. They are whole numbers, so they equal those of
// the CPU in whatever order they are added.
namespace aprscope::gpu {

/// Sums over the pixels of one label; zeros at first. Positions in pixels, order z, x, y.
struct alignas(16) LabelTotal {
  unsigned long long voxels = 0;
  /// Σ z, x, y, and Σ zz, xx, yy, zx, zy, xy.
  unsigned long long first[3] = {};
  unsigned long long second[6] = {};
  /// Sums of grey values and of their squares.
  unsigned long long sum = 0;
  unsigned long long squares = 0;
  /// For z, x, y and the grey value: the complement of the least one, and the largest one.
  std::uint32_t bounds[8] = {};

  [[nodiscard]] std::uint32_t least(int i) const { return ~bounds[2 * i]; }
  [[nodiscard]] std::uint32_t most(int i) const { return bounds[2 * i + 1]; }
};

/// Whether the sums of this image fit their types: sides up to 65536, fewer than 2^32 pixels.
bool can_sum_labels(const Size3& size);

/// Enqueues totals[label − 1] += …, for labels from 1 to `count`; pixels with other labels are left
/// out. `values`: grey values of 8 or 16 bits, or null. All arrays in memory order.
void sum_labels(const std::uint32_t* labels, const Int3& size, std::uint32_t count,
                LabelTotal* totals, cudaStream_t stream);
void sum_labels(const std::uint32_t* labels, const std::uint8_t* values, const Int3& size,
                std::uint32_t count, LabelTotal* totals, cudaStream_t stream);
void sum_labels(const std::uint32_t* labels, const std::uint16_t* values, const Int3& size,
                std::uint32_t count, LabelTotal* totals, cudaStream_t stream);

}  // namespace aprscope::gpu

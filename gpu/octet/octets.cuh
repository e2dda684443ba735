#pragma once

#include "gpu/octet/octets.hpp"

// Functions that look up octets on the device.
namespace aprscope::gpu {

/// Bit of octet (z, x, y) of a sub-brick, coordinates 0 … 3: z₁ x₁ z₀ x₀ y₁ y₀. So half a warp
/// covers 2×2×4 octets (staging), and a warp 2×4×4 (computing), without bank conflicts.
__device__ inline int octet_bit(int z, int x, int y) {
  return ((z >> 1) << 5) | ((x >> 1) << 4) | ((z & 1) << 3) | ((x & 1) << 2) | y;
}
__device__ inline Int3 bit_octet(int bit) {
  return {((bit >> 3) & 1) | ((bit >> 4) & 2), ((bit >> 2) & 1) | ((bit >> 3) & 2), bit & 3};
}

/// info: place in its brick (z, x, y of 3 bits each) | clipped in z, x, y (bits 9, 10, 11) |
/// particles among its children (bits 16 … 23).
__device__ inline std::uint32_t octet_info(Int3 place, std::uint32_t clipped,
                                           std::uint32_t leaves) {
  return static_cast<std::uint32_t>((place.z << 6) | (place.x << 3) | place.y) | (clipped << 9) |
         (leaves << 16);
}
__device__ inline Int3 info_place(std::uint32_t info) {
  return {static_cast<int>((info >> 6) & 7U), static_cast<int>((info >> 3) & 7U),
          static_cast<int>(info & 7U)};
}
__device__ inline std::uint32_t info_clipped(std::uint32_t info) { return (info >> 9) & 7U; }
__device__ inline std::uint32_t info_leaves(std::uint32_t info) { return (info >> 16) & 0xFFU; }
/// Whether child `c` (z, x, y in bits 2, 1, 0) lies in the image.
__device__ inline bool child_exists(std::uint32_t info, int c) {
  const std::uint32_t beyond = info_clipped(info);
  return ((static_cast<std::uint32_t>(c) & ((beyond & 1U) << 2 | (beyond & 2U) | (beyond >> 2))) ==
          0);
}

__device__ inline std::uint32_t brick_index(const LevelLayout& l, int z, int x, int y) {
  return l.first_brick + static_cast<std::uint32_t>((z * l.bricks.x + x) * l.bricks.y + y);
}

/// Sub-brick that holds octet (z, x, y) of a level.
__device__ inline std::uint32_t sub_brick(const LevelLayout& l, int z, int x, int y) {
  return brick_index(l, z >> 3, x >> 3, y >> 3) * 8U +
         static_cast<std::uint32_t>((z & 4) | ((x & 4) >> 1) | ((y & 4) >> 2));
}

/// The octet at (z, x, y), or kNoOctet; the position must lie in the grid of octets.
__device__ inline std::uint32_t find_octet(const OctetView& v, int level, int z, int x, int y) {
  const std::uint32_t sub = sub_brick(v.levels[level], z, x, y);
  const std::uint64_t mask = v.masks[sub];
  const int bit = octet_bit(z & 3, x & 3, y & 3);
  if (((mask >> bit) & 1U) == 0) return kNoOctet;
  return v.bases[sub] + static_cast<std::uint32_t>(__popcll(mask & ((1ULL << bit) - 1ULL)));
}

/// What covers octet position (z, x, y) of a level: `octet`, or if there is none, `slot`: the
/// particle, of whatever coarser level.
struct Cover {
  std::uint32_t octet = kNoOctet;
  std::uint32_t slot = 0;
};
__device__ inline Cover find_cover(const OctetView& v, int level, int z, int x, int y) {
  Cover found;
  found.octet = find_octet(v, level, z, x, y);
  for (int k = level - 1; found.octet == kNoOctet && k >= 1; --k) {
    const std::uint32_t o = find_octet(v, k, z >> 1, x >> 1, y >> 1);
    if (o != kNoOctet) {
      found.slot = o * 8U + static_cast<std::uint32_t>((z & 1) * 4 + (x & 1) * 2 + (y & 1));
      return found;
    }
    z >>= 1;
    x >>= 1;
    y >>= 1;
  }
  return found;
}

/// The corners of the box of a brick's octets with particles, in octets of the brick.
__device__ inline Int3 box_low(const BrickWork& work) {
  return {static_cast<int>(work.box >> 15 & 7U), static_cast<int>(work.box >> 12 & 7U),
          static_cast<int>(work.box >> 9 & 7U)};
}
__device__ inline Int3 box_high(const BrickWork& work) {
  return {static_cast<int>(work.box >> 6 & 7U), static_cast<int>(work.box >> 3 & 7U),
          static_cast<int>(work.box & 7U)};
}

/// Division of small numbers by a divisor that is known at run time only. Exact while dividend ·
/// divisor < 2^16.
struct SmallDivisor {
  int divisor;
  unsigned factor;
  __device__ explicit SmallDivisor(int n) : SmallDivisor(n, factor_of(n)) {}
  __device__ SmallDivisor(int n, unsigned its_factor) : divisor(n), factor(its_factor) {}
  __device__ static unsigned factor_of(int n) { return 65536U / static_cast<unsigned>(n) + 1U; }
  __device__ int quotient(int i) const {
    return static_cast<int>(static_cast<unsigned>(i) * factor >> 16);
  }
  __device__ int rest(int i) const { return i - quotient(i) * divisor; }
};

/// Index i, reflected about the edge cells until it is inside of the axis.
__device__ inline int reflect(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// The mean of the children that exist, summed in the order of the CPU's tree: for each y, pairs
/// along x, then z; then both y. Slots outside of the image hold 0.
__device__ inline float octet_mean(float4 a, float4 b, std::uint32_t info) {
  const float sum = ((a.x + a.z) + (b.x + b.z)) + ((a.y + a.w) + (b.y + b.w));
  const int count = 8 >> __popc(info_clipped(info));
  return sum / static_cast<float>(count);
}

}  // namespace aprscope::gpu

#pragma once

#include <cstdint>

#include "gpu/octet/octets.cuh"
#include "gpu/topology/particle_strata.hpp"

// The patch of cells that a block counts strata in: those of a brick and the octets around it, in
// shared memory.
namespace aprscope::gpu::strata {

// Threads of the counting kernel: a group for each of the five layers of an octet's faces.
constexpr int kGroup = 128;
constexpr int kCounting = 5 * kGroup;

// The kind of a cell, in the upper half of a word. The smallest word of the cells that a face
// touches then says everything about the face. 0: nothing is counted, since a cell is divided
// (finer ones have the face), outside of the image (vertices), or of an octet that comes first; 1:
// counted here, as a cell of this octet is a particle; larger: neither.
constexpr StrataCell kPart = 0x10000U;
constexpr StrataCell kDivided = 0xFFFFU;
constexpr StrataCell kCoarser = 0x20000U;
constexpr StrataCell kOutsideOfClosed = 0x3FFFFU;
constexpr StrataCell kOutsideOfVertices = 0xFFFFU;

// The sides of a patch of 20³ cells: a brick of 16³ and one octet on each side.
constexpr int kSide = 20;
constexpr int kPlane = kSide * kSide;
constexpr int kCells = kSide * kPlane;

// Writes half an octet, i.e. two rows of two cells, to the patch.
__device__ inline void place_half(StrataCell* patch, int offset, uint4 v) {
  *reinterpret_cast<uint2*>(patch + offset) = {v.x, v.y};
  *reinterpret_cast<uint2*>(patch + offset + kSide) = {v.z, v.w};
}

// The offset in the patch of the first cell of one of the brick's own octets.
__device__ inline int own_offset(std::uint32_t info) {
  const Int3 p = info_place(info);
  return (2 * p.z + 2) * kPlane + (2 * p.x + 2) * kSide + 2 * p.y + 2;
}
// The same for an octet of the halo, from its place in the halo list (an offset in a Patch3).
__device__ inline int halo_offset(int place) {
  return place / kPatchPlane * kPlane + place % kPatchPlane / kPatchRow * kSide +
         place % kPatchRow * 2;
}

// Copies own octets, halo octets and coarser particles to the patch; two neighbouring lanes take
// one. All indices are loaded before the first is used, and so are all cells.
__device__ inline void stage(const OctetView& v, const BrickWork& work, const StrataCell* cells,
                             StrataCell* patch) {
  constexpr int kPairs = kCounting / 2;
  constexpr int kOwn = 1;
  constexpr int kAround = 2;
  const int half = static_cast<int>(threadIdx.x & 1U);
  const int pair = static_cast<int>(threadIdx.x >> 1);
  const std::uint32_t* const source = v.halo_source + work.halo_first;
  const std::uint16_t* const place = v.halo_place + work.halo_first;
  const int around = work.halo + work.coarse;
  for (int begin = 0; begin < work.octets || begin * kAround < around; begin += kOwn * kPairs) {
    const int own = begin + pair;
    std::uint32_t from[kAround];
    int to[kAround];
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      const int i = begin * kAround + k * kPairs + pair;
      from[k] = i < around ? source[i] : 0U;
      to[k] = i < around ? place[i] : 0;
    }
    uint4 mine{};
    std::uint32_t info = 0;
    if (own < work.octets) {
      const std::uint32_t octet = work.first_octet + static_cast<std::uint32_t>(own);
      info = v.info[octet];
      mine = *reinterpret_cast<const uint4*>(cells + std::uint64_t{octet} * 8 + half * 4);
    }
    uint4 other[kAround];
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      const int i = begin * kAround + k * kPairs + pair;
      if (i < work.halo) {
        other[k] = *reinterpret_cast<const uint4*>(cells + std::uint64_t{from[k]} * 8 + half * 4);
      } else if (i < around) {
        const StrataCell cell = (cells[from[k]] & 0xFFFFU) | kCoarser;
        other[k] = {cell, cell, cell, cell};
      }
    }
    if (own < work.octets) place_half(patch, own_offset(info) + half * kPlane, mine);
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      if (begin * kAround + k * kPairs + pair < around) {
        place_half(patch, halo_offset(to[k]) + half * kPlane, other[k]);
      }
    }
  }
}

// Fills the octets of the patch that are outside of the image.
__device__ inline void stage_outside(const LevelLayout& l, const BrickWork& work,
                                     StrataCell outside, StrataCell* patch) {
  const int low[3] = {work.z * 16 - 2, work.x * 16 - 2, work.y * 16 - 2};
  for (int i = static_cast<int>(threadIdx.x); i < kCells; i += kCounting) {
    const int z = low[0] + i / kPlane;
    const int x = low[1] + i / kSide % kSide;
    const int y = low[2] + i % kSide;
    if (z < 0 || x < 0 || y < 0 || z >= l.cells.z || x >= l.cells.x || y >= l.cells.y) {
      patch[i] = outside;
    }
  }
}

}  // namespace aprscope::gpu::strata

#pragma once

#include "gpu/octet/octets.cuh"
#include "gpu/octet/wide_job.hpp"

namespace aprscope::gpu {

constexpr int kWideThreads = 256;

/// The octets that a block computes, and the smallest box that holds those with particles.
struct Item {
  int level = 0;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  Int3 brick;   // first octet of the brick
  Int3 corner;  // first octet of the box
  Int3 extent;  // octets of the box
};

/// Finds the item of this block; false if there is nothing to compute. `box`: 6 ints of shared
/// memory.
__device__ inline bool open_item(const OctetView& v, std::uint32_t first_work, int side, int* box,
                                 Item& item) {
  const bool whole = side == 16;
  const BrickWork& work = v.work[first_work + (whole ? blockIdx.x : blockIdx.x / 8)];
  const std::uint64_t sub = std::uint64_t{work.brick} * 8 + (whole ? 0 : blockIdx.x % 8);
  item.level = work.level;
  item.first = v.bases[sub];
  item.end = v.bases[sub + (whole ? 8 : 1)];
  item.brick = {work.z * 8, work.x * 8, work.y * 8};
  if (item.first == item.end) return false;
  if (threadIdx.x < 6) box[threadIdx.x] = threadIdx.x < 3 ? 8 : -1;
  __syncthreads();
  for (std::uint32_t o = item.first + threadIdx.x; o < item.end; o += blockDim.x) {
    const std::uint32_t info = v.info[o];
    if (info_leaves(info) == 0) continue;
    const Int3 p = info_place(info);
    atomicMin(&box[0], p.z);
    atomicMin(&box[1], p.x);
    atomicMin(&box[2], p.y);
    atomicMax(&box[3], p.z);
    atomicMax(&box[4], p.x);
    atomicMax(&box[5], p.y);
  }
  __syncthreads();
  item.corner = {item.brick.z + box[0], item.brick.x + box[1], item.brick.y + box[2]};
  item.extent = {box[3] - box[0] + 1, box[4] - box[1] + 1, box[5] - box[2] + 1};
  return item.extent.z > 0;
}

/// Offset of cell (z, x, y) of a patch.
__device__ inline int patch_offset(const PatchShape& s, int z, int x, int y) {
  return z * s.plane + x * s.row + (s.odd != 0 ? (y >> 1) + (y & 1) * s.odd : y);
}

/// Copies the cells of the box and its halo to the patch: for each cell the value that covers it,
/// boundary included. Cell 0 of the patch is cell 2 · (corner − halo) of the level.
__device__ inline void stage_patch(const OctetView& v, const Item& item, const PatchShape& s,
                                   const float* in, bool mirror, float* patch) {
  const LevelLayout& l = v.levels[item.level];
  const Int3 from{item.corner.z - s.halo.z, item.corner.x - s.halo.x, item.corner.y - s.halo.y};
  const Int3 n{item.extent.z + 2 * s.halo.z, item.extent.x + 2 * s.halo.x,
               item.extent.y + 2 * s.halo.y};
  const int step = s.odd != 0 ? s.odd : 1;
  // Sixteen lanes take a row of octets (in turns if it is longer), several rows at a time.
  constexpr int kAtOnce = 4;
  const int rows_at_once = static_cast<int>(blockDim.x) / 16;
  const SmallDivisor across(n.x);
  for (int y = static_cast<int>(threadIdx.x) % 16; y < n.y; y += 16) {
    for (int row = static_cast<int>(threadIdx.x) / 16; row < n.z * n.x;
         row += kAtOnce * rows_at_once) {
      Cover cover[kAtOnce];
      bool inside[kAtOnce];
      float4 a[kAtOnce];
      float4 b[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int r = row + k * rows_at_once;
        const Int3 at{from.z + across.quotient(r), from.x + across.rest(r), from.y + y};
        inside[k] = r < n.z * n.x && at.z >= 0 && at.x >= 0 && at.y >= 0 && at.z < l.octets.z &&
                    at.x < l.octets.x && at.y < l.octets.y;
        if (inside[k]) cover[k] = find_cover(v, item.level, at.z, at.x, at.y);
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        if (!inside[k]) continue;
        if (cover[k].octet != kNoOctet) {
          const float4* const p =
              reinterpret_cast<const float4*>(in + std::uint64_t{cover[k].octet} * 8);
          a[k] = p[0];
          b[k] = p[1];
        } else {
          const float value = in[cover[k].slot];
          a[k] = b[k] = {value, value, value, value};
        }
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        if (!inside[k]) continue;
        const int r = row + k * rows_at_once;
        float* to = patch + patch_offset(s, 2 * across.quotient(r), 2 * across.rest(r), 2 * y);
        to[0] = a[k].x;
        to[step] = a[k].y;
        to[s.row] = a[k].z;
        to[s.row + step] = a[k].w;
        to += s.plane;
        to[0] = b[k].x;
        to[step] = b[k].y;
        to[s.row] = b[k].z;
        to[s.row + step] = b[k].w;
      }
    }
  }
  __syncthreads();
  const Int3 low{2 * from.z, 2 * from.x, 2 * from.y};
  const bool inner = low.z >= 0 && low.x >= 0 && low.y >= 0 && low.z + 2 * n.z <= l.cells.z &&
                     low.x + 2 * n.x <= l.cells.x && low.y + 2 * n.y <= l.cells.y;
  if (inner) return;
  const auto inside = [](int i, int count) { return min(max(i, 0), count - 1); };
  for (int i = static_cast<int>(threadIdx.x); i < 8 * n.z * n.x * n.y;
       i += static_cast<int>(blockDim.x)) {
    const int y = i % (2 * n.y);
    const int x = i / (2 * n.y) % (2 * n.x);
    const int z = i / (2 * n.y) / (2 * n.x);
    const Int3 at{low.z + z, low.x + x, low.y + y};
    if (at.z >= 0 && at.x >= 0 && at.y >= 0 && at.z < l.cells.z && at.x < l.cells.x &&
        at.y < l.cells.y) {
      continue;
    }
    float value = 0.0F;
    if (mirror) {
      // Cells so far outside that their mirror image is not in the patch do not affect any result.
      value = patch[patch_offset(s, inside(reflect(at.z, l.cells.z) - low.z, 2 * n.z),
                                 inside(reflect(at.x, l.cells.x) - low.x, 2 * n.x),
                                 inside(reflect(at.y, l.cells.y) - low.y, 2 * n.y))];
    }
    patch[patch_offset(s, z, x, y)] = value;
  }
  __syncthreads();
}

/// The cells around a result, read from a staged patch.
struct PatchCells {
  const float* patch;
  PatchShape shape;
  Int3 at;  // the result's cell
  __device__ float operator()(int z, int x, int y) const {
    return patch[patch_offset(shape, at.z + z, at.x + x, at.y + y)];
  }
};

/// The cells around a result, each looked up in the structure.
struct LookedUpCells {
  const OctetView& v;
  const float* in;
  int level;
  Int3 at;
  bool mirror;
  __device__ float operator()(int z, int x, int y) const {
    const LevelLayout& l = v.levels[level];
    z += at.z;
    x += at.x;
    y += at.y;
    if (z < 0 || x < 0 || y < 0 || z >= l.cells.z || x >= l.cells.x || y >= l.cells.y) {
      if (!mirror) return 0.0F;
      z = reflect(z, l.cells.z);
      x = reflect(x, l.cells.x);
      y = reflect(y, l.cells.y);
    }
    const Cover cover = find_cover(v, level, z >> 1, x >> 1, y >> 1);
    return in[cover.octet != kNoOctet
                  ? std::uint64_t{cover.octet} * 8 +
                        static_cast<unsigned>((z & 1) * 4 + (x & 1) * 2 + (y & 1))
                  : cover.slot];
  }
};

}  // namespace aprscope::gpu

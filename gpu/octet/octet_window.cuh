#pragma once

#include "gpu/octet/octets.cuh"

// A box of octets and its halo in shared memory, for stencils beyond 5³.
namespace aprscope::gpu {

/// The window of a box of octets: the box with `halo` octets on each side. Along y it is one octet
/// longer where the box has an odd number of them, so that rows consist of whole float4.
struct Window {
  Int3 from;    // first octet, in the level's grid; may lie outside
  Int3 octets;  // extent
  int row = 0;  // floats from one x to the next, and from one z to the next
  int plane = 0;

  Window() = default;
  /// `lines`: lanes will take neighbouring lines of cells, else neighbouring octets. The stride
  /// between planes is chosen for that.
  __device__ Window(Int3 corner, Int3 box, int halo, bool lines)
      : from{corner.z - halo, corner.x - halo, corner.y - halo},
        octets{box.z + 2 * halo, box.x + 2 * halo, ((box.y + 1) & ~1) + 2 * halo},
        row(2 * octets.y) {
    // Modulo 32 banks, a plane begins where the first row of the plane before it ends, so that
    // lanes reading successive (z, y) use different banks, as those reading (x, y) do.
    const int plain = 2 * octets.x * row;
    // For octets: two neighbours along x and two along z use different banks.
    plane = lines ? plain + ((row - plain) & 31) : plain + (((row % 16 == 8 ? 4 : 8) - plain) & 15);
  }
};

/// Floats of the largest window of a brick.
constexpr int window_floats(int halo) {
  const int row = 2 * (8 + 2 * halo);
  return row * (row * row + 31);
}

/// Look-ups that all octets of a window share.
template <int halo>
struct WindowIndex {
  static constexpr int kSide = 8 + 2 * halo;     // octets
  static constexpr int kSubs = (kSide + 6) / 4;  // sub-bricks along a side
  static constexpr int kCubes = kSubs * kSubs * kSubs;
  uint2 fine[2 * kCubes];  // half a sub-brick's mask and its first octet
  // For places that have no octet: the mask and the first octet of the coarser level, for half of
  // the sub-brick that covers them; a slot of a still coarser particle; and which bits of a place
  // in an octet are added to it.
  uint4 coarse[kCubes];
  uint2 rows[kSide * kSide];  // key and offset of (z, x)
  std::uint32_t keys[kSide];  // of y
};

// The sum of the keys of z, x and y: bits 0 – 4 and 5 – 9 are the place in half a sub-brick, of
// this level and of the next coarser one; bits 10 – 12 and 13 – 15 the place in the octets of one
// and of two levels above; bits from 16 on are the number of the half.
constexpr std::uint32_t kOutside = ~0U;

__device__ inline std::uint32_t key_z(int z, int subs, int first) {
  const auto at = static_cast<std::uint32_t>(z);
  return (at & 1U) << 3 | (at & 2U) << 7 | (at & 1U) << 12 | (at & 2U) << 14 |
         static_cast<std::uint32_t>(((z >> 2) - first) * subs * subs * 2 + ((z >> 1) & 1)) << 16;
}
__device__ inline std::uint32_t key_x(int x, int subs, int first) {
  const auto at = static_cast<std::uint32_t>(x);
  return (at & 1U) << 2 | (at & 2U) << 3 | (at & 2U) << 6 | (at & 4U) << 7 | (at & 1U) << 11 |
         (at & 2U) << 13 | static_cast<std::uint32_t>(((x >> 2) - first) * subs * 2) << 16;
}
__device__ inline std::uint32_t key_y(int y, int first) {
  const auto at = static_cast<std::uint32_t>(y);
  return (at & 3U) | (at >> 1 & 3U) << 5 | (at & 1U) << 10 | (at >> 1 & 1U) << 13 |
         static_cast<std::uint32_t>(((y >> 2) - first) * 2) << 16;
}

/// The first half of staging; call a barrier afterwards.
template <int halo>
__device__ void index_window(const OctetView& v, int level, const Window& w,
                             WindowIndex<halo>& index) {
  using Index = WindowIndex<halo>;
  const LevelLayout& l = v.levels[level];
  const Int3 first{w.from.z >> 2, w.from.x >> 2, w.from.y >> 2};
  for (int i = static_cast<int>(threadIdx.x); i < Index::kCubes;
       i += static_cast<int>(blockDim.x)) {
    const Int3 s{first.z + i / (Index::kSubs * Index::kSubs),
                 first.x + i / Index::kSubs % Index::kSubs, first.y + i % Index::kSubs};
    uint4 coarse{0, 0, kOutside, 0};
    uint2 fine[2] = {};
    if (s.z >= 0 && s.x >= 0 && s.y >= 0 && 4 * s.z < l.octets.z && 4 * s.x < l.octets.x &&
        4 * s.y < l.octets.y) {
      const std::uint32_t sub = sub_brick(l, 4 * s.z, 4 * s.x, 4 * s.y);
      const std::uint64_t mask = v.masks[sub];
      const auto low = static_cast<std::uint32_t>(mask);
      fine[0] = {low, v.bases[sub]};
      fine[1] = {static_cast<std::uint32_t>(mask >> 32),
                 fine[0].y + static_cast<std::uint32_t>(__popc(low))};
      coarse.z = 0;  // the root, where no level is between
      if (level >= 2) {
        const std::uint32_t above = sub_brick(v.levels[level - 1], 2 * s.z, 2 * s.x, 2 * s.y);
        const std::uint64_t there = v.masks[above];
        const bool upper = (s.z & 1) != 0;
        coarse.x = static_cast<std::uint32_t>(upper ? there >> 32 : there);
        coarse.y =
            v.bases[above] +
            (upper ? static_cast<std::uint32_t>(__popc(static_cast<std::uint32_t>(there))) : 0U);
      }
      if (level >= 3) {
        // Loads without waiting for the mask, as a block has little else to do meanwhile.
        const std::uint32_t above = sub_brick(v.levels[level - 2], s.z, s.x, s.y);
        const std::uint64_t there = v.masks[above];
        const std::uint32_t base = v.bases[above];
        const int bit = octet_bit(s.z & 3, s.x & 3, s.y & 3);
        if ((there >> bit & 1U) != 0) {
          coarse.z =
              (base + static_cast<std::uint32_t>(__popcll(there & ((1ULL << bit) - 1ULL)))) * 8U;
          coarse.w = 7;
        } else {
          coarse.z = find_cover(v, level - 2, s.z, s.x, s.y).slot;
        }
      }
    }
    index.fine[2 * i] = fine[0];
    index.fine[2 * i + 1] = fine[1];
    index.coarse[i] = coarse;
  }
  static_assert(Index::kSide <= 16);
  for (int i = static_cast<int>(threadIdx.x); i < w.octets.z * 16;
       i += static_cast<int>(blockDim.x)) {
    const int z = i / 16;
    const int x = i % 16;
    if (x >= w.octets.x) continue;
    index.rows[z * w.octets.x + x] = {
        key_z(w.from.z + z, Index::kSubs, first.z) + key_x(w.from.x + x, Index::kSubs, first.x),
        static_cast<std::uint32_t>(2 * z * w.plane + 2 * x * w.row)};
  }
  if (static_cast<int>(threadIdx.x) < w.octets.y) {
    const int y = static_cast<int>(threadIdx.x);
    index.keys[y] = key_y(w.from.y + y, first.y);
  }
}

/// The second half of staging: reads the value of each cell; `along` divides by the octets along y.
/// Values are 0 beyond the image, in whole sub-bricks.
template <int threads, int halo>
__device__ void stage_window(const Window& w, const WindowIndex<halo>& index,
                             const SmallDivisor& along, const float* in, float* patch) {
  constexpr int kAtOnce = 4;
  const int count = w.octets.z * w.octets.x * w.octets.y;
  for (int begin = static_cast<int>(threadIdx.x); begin < count; begin += kAtOnce * threads) {
    float4 a[kAtOnce];
    float4 b[kAtOnce];
    int offset[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const int i = begin + k * threads;
      if (i >= count) continue;
      const int row = along.quotient(i);
      const int y = i - row * w.octets.y;
      const uint2 at = index.rows[row];
      const std::uint32_t key = at.x + index.keys[y];
      offset[k] = static_cast<int>(at.y) + 2 * y;
      const uint2 fine = index.fine[key >> 16];
      const std::uint32_t bit = 1U << (key & 31U);
      if ((fine.x & bit) != 0) {
        const std::uint32_t octet =
            fine.y + static_cast<std::uint32_t>(__popc(fine.x & (bit - 1U)));
        const float4* const p = reinterpret_cast<const float4*>(in + std::uint64_t{octet} * 8);
        a[k] = p[0];
        b[k] = p[1];
      } else {
        const uint4 coarse = index.coarse[key >> 17];
        const std::uint32_t above = 1U << (key >> 5 & 31U);
        std::uint32_t slot = coarse.z + (key >> 13 & coarse.w);
        if ((coarse.x & above) != 0) {
          slot = (coarse.y + static_cast<std::uint32_t>(__popc(coarse.x & (above - 1U)))) * 8U +
                 (key >> 10 & 7U);
        }
        const float value = slot == kOutside ? 0.0F : in[slot];
        a[k] = b[k] = {value, value, value, value};
      }
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (begin + k * threads >= count) continue;
      float* const to = patch + offset[k];
      *reinterpret_cast<float2*>(to) = {a[k].x, a[k].y};
      *reinterpret_cast<float2*>(to + w.row) = {a[k].z, a[k].w};
      *reinterpret_cast<float2*>(to + w.plane) = {b[k].x, b[k].y};
      *reinterpret_cast<float2*>(to + w.plane + w.row) = {b[k].z, b[k].w};
    }
  }
}

/// Sets the cells beyond the image, one axis after the other; all threads must call it. Skipped for
/// zeros if the level's grid is a multiple of 8 cells: then staging has written them.
__device__ inline void reflect_window(const Window& w, const LevelLayout& l, bool mirror,
                                      float* patch) {
  const int low[3] = {2 * w.from.z, 2 * w.from.x, 2 * w.from.y};
  const int side[3] = {2 * w.octets.z, 2 * w.octets.x, 2 * w.octets.y};
  const int cells[3] = {l.cells.z, l.cells.x, l.cells.y};
  const int step[3] = {w.plane, w.row, 1};
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    const int before = max(-low[axis], 0);
    const int end = min(cells[axis] - low[axis], side[axis]);
    if (mirror ? before == 0 && end == side[axis] : end == side[axis] || cells[axis] % 8 == 0) {
      continue;
    }
    const int b = axis == 0 ? 1 : 0;
    const int c = axis == 2 ? 1 : 2;
    const int across = side[b] * side[c];
    const int beyond = before + side[axis] - end;
    for (int i = static_cast<int>(threadIdx.x); i < beyond * across;
         i += static_cast<int>(blockDim.x)) {
      const int k = i / across;
      const int at = k < before ? k : k - before + end;
      const int rest = i % across;
      float* const line = patch + rest / side[c] * step[b] + rest % side[c] * step[c];
      float value = 0.0F;
      if (mirror) {
        // Cells so far outside that their mirror image is not in the window affect no result.
        const int image = reflect(at + low[axis], cells[axis]) - low[axis];
        value = line[min(max(image, before), end - 1) * step[axis]];
      }
      line[at * step[axis]] = value;
    }
    __syncthreads();
  }
}

}  // namespace aprscope::gpu

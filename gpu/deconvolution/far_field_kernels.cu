#include "gpu/deconvolution/far_field_kernels.hpp"
#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octets.cuh"
#include "gpu/pixel/dense_grid.cuh"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "the far part of a PSF on the GPU";
constexpr int kThreads = 128;

unsigned blocks(std::uint64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}
std::uint64_t count_of(Int3 n) {
  return static_cast<std::uint64_t>(n.z) * static_cast<std::uint64_t>(n.x) *
         static_cast<std::uint64_t>(n.y);
}

// The position of this thread's cell in a grid; false behind the end of the grid.
__device__ bool own_cell(Int3 n, Int3& at) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= std::uint64_t(n.z) * n.x * n.y) return false;
  at = {static_cast<int>(i / n.y / n.x), static_cast<int>(i / n.y % n.x),
        static_cast<int>(i % n.y)};
  return true;
}

// The weight of a cell in one dimension: half for a cell that reaches over the end of the image.
__device__ float covered(int i, int n, int fine) {
  return fine > 1 && (fine & 1) != 0 && i == n - 1 ? 0.5F : 1.0F;
}

// One thread an octet position.
__global__ void __launch_bounds__(kThreads)
    sample(const __grid_constant__ OctetView v, const float* values, int level, bool halves,
           Int3 fine, const __grid_constant__ GridView g) {
  Int3 at;
  if (!own_cell(v.levels[level].octets, at)) return;
  const Cover cover = find_cover(v, level, at.z, at.x, at.y);
  const float all = cover.octet == kNoOctet ? values[cover.slot] : 0.0F;
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const Int3 p{2 * at.z + (c >> 2), 2 * at.x + (c >> 1 & 1), 2 * at.y + (c & 1)};
    if (p.z >= g.size.z || p.x >= g.size.x || p.y >= g.size.y) continue;
    float value = cover.octet == kNoOctet ? all : values[std::uint64_t{cover.octet} * 8 + c];
    if (halves) {
      value *= covered(p.z, g.size.z, fine.z) * covered(p.x, g.size.x, fine.x) *
               covered(p.y, g.size.y, fine.y);
    }
    g.buffer[grid_offset(g, p.z, p.x, p.y)] = value;
  }
}

struct GridCells {
  GridView g;
  __device__ Int3 size() const { return g.size; }
  __device__ float operator()(int z, int x, int y) const {
    return g.buffer[grid_offset(g, z, x, y)];
  }
};
struct SumCells {
  const float* sums;
  Int3 n;
  __device__ Int3 size() const { return n; }
  __device__ float operator()(int z, int x, int y) const {
    return sums[(std::int64_t{z} * n.x + x) * n.y + y];
  }
};

template <class Cells>
__global__ void __launch_bounds__(kThreads)
    sum_children(const __grid_constant__ Cells cells, Int3 coarse, float* sums) {
  Int3 at;
  if (!own_cell(coarse, at)) return;
  const Int3 n = cells.size();
  float part[2] = {};
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const Int3 p{2 * at.z + (c >> 2), 2 * at.x + (c >> 1 & 1), 2 * at.y + (c & 1)};
    if (p.z < n.z && p.x < n.x && p.y < n.y) part[c & 1] += cells(p.z, p.x, p.y);
  }
  sums[(std::int64_t{at.z} * coarse.x + at.x) * coarse.y + at.y] = part[0] + part[1];
}

// In one dimension: how many of the `top` finest cells lie under cell i, which is `side` wide.
__device__ float cells_under(int i, int side, int top) {
  return static_cast<float>(min(side, top - i * side));
}

// The far part on a dense grid, read at particles.
struct GridField {
  GridView g;
  LevelSums sums;
  // The value of cell (z, x, y) of level_max − 1; each index may be one outside of the grid.
  __device__ float at(int z, int x, int y) const { return g.buffer[grid_offset(g, z, x, y)]; }
  // The value of a particle coarser than level_max, from its slot or its cell.
  __device__ float own(const OctetView& v, int level, std::uint64_t /*slot*/, Int3 p) const {
    if (level == v.level_max - 1) return at(p.z, p.x, p.y);
    const Int3& n = v.levels[level].cells;
    const int side = 1 << (v.level_max - 1 - level);
    const float count = cells_under(p.z, side, g.size.z) * cells_under(p.x, side, g.size.x) *
                        cells_under(p.y, side, g.size.y);
    return sums.of[level][(std::int64_t{p.z} * n.x + p.x) * n.y + p.y] / count;
  }
};

// The far part on a structure that is one level coarser, read at particles.
struct CoarserField {
  OctetView coarse;
  const float* values;
  __device__ float at(int z, int x, int y) const {
    const Int3& n = coarse.levels[coarse.level_max].cells;
    z = min(max(z, 0), n.z - 1);
    x = min(max(x, 0), n.x - 1);
    y = min(max(y, 0), n.y - 1);
    const Cover cover = find_cover(coarse, coarse.level_max, z >> 1, x >> 1, y >> 1);
    return values[cover.octet != kNoOctet
                      ? std::uint64_t{cover.octet} * 8 +
                            static_cast<unsigned>((z & 1) * 4 + (x & 1) * 2 + (y & 1))
                      : cover.slot];
  }
  __device__ float own(const OctetView& /*v*/, int /*level*/, std::uint64_t slot,
                       Int3 /*p*/) const {
    return values[slot];
  }
};

// Blends the parent's value with that of the neighbour on the side of each child.
__device__ float2 between(float below, float parent, float above, bool single) {
  if (single) return {parent, parent};
  return {0.75F * parent + 0.25F * below, 0.75F * parent + 0.25F * above};
}

// The eight children of cell p of the next coarser level, trilinearly.
template <class Field>
__device__ void interpolate(const Field& field, Int3 p, Int3 fine, float (&child)[8]) {
  float2 planes[3][2];  // [z][x of the child]: both children in y
#pragma unroll
  for (int z = 0; z < 3; ++z) {
    float2 rows[3];
#pragma unroll
    for (int x = 0; x < 3; ++x) {
      const int cz = p.z + z - 1;
      const int cx = p.x + x - 1;
      rows[x] = between(field.at(cz, cx, p.y - 1), field.at(cz, cx, p.y), field.at(cz, cx, p.y + 1),
                        fine.y == 1);
    }
    const float2 even = between(rows[0].x, rows[1].x, rows[2].x, fine.x == 1);
    const float2 odd = between(rows[0].y, rows[1].y, rows[2].y, fine.x == 1);
    planes[z][0] = {even.x, odd.x};
    planes[z][1] = {even.y, odd.y};
  }
#pragma unroll
  for (int x = 0; x < 2; ++x) {
    const float2 even = between(planes[0][x].x, planes[1][x].x, planes[2][x].x, fine.z == 1);
    const float2 odd = between(planes[0][x].y, planes[1][x].y, planes[2][x].y, fine.z == 1);
    child[2 * x] = even.x;
    child[2 * x + 1] = odd.x;
    child[4 + 2 * x] = even.y;
    child[4 + 2 * x + 1] = odd.y;
  }
}

// One block per brick that holds particles.
template <class Field>
__global__ void __launch_bounds__(kThreads)
    add_field(const __grid_constant__ OctetView v, const __grid_constant__ Field field,
              float* out) {
  const BrickWork work = v.work[blockIdx.x];
  const int level = work.level;
  for (std::uint32_t o = work.first_octet + threadIdx.x; o < work.first_octet + work.octets;
       o += kThreads) {
    const std::uint32_t info = v.info[o];
    const std::uint32_t leaves = info_leaves(info);
    if (leaves == 0) continue;
    const Int3 place = info_place(info);
    const Int3 p{work.z * 8 + place.z, work.x * 8 + place.x, work.y * 8 + place.y};
    const std::uint64_t slot = std::uint64_t{o} * 8;
    float child[8];
    if (level == v.level_max) {
      interpolate(field, p, v.levels[level].cells, child);
    } else {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const Int3 q{2 * p.z + (c >> 2), 2 * p.x + (c >> 1 & 1), 2 * p.y + (c & 1)};
        child[c] = (leaves >> c & 1U) != 0 ? field.own(v, level, slot + c, q) : 0.0F;
      }
    }
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      if ((leaves >> c & 1U) != 0) out[slot + c] += child[c];
    }
  }
}

}  // namespace

void sample_level(const OctetView& v, const float* values, int level, bool halves, Int3 fine,
                  const GridView& g, cudaStream_t stream) {
  sample<<<blocks(count_of(v.levels[level].octets)), kThreads, 0, stream>>>(v, values, level,
                                                                            halves, fine, g);
  ensure_launched(kWhat);
}

void sum_grid(const GridView& g, Int3 coarse, float* sums, cudaStream_t stream) {
  sum_children<<<blocks(count_of(coarse)), kThreads, 0, stream>>>(GridCells{g}, coarse, sums);
  ensure_launched(kWhat);
}

void sum_sums(const float* sums, Int3 fine, Int3 coarse, float* coarser, cudaStream_t stream) {
  sum_children<<<blocks(count_of(coarse)), kThreads, 0, stream>>>(SumCells{sums, fine}, coarse,
                                                                  coarser);
  ensure_launched(kWhat);
}

void add_grid(const OctetView& v, std::uint32_t work_count, const GridView& g,
              const LevelSums& sums, float* out, cudaStream_t stream) {
  if (work_count == 0) return;
  add_field<<<work_count, kThreads, 0, stream>>>(v, GridField{g, sums}, out);
  ensure_launched(kWhat);
}

void add_coarser(const OctetView& v, std::uint32_t work_count, const OctetView& coarse,
                 const float* values, float* out, cudaStream_t stream) {
  if (work_count == 0) return;
  add_field<<<work_count, kThreads, 0, stream>>>(v, CoarserField{coarse, values}, out);
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

// A block paints a tile: the 16³ pixels of a brick of the finest level. On the three next coarser
// levels it takes one sub-brick, one octet row of it or one octet; cells beyond those cover it.
constexpr int kTile = 16;
constexpr int kOctets = kTile / 2;
constexpr int kThreads = 256;
// Steps from the finest level to that of a particle; the last one stands for all that are coarser.
constexpr int kSteps = 5;

// The cells of one level from which the pixels of a tile are interpolated: its own and one around.
struct Patch {
  Int3 first;
  Int3 n;
};
// A tile has at most 8, 4, 2, 1 cells of a step in each direction.
__host__ __device__ constexpr int patch_side(int step) {
  return (step < kSteps - 1 ? kTile >> step : 1) + 2;
}
__host__ __device__ constexpr int patch_begin(int step) {
  int begin = 0;
  for (int s = 1; s < step; ++s) begin += patch_side(s) * patch_side(s) * patch_side(s);
  return begin;
}

// Octets of the level of a step in and around a tile: a tile has 4, 2, 1 of steps 1, 2, 3.
__host__ __device__ constexpr int octet_side(int step) { return (kOctets >> step) + 2; }
__host__ __device__ constexpr int octet_begin(int step) {
  int begin = 0;
  for (int s = 1; s < step; ++s) begin += octet_side(s) * octet_side(s) * octet_side(s);
  return begin;
}

struct Tile {
  std::uint64_t masks[8];  // of the sub-bricks of the finest level
  std::uint32_t bases[8];
  // The number of each octet of steps 1 to kSteps − 2, or kNoOctet. Looked up all at once, since
  // each look-up waits for memory.
  std::uint32_t octets[octet_begin(kSteps - 1)];
  int beyond;      // level of the particle that covers the tile, where there are no such octets
  unsigned steps;  // bit s: there are particles of step s
  Patch patches[kSteps];
  float cells[patch_begin(kSteps)];
};

// Looks up one octet of a step; i counts those in and around the tile.
__device__ std::uint32_t octet_around(const OctetView& v, Int3 at, int step, int i) {
  const int side = octet_side(step);
  const int first = kOctets >> step;
  const int level = v.level_max - step;
  if (level < 1) return kNoOctet;
  const Int3 p{at.z * first - 1 + i / (side * side), at.x * first - 1 + i / side % side,
               at.y * first - 1 + i % side};
  const Int3& n = v.levels[level].octets;
  if (p.z < 0 || p.x < 0 || p.y < 0 || p.z >= n.z || p.x >= n.x || p.y >= n.y) return kNoOctet;
  return find_octet(v, level, p.z, p.x, p.y);
}

// Looks up which octets the tile at (z, x, y) has on every level.
__device__ void find_octets(const OctetView& v, Int3 at, Tile& tile) {
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) tile.steps = 0;
  if (i < 8) {
    const std::uint32_t sub = brick_index(v.levels[v.level_max], at.z, at.x, at.y) * 8U + i;
    tile.masks[i] = v.masks[sub];
    tile.bases[i] = v.bases[sub];
  }
  constexpr int kSecond = octet_begin(2);
  constexpr int kThird = octet_begin(3);
  constexpr int kEnd = octet_begin(4);
  static_assert(kSteps == 5 && kSecond <= kThreads && kEnd <= 2 * kThreads);
  if (i < kSecond) tile.octets[i] = octet_around(v, at, 1, i);
  const int k = i - (kThreads - (kEnd - kSecond));
  if (k >= kThird - kSecond) {
    tile.octets[k + kSecond] = octet_around(v, at, 3, k - (kThird - kSecond));
  } else if (k >= 0) {
    tile.octets[k + kSecond] = octet_around(v, at, 2, k);
  }
}

// The octet of a step at p, a position of the step's level in or next to the tile.
__device__ std::uint32_t octet_of(const Tile& tile, Int3 at, int step, Int3 p) {
  const int first = kOctets >> step;
  const int side = octet_side(step);
  return tile.octets[octet_begin(step) +
                     ((p.z - at.z * first + 1) * side + p.x - at.x * first + 1) * side + p.y -
                     at.y * first + 1];
}

// The level of the particle that covers a tile without octets of the last step that has a table.
__device__ int level_beyond(const OctetView& v, Int3 at) {
  int level = max(v.level_max - (kSteps - 1), 1);
  Int3 p{at.z >> 1, at.x >> 1, at.y >> 1};
  while (level > 1 && find_octet(v, level, p.z, p.x, p.y) == kNoOctet) {
    --level;
    p = {p.z >> 1, p.x >> 1, p.y >> 1};
  }
  return level;
}

// Steps from the finest level to that of the particle that covers octet o of the tile.
__device__ int step_of(const OctetView& v, const Tile& tile, Int3 at, Int3 o) {
  const int sub = (o.z & 4) | ((o.x & 4) >> 1) | ((o.y & 4) >> 2);
  if ((tile.masks[sub] >> octet_bit(o.z & 3, o.x & 3, o.y & 3) & 1U) != 0) return 0;
#pragma unroll
  for (int step = 1; step < kSteps - 1; ++step) {
    const Int3 p{(at.z * kOctets + o.z) >> step, (at.x * kOctets + o.x) >> step,
                 (at.y * kOctets + o.y) >> step};
    if (step == v.level_max - 1 || octet_of(tile, at, step, p) != kNoOctet) return step;
  }
  return v.level_max - tile.beyond;
}

// The value of a cell in or next to the tile: its own, the mean of finer particles, or that of a
// coarser one.
__device__ float cell_value(const OctetView& v, const float* values, const Tile& tile, Int3 at,
                            int step, Int3 cell) {
  Int3 p = cell;
  int child = 0;
  const auto climb = [&] {
    child = (p.z & 1) * 4 + (p.x & 1) * 2 + (p.y & 1);
    p = {p.z >> 1, p.x >> 1, p.y >> 1};
  };
  climb();
  for (int s = step; s < kSteps - 1; ++s) {
    const std::uint32_t octet = octet_of(tile, at, s, p);
    if (octet != kNoOctet) return values[std::uint64_t{octet} * 8 + static_cast<unsigned>(child)];
    climb();
  }
  const Cover cover = find_cover(v, v.level_max - max(step, kSteps - 1), p.z, p.x, p.y);
  return values[cover.octet != kNoOctet
                    ? std::uint64_t{cover.octet} * 8 + static_cast<unsigned>(child)
                    : cover.slot];
}

// Two neighbouring cells of an axis and how near the second is to the pixel.
__device__ float share_of(int pixel, int step) {
  const float at =
      (static_cast<float>(pixel) + 0.5F) / static_cast<float>(std::uint32_t{1} << step) - 0.5F;
  return at - floorf(at);
}
__device__ float between(float a, float b, float share) { return a + share * (b - a); }

// Interpolates the 8 pixels of an octet along y, then x, then z, from N cells an axis: three where
// cells are two pixels wide, two where both pixels lie in the same half of one.
template <int N>
__device__ void interpolate(const float* cells, const int (&z)[3], const int (&x)[3],
                            const int (&y)[3], Int3 pixel, int step, float (&out)[8]) {
  constexpr int kNext = N - 2;  // the cell at which the second pixel's pair begins
  float share[3][2];
  for (int i = 0; i < 2; ++i) {
    share[0][i] = share_of(pixel.z + i, step);
    share[1][i] = share_of(pixel.x + i, step);
    share[2][i] = share_of(pixel.y + i, step);
  }
  float planes[N][4];
#pragma unroll
  for (int a = 0; a < N; ++a) {
    float rows[N][2];
#pragma unroll
    for (int b = 0; b < N; ++b) {
      float c[N];
#pragma unroll
      for (int k = 0; k < N; ++k) c[k] = cells[z[a] + x[b] + y[k]];
      rows[b][0] = between(c[0], c[1], share[2][0]);
      rows[b][1] = between(c[kNext], c[kNext + 1], share[2][1]);
    }
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      planes[a][k] = between(rows[0][k], rows[1][k], share[1][0]);
      planes[a][2 + k] = between(rows[kNext][k], rows[kNext + 1][k], share[1][1]);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    out[k] = between(planes[0][k], planes[1][k], share[0][0]);
    out[4 + k] = between(planes[kNext][k], planes[kNext + 1][k], share[0][1]);
  }
}

// Places, in the patch of a step, of the cells between which the two pixels of an octet lie.
__device__ void places(int pixel, int step, int first, int n, int stride, int (&out)[3]) {
  const int cell = pixel >> step;
  if (step == 1) {
    for (int k = 0; k < 3; ++k)
      out[k] = (min(max(cell - 1 + k, first), first + n - 1) - first) * stride;
    return;
  }
  const int low = (pixel & ((1 << step) - 1)) < (1 << (step - 1)) ? cell - 1 : cell;
  for (int k = 0; k < 2; ++k) out[k] = (min(max(low + k, first), first + n - 1) - first) * stride;
  out[2] = out[1];
}

__device__ void interpolate_octet(const Tile& tile, Int3 pixel, int step, float (&out)[8]) {
  const int slot = min(step, kSteps - 1);
  const Patch& patch = tile.patches[slot];
  const float* const cells = tile.cells + patch_begin(slot);
  int z[3];
  int x[3];
  int y[3];
  places(pixel.z, step, patch.first.z, patch.n.z, patch.n.x * patch.n.y, z);
  places(pixel.x, step, patch.first.x, patch.n.x, patch.n.y, x);
  places(pixel.y, step, patch.first.y, patch.n.y, 1, y);
  if (step == 1) {
    interpolate<3>(cells, z, x, y, pixel, step, out);
  } else {
    interpolate<2>(cells, z, x, y, pixel, step, out);
  }
}

// The cells of a level that the pixels [low, high) of an axis need. Where they end, the image ends,
// and the last cell is repeated.
__device__ void reach(int low, int high, int step, int cells, int& first, int& n) {
  first = max((low >> step) - 1, 0);
  n = min(((high - 1) >> step) + 1, cells - 1) - first + 1;
}

__device__ void load_cells(const OctetView& v, const float* values, Int3 at, Int3 low, Int3 high,
                           Tile& tile) {
  for (int slot = 1; slot < kSteps; ++slot) {
    if ((tile.steps >> slot & 1U) == 0) continue;
    const int step = slot < kSteps - 1 ? slot : v.level_max - tile.beyond;
    const LevelLayout& l = v.levels[v.level_max - step];
    Patch patch;
    reach(low.z, high.z, step, l.cells.z, patch.first.z, patch.n.z);
    reach(low.x, high.x, step, l.cells.x, patch.first.x, patch.n.x);
    reach(low.y, high.y, step, l.cells.y, patch.first.y, patch.n.y);
    if (threadIdx.x == 0) tile.patches[slot] = patch;
    const int count = patch.n.z * patch.n.x * patch.n.y;
    const SmallDivisor by_y(patch.n.y);
    const SmallDivisor by_x(patch.n.x);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
      const int row = by_y.quotient(i);
      const Int3 cell{patch.first.z + by_x.quotient(row), patch.first.x + by_x.rest(row),
                      patch.first.y + by_y.rest(i)};
      tile.cells[patch_begin(slot) + i] = cell_value(v, values, tile, at, step, cell);
    }
  }
}

__global__ void __launch_bounds__(kThreads, 6)
    paint_smooth(const __grid_constant__ OctetView v, const float* values, Int3 begin, Int3 end,
                 Int3 first_tile, Int3 tiles, float* out) {
  __shared__ Tile tile;
  const int b = static_cast<int>(blockIdx.x);
  const Int3 at{first_tile.z + b / tiles.y / tiles.x, first_tile.x + b / tiles.y % tiles.x,
                first_tile.y + b % tiles.y};
  find_octets(v, at, tile);
  __syncthreads();
  // A tile that has no octet of the last table is covered by one particle.
  if (v.level_max >= kSteps && octet_of(tile, at, kSteps - 2, at) == kNoOctet) {
    if (threadIdx.x == 0) tile.beyond = level_beyond(v, at);
    __syncthreads();
  }
  // Whole octets that have pixels of the region in them.
  const Int3 low{max(begin.z & ~1, at.z * kTile), max(begin.x & ~1, at.x * kTile),
                 max(begin.y & ~1, at.y * kTile)};
  const Int3 high{min((end.z + 1) & ~1, at.z * kTile + kTile),
                  min((end.x + 1) & ~1, at.x * kTile + kTile),
                  min((end.y + 1) & ~1, at.y * kTile + kTile)};
  constexpr int kOf = kOctets * kOctets * kOctets / kThreads;
  int steps[kOf];
  unsigned seen = 0;
  for (int k = 0; k < kOf; ++k) {
    const int i = static_cast<int>(threadIdx.x) + k * kThreads;
    const Int3 o{i >> 6, i >> 3 & 7, i & 7};
    const Int3 p{at.z * kTile + 2 * o.z, at.x * kTile + 2 * o.x, at.y * kTile + 2 * o.y};
    steps[k] = -1;
    if (p.z < low.z || p.x < low.x || p.y < low.y || p.z >= high.z || p.x >= high.x ||
        p.y >= high.y) {
      continue;
    }
    steps[k] = step_of(v, tile, at, o);
    seen |= 1U << min(steps[k], kSteps - 1);
  }
  seen = __reduce_or_sync(0xFFFFFFFFU, seen);
  if (threadIdx.x % 32 == 0) atomicOr(&tile.steps, seen);
  __syncthreads();
  load_cells(v, values, at, low, high, tile);
  __syncthreads();
  const Int3 size{end.z - begin.z, end.x - begin.x, end.y - begin.y};
  const bool pairs = (begin.y | size.y) % 2 == 0;
  for (int k = 0; k < kOf; ++k) {
    if (steps[k] < 0) continue;
    const int i = static_cast<int>(threadIdx.x) + k * kThreads;
    const Int3 o{i >> 6, i >> 3 & 7, i & 7};
    const Int3 p{at.z * kTile + 2 * o.z, at.x * kTile + 2 * o.x, at.y * kTile + 2 * o.y};
    float pixels[8];
    if (steps[k] == 0) {
      const int sub = (o.z & 4) | ((o.x & 4) >> 1) | ((o.y & 4) >> 2);
      const std::uint64_t below = (1ULL << octet_bit(o.z & 3, o.x & 3, o.y & 3)) - 1ULL;
      const auto octet =
          tile.bases[sub] + static_cast<std::uint32_t>(__popcll(tile.masks[sub] & below));
      const auto* const from = reinterpret_cast<const float4*>(values + std::uint64_t{octet} * 8);
      const float4 a = from[0];
      const float4 c = from[1];
      pixels[0] = a.x, pixels[1] = a.y, pixels[2] = a.z, pixels[3] = a.w;
      pixels[4] = c.x, pixels[5] = c.y, pixels[6] = c.z, pixels[7] = c.w;
    } else {
      interpolate_octet(tile, p, steps[k], pixels);
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int z = p.z + (r >> 1);
      const int x = p.x + (r & 1);
      if (z < begin.z || x < begin.x || z >= end.z || x >= end.x) continue;
      float* const row = out + (std::int64_t{z - begin.z} * size.x + (x - begin.x)) * size.y;
      const int y = p.y - begin.y;
      if (pairs) {
        *reinterpret_cast<float2*>(row + y) = {pixels[2 * r], pixels[2 * r + 1]};
        continue;
      }
      if (y >= 0 && y < size.y) row[y] = pixels[2 * r];
      if (y + 1 >= 0 && y + 1 < size.y) row[y + 1] = pixels[2 * r + 1];
    }
  }
}

}  // namespace

void reconstruct_smooth(const OctetView& v, const float* values, Int3 begin, Int3 size, float* out,
                        cudaStream_t stream) {
  if (size.z <= 0 || size.x <= 0 || size.y <= 0) return;
  const Int3 end{begin.z + size.z, begin.x + size.x, begin.y + size.y};
  const auto tiles_of = [](int from, int to) { return (to + kTile - 1) / kTile - from / kTile; };
  const Int3 first{begin.z / kTile, begin.x / kTile, begin.y / kTile};
  const Int3 tiles{tiles_of(begin.z, end.z), tiles_of(begin.x, end.x), tiles_of(begin.y, end.y)};
  const auto blocks = static_cast<std::uint64_t>(tiles.z) * static_cast<std::uint64_t>(tiles.x) *
                      static_cast<std::uint64_t>(tiles.y);
  paint_smooth<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(v, values, begin, end, first,
                                                                       tiles, out);
  ensure_launched("interpolating pixels");
}

}  // namespace aprscope::gpu

#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include "gpu/projections/projection_insert.hpp"

// Adds central planes to tiles of the frequency half ball. A block owns a tile of T³ voxels, whose
// sums are in its shared memory. Planes are sorted by the dominant axis of their normal. Along this
// axis a thread owns a column and adds what lies between a plane ± the kernel's radius: no atomics,
// always the same order, hence the same bits. Element w of thread t's column is stored at w · T² +
// t, so accesses never share a bank, wherever planes cross; sums are turned in place when the axis
// changes.
namespace aprscope::gpu::insertion {

constexpr int kStaged = 64;   // planes with constants in shared memory
constexpr int kListed = 512;  // planes listed as touching the tile

// 1.5 · 2^23: adding it to a float puts the nearest whole number into its lowest bits.
constexpr float kMagic = 12582912.0F;

template <int T>
struct Tile {
  static constexpr int kThreads = T * T;
  static constexpr int kVoxels = T * T * T;
  static constexpr int kWarps = kThreads / 32;

  // A warp owns 8 × 4 columns, so that a plane that touches it fills most of its lanes.
  static __device__ int slot(int u, int v) {
    return (u & 7) + 8 * (v & 3) + 32 * ((u >> 3) + T / 8 * (v >> 2));
  }
  static __device__ int u_of(int t) { return (t & 7) + 8 * ((t >> 5) % (T / 8)); }
  static __device__ int v_of(int t) { return (t >> 3 & 3) + 4 * ((t >> 5) / (T / 8)); }
};

template <int T>
struct Shared {
  float sums[3 * T * T * T];
  float4 stage[4][kStaged];
  float radius_square[kStaged];
  std::uint16_t list[kListed];
  int found[Tile<T>::kWarps];
};

// Reads the spectrum of an image: real part, imaginary part and weight.
template <Texels kTexels>
struct Reader {
  const InsertView& view;
  // The rows of a texture run along y; each is of one x.
  __device__ float3 operator()(float x, float y, int layer) const {
    if constexpr (kTexels == Texels::filtered) {
      const auto v = tex2DLayered<float2>(view.texture, y, x, layer);
      return {v.x, v.y, 1.0F};
    } else if constexpr (kTexels == Texels::filtered_ctf) {
      const auto v = tex2DLayered<float4>(view.texture, y, x, layer);
      return {v.x, v.y, v.z};
    } else {
      // Positions are those of a texture, in which the centres of texels are at halves.
      const float px = x - 0.5F;
      const float py = y - 0.5F;
      const float ix = floorf(px);
      const float iy = floorf(py);
      const float fx = px - ix;
      const float fy = py - iy;
      const std::int64_t at =
          layer * view.layer_texels + static_cast<int>(ix) * view.row_texels + static_cast<int>(iy);
      const auto mix = [](float a, float b, float f) { return fmaf(f, b - a, a); };
      if constexpr (kTexels == Texels::exact) {
        const float2* const p = reinterpret_cast<const float2*>(view.texels) + at;
        const float2 a = __ldg(p);
        const float2 b = __ldg(p + 1);
        const float2 c = __ldg(p + view.row_texels);
        const float2 d = __ldg(p + view.row_texels + 1);
        return {mix(mix(a.x, b.x, fy), mix(c.x, d.x, fy), fx),
                mix(mix(a.y, b.y, fy), mix(c.y, d.y, fy), fx), 1.0F};
      } else {
        const float4* const p = reinterpret_cast<const float4*>(view.texels) + at;
        const float4 a = __ldg(p);
        const float4 b = __ldg(p + 1);
        const float4 c = __ldg(p + view.row_texels);
        const float4 d = __ldg(p + view.row_texels + 1);
        return {mix(mix(a.x, b.x, fy), mix(c.x, d.x, fy), fx),
                mix(mix(a.y, b.y, fy), mix(c.y, d.y, fy), fx),
                mix(mix(a.z, b.z, fy), mix(c.z, d.z, fy), fx)};
      }
    }
  }
};

// The kernel k as a polynomial in u = 1 − (d/a)², without a constant term.
template <int kTerms>
__device__ __forceinline__ float kernel_of(const InsertView& view, float t) {
  const float u = fmaf(-t, t, 1.0F);
  float k = view.kernel[kTerms - 1];
#pragma unroll
  for (int i = kTerms - 2; i >= 0; --i) k = fmaf(k, u, view.kernel[i]);
  return k * u;
}

// The product of a row of a plane's matrix and the position of a tile's first voxel.
__device__ __forceinline__ float row_at(const InsertPlane& p, int row, float ox, float oy,
                                        float oz) {
  return fmaf(p.rows[row], ox, fmaf(p.rows[row + 1], oy, p.rows[row + 2] * oz));
}

// Where a plane crosses the columns of a tile along an axis: w = x + y u + z v; and how far it
// reaches along the axis from there, less half a voxel.
template <int kAxis>
__device__ __forceinline__ float4 crossing(const InsertView& view, const InsertPlane& p, float ox,
                                           float oy, float oz) {
  constexpr int kU = kAxis == 0 ? 1 : 0;
  constexpr int kV = kAxis == 2 ? 1 : 2;
  const float over = -1.0F / p.rows[6 + kAxis];
  return {row_at(p, 6, ox, oy, oz) * over, p.rows[6 + kU] * over, p.rows[6 + kV] * over,
          fabsf(over) * view.radius - 0.5F};
}

// A bit mask: which of the 32 staged planes from `base` on touch the columns of this thread's warp.
// (u, v): the column of this thread.
template <int T>
__device__ __forceinline__ unsigned touching(const Shared<T>& shared, int base, int count, int u,
                                             int v) {
  const int lane = static_cast<int>(threadIdx.x) & 31;
  const float mu = static_cast<float>(u - (lane & 7)) + 3.5F;
  const float mv = static_cast<float>(v - (lane >> 3)) + 1.5F;
  const float4 mine = shared.stage[0][base + lane];
  const float middle = fmaf(mine.y, mu, fmaf(mine.z, mv, mine.x));
  const float reach = fmaf(3.5F, fabsf(mine.y), fmaf(1.5F, fabsf(mine.z), mine.w + 0.5F));
  return __ballot_sync(~0U, base + lane < count && middle + reach >= 0.0F &&
                                middle - reach <= static_cast<float>(T - 1));
}

// Stages the constants of one plane in one tile, in local coordinates u, v across and w along the
// axis: where it crosses columns and how far it reaches from there, image coordinates, scales.
template <int T, int kAxis>
__device__ __forceinline__ void stage_plane(const InsertView& view, const InsertPlane& p, float ox,
                                            float oy, float oz, Shared<T>& shared, int at) {
  constexpr int kU = kAxis == 0 ? 1 : 0;
  constexpr int kV = kAxis == 2 ? 1 : 2;
  const auto along = [&](int row) { return row_at(p, row, ox, oy, oz); };
  shared.stage[0][at] = crossing<kAxis>(view, p, ox, oy, oz);
  shared.stage[1][at] = {along(0), p.rows[kU], p.rows[kV], p.rows[kAxis]};
  shared.stage[2][at] = {along(3), p.rows[3 + kU], p.rows[3 + kV], p.rows[3 + kAxis]};
  const float stored = view.scales != nullptr ? view.scales[p.layer] : 1.0F;
  shared.stage[3][at] = make_float4(p.rows[6 + kAxis] / view.radius, p.value_scale * stored,
                                    p.weight_scale, __int_as_float(p.layer));
  shared.radius_square[at] = p.radius_square;
}

// Adds `count` staged planes to this thread's column. `low`, `high`: its voxels inside the ball.
template <int T, Texels kTexels, bool kLimited, int kFlight>
__device__ __forceinline__ void add_staged(const InsertView& view, Shared<T>& shared, int count,
                                           int u, int v, float low, float high) {
  using Of = Tile<T>;
  constexpr int kStep = Of::kThreads;
  constexpr bool kExact = kTexels == Texels::exact || kTexels == Texels::exact_ctf;
  constexpr int kTerms = kExact ? kKernelTerms : kFilteredTerms;
  constexpr bool kWeighted = kTexels == Texels::filtered_ctf || kTexels == Texels::exact_ctf;
  const Reader<kTexels> read{view};
  const float fu = static_cast<float>(u);
  const float fv = static_cast<float>(v);
  float* const column = shared.sums + threadIdx.x;
  for (int base = 0; base < count; base += 32) {
    unsigned touched = touching<T>(shared, base, count, u, v);
    while (touched != 0) {
      const int s = base + __ffs(static_cast<int>(touched)) - 1;
      touched &= touched - 1;
      const float4 cross = shared.stage[0][s];
      const float mid = fmaf(cross.y, fu, fmaf(cross.z, fv, cross.x));
      const float from = fmaxf((mid - cross.w) + kMagic, low);
      const float to = fminf((mid + cross.w) + kMagic, high);
      int left = __float_as_int(to) - __float_as_int(from);
      if (left < 0) continue;
      const float4 across = shared.stage[1][s];
      const float4 down = shared.stage[2][s];
      const float4 rest = shared.stage[3][s];
      const float w = from - kMagic;
      float x = fmaf(across.y, fu, fmaf(across.z, fv, fmaf(across.w, w, across.x)));
      float y = fmaf(down.y, fu, fmaf(down.z, fv, fmaf(down.w, w, down.x)));
      float t = (w - mid) * rest.x;
      // Half of the spectrum is stored: for x < 0, reads the conjugate at −(x, y). All voxels of a
      // column use one sign; what they need beyond the axis is stored too.
      const int sign = __float_as_int(x) & static_cast<int>(0x80000000U);
      const auto flip = [&](float a) { return __int_as_float(__float_as_int(a) ^ sign); };
      x = flip(x) + view.zero_x;
      y = flip(y) + view.zero_y;
      const float dx = flip(across.w);
      const float dy = flip(down.w);
      const float scale = rest.y;
      const float scale_i = flip(scale);
      const int layer = __float_as_int(rest.w);
      float* p = column + (__float_as_int(from) - __float_as_int(kMagic)) * kStep;
      for (; left >= 0; left -= kFlight) {
        float3 value[kFlight];
        bool inside[kFlight];
#pragma unroll
        for (int j = 0; j < kFlight; ++j) {
          inside[j] = j <= left;
          if constexpr (kLimited) {
            const float qx = x - view.zero_x;
            const float qy = y - view.zero_y;
            inside[j] = inside[j] && fmaf(qx, qx, qy * qy) <= shared.radius_square[s];
          }
          if (inside[j]) value[j] = read(x, y, layer);
          x += dx;
          y += dy;
        }
#pragma unroll
        for (int j = 0; j < kFlight; ++j) {
          if (inside[j]) {
            const float k = kernel_of<kTerms>(view, t);
            p[j * kStep] = fmaf(k * scale, value[j].x, p[j * kStep]);
            p[j * kStep + Of::kVoxels] = fmaf(k * scale_i, value[j].y, p[j * kStep + Of::kVoxels]);
            p[j * kStep + 2 * Of::kVoxels] =
                fmaf(k, kWeighted ? value[j].z : rest.z, p[j * kStep + 2 * Of::kVoxels]);
          }
          t += rest.x;
        }
        p += kFlight * kStep;
      }
    }
  }
}

// A thread's work with planes, for slabs: stages one for its block, and adds all staged planes to
// its column. BlobColumns is its counterpart for blobs.
template <int T, Texels kTexels, bool kLimited, int kFlight>
struct SlabColumns {
  template <int kAxis>
  static __device__ __forceinline__ void stage(const InsertView& view, const InsertPlane& plane,
                                               float ox, float oy, float oz, Shared<T>& shared,
                                               int at) {
    stage_plane<T, kAxis>(view, plane, ox, oy, oz, shared, at);
  }
  template <int kAxis>
  static __device__ __forceinline__ void add(const InsertView& view, Shared<T>& shared,
                                             const InsertTile& /*tile*/, int count, int u, int v,
                                             float low, float high) {
    add_staged<T, kTexels, kLimited, kFlight>(view, shared, count, u, v, low, high);
  }
};

// Adds the planes whose normals are nearest to one axis.
template <int T, int kAxis, class Columns>
__device__ __forceinline__ bool add_axis(const InsertView& view, Shared<T>& shared,
                                         const InsertTile& tile, int begin, int end, bool started) {
  using Of = Tile<T>;
  const int t = static_cast<int>(threadIdx.x);
  const int u = Of::u_of(t);
  const int v = Of::v_of(t);
  const float ox = static_cast<float>(tile.x);
  const float oy = static_cast<float>(tile.y);
  const float oz = static_cast<float>(tile.z);
  // The range of this column's voxels inside the ball, as floats to which kMagic was added.
  const int along = kAxis == 0 ? tile.x : kAxis == 1 ? tile.y : tile.z;
  const int at_u = u + (kAxis == 0 ? tile.y : tile.x);
  const int at_v = v + (kAxis == 2 ? tile.y : tile.z);
  const int rest = view.ball * view.ball - at_u * at_u - at_v * at_v;
  int reach = rest < 0 ? 0 : static_cast<int>(sqrtf(static_cast<float>(rest)));
  while (reach * reach > rest && reach > 0) --reach;
  while ((reach + 1) * (reach + 1) <= rest) ++reach;
  const float low = static_cast<float>(rest < 0 ? T : max(0, -reach - along)) + kMagic;
  const float high = static_cast<float>(rest < 0 ? -1 : min(T - 1, reach - along)) + kMagic;

  constexpr float kHalf = 0.5F * static_cast<float>(T - 1);
  int listed = 0;
  for (int pos = begin; pos < end || listed > 0;) {
    if (pos < end && listed + Of::kThreads <= kListed) {
      bool touches = false;
      if (pos + t < end) {
        const float4 n = view.normals[pos + t];
        touches = fabsf(fmaf(n.x, ox + kHalf, fmaf(n.y, oy + kHalf, n.z * (oz + kHalf)))) <=
                  fmaf(kHalf, n.w, view.radius);
      }
      const unsigned votes = __ballot_sync(~0U, touches);
      if ((t & 31) == 0) shared.found[t / 32] = __popc(votes);
      __syncthreads();
      int place = listed;
#pragma unroll
      for (int i = 0; i < Of::kWarps; ++i) {
        if (i < t / 32) place += shared.found[i];
        listed += shared.found[i];
      }
      if (touches) {
        shared.list[place + __popc(votes & ((1U << (t & 31)) - 1))] =
            static_cast<std::uint16_t>(pos + t);
      }
      pos += Of::kThreads;
      __syncthreads();
      continue;
    }
    if (!started) {
      for (int i = t; i < 3 * Of::kVoxels / 4; i += Of::kThreads) {
        reinterpret_cast<float4*>(shared.sums)[i] = {0, 0, 0, 0};
      }
      started = true;
    }
    for (int first = 0; first < listed; first += kStaged) {
      const int count = min(kStaged, listed - first);
      __syncthreads();
      if (t < count) {
        Columns::template stage<kAxis>(view, view.planes[shared.list[first + t]], ox, oy, oz,
                                       shared, t);
      }
      __syncthreads();
      Columns::template add<kAxis>(view, shared, tile, count, u, v, low, high);
    }
    listed = 0;
    __syncthreads();
  }
  return started;
}

// Turns sums from columns along x (u = y, v = z) to columns along y (u = x, v = z), or from these
// to columns along z (u = x, v = y). A warp accesses diagonals, to avoid bank conflicts.
template <int T, bool kToZ>
__device__ __forceinline__ void turn(Shared<T>& shared) {
  using Of = Tile<T>;
  const int t = static_cast<int>(threadIdx.x);
  const int u = Of::u_of(t);
  const int v = Of::v_of(t);
  constexpr int kMask = kToZ ? 3 : 7;
  const int start = kToZ ? v : u;
  for (int c = 0; c < 3; ++c) {
    float* const sums = shared.sums + c * Of::kVoxels;
    float column[T];
#pragma unroll
    for (int j = 0; j < T; ++j) {
      const int w = (j & ~kMask) | ((start + j) & kMask);
      column[j] = sums[w * Of::kThreads + t];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < T; ++j) {
      const int w = (j & ~kMask) | ((start + j) & kMask);
      sums[kToZ ? v * Of::kThreads + Of::slot(u, w) : u * Of::kThreads + Of::slot(w, v)] =
          column[j];
    }
  }
  __syncthreads();
}

template <int T, class Columns, int kBlocks>
__global__ void __launch_bounds__(T* T, kBlocks) insert(const __grid_constant__ InsertView view) {
  extern __shared__ __align__(16) char memory[];
  auto& shared = *reinterpret_cast<Shared<T>*>(memory);
  const InsertTile tile = view.tiles[blockIdx.x];
  // The planes are split into parts, each with sums of its own.
  const auto part = [&](int axis, unsigned of) {
    const int begin = view.first[axis];
    return begin + static_cast<int>(static_cast<std::int64_t>(view.first[axis + 1] - begin) * of /
                                    gridDim.y);
  };
  const unsigned y = blockIdx.y;
  bool started = add_axis<T, 0, Columns>(view, shared, tile, part(0, y), part(0, y + 1), false);
  if (started) turn<T, false>(shared);
  started = add_axis<T, 1, Columns>(view, shared, tile, part(1, y), part(1, y + 1), started);
  if (started) turn<T, true>(shared);
  started = add_axis<T, 2, Columns>(view, shared, tile, part(2, y), part(2, y + 1), started);
  if (!started) return;
  __syncthreads();
  constexpr int kCount = 3 * Tile<T>::kVoxels / 4;
  auto* const out = reinterpret_cast<float4*>(view.sums) +
                    (static_cast<std::int64_t>(y) * view.tile_count + tile.slot) * kCount;
  const auto* const in = reinterpret_cast<const float4*>(shared.sums);
#pragma unroll 4
  for (int i = static_cast<int>(threadIdx.x); i < kCount; i += Tile<T>::kThreads) {
    float4 sum = out[i];
    const float4 more = in[i];
    sum.x += more.x;
    sum.y += more.y;
    sum.z += more.z;
    sum.w += more.w;
    out[i] = sum;
  }
}

}  // namespace aprscope::gpu::insertion

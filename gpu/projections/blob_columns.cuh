#pragma once

#include <cstdint>
#include <type_traits>

#include <cuda_runtime.h>

#include "gpu/projections/projection_columns.cuh"

// Columns of voxels to which planes are added by blobs, see insert_blob_planes(). What lies within
// a blob is decided without fused operations, as the processor does: blobs of low order do not fall
// to 0 at their edge, so both must include the same pixels.
namespace aprscope::gpu::insertion {

// a · x + b · y + c · z.
__device__ __forceinline__ float dot_as_processor(float a, float b, float c, float x, float y,
                                                  float z) {
  return __fadd_rn(__fadd_rn(__fmul_rn(a, x), __fmul_rn(b, y)), __fmul_rn(c, z));
}

// The sum over the pixels of a plane (with x ≥ 0) within the blob around (x, y), at distance z from
// it: real and imaginary part, and weight. Where texels have no weights the latter is the sum of
// the blob. Pixels of x < 0 are stored up to the blob's radius.
template <bool kWeighted>
__device__ __forceinline__ float3 blob_sum(const InsertView& view, float x, float y, float z,
                                           int layer, float radius_square) {
  using Texel = std::conditional_t<kWeighted, float4, float2>;
  const InsertBlob& blob = view.blob;
  const float zero_x = view.zero_x - 0.5F;
  const float zero_y = view.zero_y - 0.5F;
  const float z_square = __fmul_rn(z, z);
  const float reach = sqrtf(fmaxf(__fsub_rn(__fmul_rn(blob.radius, blob.radius), z_square), 0.0F));
  // Limited to the pixels that are stored.
  const float first_x = fmaxf(ceilf(x - reach), -zero_y);
  const float first_y = fmaxf(ceilf(y - reach), -zero_y);
  const float last_x = fminf(x + reach, zero_y);
  const float last_y = fminf(y + reach, zero_y);
  float3 sum = {0.0F, 0.0F, 0.0F};
  if (!(first_y <= last_y)) return sum;
  const Texel* const plane = reinterpret_cast<const Texel*>(view.texels) +
                             layer * view.layer_texels + static_cast<int>(first_y + zero_y);
  for (float px = first_x; px <= last_x; px += 1.0F) {
    const Texel* texel = plane + static_cast<int>(px + zero_x) * view.row_texels;
    const float dx = px - x;
    const float dx_square = __fmul_rn(dx, dx);
    const float px_square = px * px;
    for (float py = first_y; py <= last_y; py += 1.0F, ++texel) {
      const float dy = py - y;
      const float square = __fadd_rn(__fadd_rn(dx_square, __fmul_rn(dy, dy)), z_square);
      const float u = __fsub_rn(1.0F, __fmul_rn(square, blob.inverse_square));
      if (!(u >= 0.0F) || fmaf(py, py, px_square) > radius_square) continue;
      const Texel value = __ldg(texel);
      float k = blob.c[kBlobTerms - 1];
#pragma unroll
      for (int i = kBlobTerms - 2; i >= 0; --i) k = fmaf(k, u, blob.c[i]);
      sum.x = fmaf(k, value.x, sum.x);
      sum.y = fmaf(k, value.y, sum.y);
      if constexpr (kWeighted) {
        sum.z = fmaf(k, value.z, sum.z);
      } else {
        sum.z += k;
      }
    }
  }
  return sum;
}

template <int T, bool kWeighted>
struct BlobColumns {
  // Stages a plane: where it crosses the columns, the rows of its matrix, its weight and layer.
  template <int kAxis>
  static __device__ __forceinline__ void stage(const InsertView& view, const InsertPlane& p,
                                               float ox, float oy, float oz, Shared<T>& shared,
                                               int at) {
    shared.stage[0][at] = crossing<kAxis>(view, p, ox, oy, oz);
    shared.stage[1][at] = {p.rows[0], p.rows[1], p.rows[2], p.weight_scale};
    shared.stage[2][at] = {p.rows[3], p.rows[4], p.rows[5], __int_as_float(p.layer)};
    shared.stage[3][at] = {p.rows[6], p.rows[7], p.rows[8], 0.0F};
    shared.radius_square[at] = p.radius_square;
  }

  template <int kAxis>
  static __device__ __forceinline__ void add(const InsertView& view, Shared<T>& shared,
                                             const InsertTile& tile, int count, int u, int v,
                                             float low, float high) {
    using Of = Tile<T>;
    constexpr int kStep = Of::kThreads;
    const float fu = static_cast<float>(u);
    const float fv = static_cast<float>(v);
    const float ox = static_cast<float>(tile.x);
    const float oy = static_cast<float>(tile.y);
    const float oz = static_cast<float>(tile.z);
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
        const float4 normal = shared.stage[3][s];
        const float radius_square = shared.radius_square[s];
        float w = from - kMagic;
        float* p = column + (__float_as_int(from) - __float_as_int(kMagic)) * kStep;
        for (; left >= 0; --left, w += 1.0F, p += kStep) {
          const float vx = ox + (kAxis == 0 ? w : fu);
          const float vy = oy + (kAxis == 0 ? fu : kAxis == 1 ? w : fv);
          const float vz = oz + (kAxis == 2 ? w : fv);
          const float z = dot_as_processor(normal.x, normal.y, normal.z, vx, vy, vz);
          if (!(fabsf(z) < view.blob.radius)) continue;
          const float x = dot_as_processor(across.x, across.y, across.z, vx, vy, vz);
          const float y = dot_as_processor(down.x, down.y, down.z, vx, vy, vz);
          // Half of the spectrum is stored: for x < 0, reads the conjugate at −(x, y).
          const int sign = __float_as_int(x) & static_cast<int>(0x80000000U);
          const auto flip = [&](float a) { return __int_as_float(__float_as_int(a) ^ sign); };
          const float3 sum =
              blob_sum<kWeighted>(view, flip(x), flip(y), z, __float_as_int(down.w), radius_square);
          p[0] += sum.x;
          p[Of::kVoxels] += flip(sum.y);
          p[2 * Of::kVoxels] += kWeighted ? sum.z : sum.z * across.w;
        }
      }
    }
  }
};

}  // namespace aprscope::gpu::insertion

#pragma once

// Sums along lines of cells in shared memory. The weights are parameters of the launch with
// constant indices, so that products use them as operands without loads.
namespace aprscope::gpu {

__device__ inline float multiply_add(float w, float value, float sum) {
  return fmaf(w, value, sum);
}
__device__ inline float2 multiply_add(float w, float2 value, float2 sum) {
  return {fmaf(w, value.x, sum.x), fmaf(w, value.y, sum.y)};
}

/// Replaces the first cells of each of `count` lines by sums along it. `offset(i)`: where line i
/// begins. The first `cells` cells of a line are read; all but the last two of them always exist.
/// Cell: float, or float2 for two neighbouring lines.
template <class Cell, int radius, int results, int threads, class Offset>
__device__ void sum_lines(float* patch, int count, int stride, int cells, const float* weights,
                          const Offset& offset) {
  constexpr int kTaps = 2 * radius + 1;
  constexpr int kCells = results + 2 * radius;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    float* const line = patch + offset(i);
    Cell sum[results] = {};
    const float* from = line;
#pragma unroll
    for (int k = 0; k < kCells; ++k, from += stride) {
      Cell value{};
      if (k < kCells - 2 || k < cells) value = *reinterpret_cast<const Cell*>(from);
#pragma unroll
      for (int j = 0; j < results; ++j) {
        if (k >= j && k - j < kTaps) sum[j] = multiply_add(weights[k - j], value, sum[j]);
      }
    }
    float* to = line;
#pragma unroll
    for (int j = 0; j < results; ++j, to += stride) *reinterpret_cast<Cell*>(to) = sum[j];
  }
}

/// As sum_lines(), with a number of results known at launch only: even and at most 16.
template <class Cell, int radius, int threads, class Offset>
__device__ void sum_all_lines(float* patch, int count, int stride, int results,
                              const float* weights, const Offset& offset) {
  const int cells = results + 2 * radius;
  switch ((results + 3) / 4) {
    case 1:
      sum_lines<Cell, radius, 4, threads>(patch, count, stride, cells, weights, offset);
      break;
    case 2:
      sum_lines<Cell, radius, 8, threads>(patch, count, stride, cells, weights, offset);
      break;
    case 3:
      sum_lines<Cell, radius, 12, threads>(patch, count, stride, cells, weights, offset);
      break;
    default:
      sum_lines<Cell, radius, 16, threads>(patch, count, stride, cells, weights, offset);
  }
}

/// Sums along rows of neighbouring cells, four to a load. Rows begin at a multiple of four, `skip`
/// cells before the first cell that is used.
template <int radius, int skip, int results, int threads, class Offset>
__device__ void sum_rows(float* patch, int count, const float* weights, const Offset& offset) {
  constexpr int kTaps = 2 * radius + 1;
  constexpr int kCells = results + 2 * (radius + skip);
  static_assert(kCells % 4 == 0);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    float4* const row = reinterpret_cast<float4*>(patch + offset(i));
    float sum[results] = {};
#pragma unroll
    for (int q = 0; q < kCells / 4; ++q) {
      const float4 four = row[q];
      const float value[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        const int k = 4 * q + u - skip;
#pragma unroll
        for (int j = 0; j < results; ++j) {
          if (k >= j && k - j < kTaps) sum[j] = fmaf(weights[k - j], value[u], sum[j]);
        }
      }
    }
#pragma unroll
    for (int q = 0; q < results / 4; ++q) {
      row[q] = {sum[4 * q], sum[4 * q + 1], sum[4 * q + 2], sum[4 * q + 3]};
    }
  }
}

template <int radius, int skip, int threads, class Offset>
__device__ void sum_all_rows(float* patch, int count, int results, const float* weights,
                             const Offset& offset) {
  switch ((results + 3) / 4) {
    case 1:
      sum_rows<radius, skip, 4, threads>(patch, count, weights, offset);
      break;
    case 2:
      sum_rows<radius, skip, 8, threads>(patch, count, weights, offset);
      break;
    case 3:
      sum_rows<radius, skip, 12, threads>(patch, count, weights, offset);
      break;
    default:
      sum_rows<radius, skip, 16, threads>(patch, count, weights, offset);
  }
}

}  // namespace aprscope::gpu

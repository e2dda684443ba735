#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_cube.hpp"
#include "gpu/octet/octet_store.cuh"
#include "gpu/octet/octet_window.cuh"

namespace aprscope::gpu {
namespace {

// The warps of a block share the rows of cells around the same octets, up to four octets a lane:
// then one load of four weights serves 32 products. The warps' sums are added up two at a time.
constexpr int kThreads = 384;
constexpr int kWarps = kThreads / 32;
constexpr int kMost = 4;
constexpr int kTurn = 32 * kMost;  // octets

template <int radius>
struct Shared {
  static constexpr int kHalo = (radius + 1) / 2;
  union {
    WindowIndex<kHalo> index;
    float2 parts[kWarps][kTurn];
  };
};

// Adds one row of cells to the results of `octets` octets, each of which begins at its `cell`.
template <int radius, int octets>
__device__ void add_row(const float* patch, const int (&cell)[kMost],
                        const float4* __restrict__ weights, float (&sum)[kMost][8]) {
  constexpr int kSkip = radius % 2;
  float2 now[octets];
#pragma unroll
  for (int n = 0; n < octets; ++n) now[n] = *reinterpret_cast<const float2*>(patch + cell[n]);
#pragma unroll
  for (int k = 0; k < 2 * radius + 1; ++k) {
    const float4 w = __ldg(weights + k);
    const bool odd = (k + kSkip) % 2 != 0;
#pragma unroll
    for (int n = 0; n < octets; ++n) {
      float a = now[n].x;
      float b = now[n].y;
      if (odd) {
        now[n] = *reinterpret_cast<const float2*>(patch + cell[n] + k + kSkip + 1);
        a = b;
        b = now[n].x;
      }
      sum[n][0] = fmaf(w.x, a, sum[n][0]);
      sum[n][1] = fmaf(w.x, b, sum[n][1]);
      sum[n][2] = fmaf(w.y, a, sum[n][2]);
      sum[n][3] = fmaf(w.y, b, sum[n][3]);
      sum[n][4] = fmaf(w.z, a, sum[n][4]);
      sum[n][5] = fmaf(w.z, b, sum[n][5]);
      sum[n][6] = fmaf(w.w, a, sum[n][6]);
      sum[n][7] = fmaf(w.w, b, sum[n][7]);
    }
  }
}

// Adds the rows of this warp. `place`: the first cell of each octet's neighbourhood.
template <int radius, int octets>
__device__ void add_rows(const float* patch, const Window& w, const int (&place)[kMost],
                         const float4* __restrict__ weights, float (&sum)[kMost][8]) {
  constexpr int kRows = 2 * radius + 2;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int begin = kRows * kRows * warp / kWarps;
  const int end = kRows * kRows * (warp + 1) / kWarps;
#pragma unroll 1
  for (int row = begin; row < end; ++row) {
    const int offset = row / kRows * w.plane + row % kRows * w.row;
    int cell[kMost];
#pragma unroll
    for (int n = 0; n < octets; ++n) cell[n] = place[n] + offset;
    add_row<radius, octets>(patch, cell, weights + row * (2 * radius + 1), sum);
  }
}

static_assert(sizeof(Shared<6>) <= kDenseShared);

template <int radius>
__global__ void __launch_bounds__(kThreads, 2)
    dense_cube(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
               std::uint32_t first_work, const float* in, const float4* __restrict__ weights) {
  constexpr int kHalo = (radius + 1) / 2;
  constexpr int kSkip = radius % 2;
  extern __shared__ float4 dynamic[];
  float* const patch = reinterpret_cast<float*>(dynamic);
  __shared__ Shared<radius> shared;
  const BrickWork work = v.work[first_work + blockIdx.x];
  const Int3 low = box_low(work);
  const Int3 high = box_high(work);
  const Window w({work.z * 8 + low.z, work.x * 8 + low.x, work.y * 8 + low.y},
                 {high.z - low.z + 1, high.x - low.x + 1, high.y - low.y + 1}, kHalo, false);
  index_window(v, work.level, w, shared.index);
  __syncthreads();
  stage_window<kThreads>(w, shared.index, SmallDivisor(w.octets.y), in, patch);
  __syncthreads();
  reflect_window(w, v.levels[work.level], t.reflect, patch);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int begin = 0; begin < work.octets; begin += kTurn) {
    int place[kMost];
#pragma unroll
    for (int n = 0; n < kMost; ++n) {
      const int i = begin + n * 32 + lane;
      // For a lane with nothing to compute: any place inside the window, so that reads are valid.
      place[n] = 0;
      if (i >= work.octets) continue;
      const std::uint32_t info = v.info[work.first_octet + static_cast<std::uint32_t>(i)];
      if (info_leaves(info) == 0) continue;
      const Int3 p = info_place(info);
      place[n] = 2 * (p.z - low.z) * w.plane + 2 * (p.x - low.x) * w.row + 2 * (p.y - low.y) +
                 kSkip * (w.plane + w.row);
    }
    float sum[kMost][8] = {};
    const int left = work.octets - begin;
    if (left <= 32) {
      add_rows<radius, 1>(patch, w, place, weights, sum);
    } else if (left <= 64) {
      add_rows<radius, 2>(patch, w, place, weights, sum);
    } else if (left <= 96) {
      add_rows<radius, 3>(patch, w, place, weights, sum);
    } else {
      add_rows<radius, 4>(patch, w, place, weights, sum);
    }
    // Thread 2 i + k adds up the results k, 2 + k, 4 + k and 6 + k of octet i.
    float total[4];
    const int mine = static_cast<int>(threadIdx.x) / 2;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
#pragma unroll
      for (int n = 0; n < kMost; ++n) {
        shared.parts[warp][n * 32 + lane] = {sum[n][2 * c], sum[n][2 * c + 1]};
      }
      __syncthreads();
      if (mine < kTurn) {
        const float* const part = &shared.parts[0][mine].x + threadIdx.x % 2;
        total[c] = part[0];
#pragma unroll
        for (int k = 1; k < kWarps; ++k) total[c] += part[2 * kTurn * k];
      }
      __syncthreads();
    }
    if (mine < kTurn) {
      float result[8];
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        result[2 * c] = total[c];
        result[2 * c + 1] = __shfl_down_sync(~0U, total[c], 1);
      }
      const int i = begin + mine;
      if (threadIdx.x % 2 == 0 && i < work.octets) {
        const std::uint32_t octet = work.first_octet + static_cast<std::uint32_t>(i);
        const std::uint32_t info = v.info[octet];
        if (info_leaves(info) != 0) store(t, octet, info, result);
      }
    }
  }
}

template <int radius>
void launch(const OctetView& v, const WideJob& job, const float4* weights, cudaStream_t stream) {
  constexpr int kBytes = window_floats((radius + 1) / 2) * 4;
  // Set before each launch, as the attribute belongs to the current device.
  ensure(
      cudaFuncSetAttribute(dense_cube<radius>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
      "setting up the convolution");
  dense_cube<radius><<<job.work_count, kThreads, kBytes, stream>>>(v, job.target, job.first_work,
                                                                   job.in, weights);
}

}  // namespace

void convolve_dense_cube(const OctetView& v, const WideJob& job, const float* weights,
                         cudaStream_t stream) {
  if (job.work_count == 0) return;
  const auto* const quads = reinterpret_cast<const float4*>(weights);
  switch (job.radius.z) {
    case 3:
      launch<3>(v, job, quads, stream);
      break;
    case 4:
      launch<4>(v, job, quads, stream);
      break;
    case 5:
      launch<5>(v, job, quads, stream);
      break;
    default:
      launch<6>(v, job, quads, stream);
  }
  ensure_launched("convolving");
}

}  // namespace aprscope::gpu

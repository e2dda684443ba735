#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_patch.cuh"
#include "gpu/octet/octet_shape.hpp"
#include "gpu/octet/octet_store.cuh"
#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kRun = 8;  // results of one lane
constexpr int kSeparableThreads = 512;

// Eight neighbouring sums along a line of cells, with one load of each cell and of each weight.
// Only the first `cells` cells of the line are read.
__device__ void run(const float* line, int stride, int taps, int cells, const float* weights,
                    float (&sum)[kRun]) {
  float w[kRun] = {};
#pragma unroll
  for (int j = 0; j < kRun; ++j) sum[j] = 0.0F;
  const int steps = min(taps + kRun - 1, cells);
  for (int k = 0; k < steps; k += kRun) {
#pragma unroll
    for (int u = 0; u < kRun; ++u) {
      w[u] = weights[k + u];
      const float value = k + u < steps ? line[(k + u) * stride] : 0.0F;
      // Weight k + u − j is in slot (u − j) modulo kRun.
#pragma unroll
      for (int j = 0; j < kRun; ++j) sum[j] = fmaf(w[(u - j) & (kRun - 1)], value, sum[j]);
    }
  }
}

// A pass along a dimension with `stride`: reads each line from cell `offset` on, writes results
// from cell 0 on. Line (a, b) begins at multiples of `stride_a` and `stride_b`, b innermost. A
// group of lanes reads a line completely before it writes.
struct Pass {
  int stride, stride_a, stride_b;
  int count_a, count_b;
  int offset;  // of the first cell that is used
  int taps;
  int results;  // along the line
};

__device__ void pass(float* patch, const Pass& p, const float* weights) {
  const int runs = (p.results + kRun - 1) / kRun;  // 1 or 2
  const int lanes = kSeparableThreads / runs;
  const int lane = runs == 1 ? static_cast<int>(threadIdx.x)
                             : static_cast<int>(threadIdx.x) % (kSeparableThreads / 2);
  const int first = runs == 1 ? 0 : static_cast<int>(threadIdx.x) / (kSeparableThreads / 2) * kRun;
  const int lines = p.count_a * p.count_b;
  const SmallDivisor across(p.count_b);
  for (int begin = 0; begin < lines; begin += lanes) {
    const int i = begin + lane;
    const bool mine = i < lines && first < p.results;
    float* const line = patch + across.quotient(i) * p.stride_a + across.rest(i) * p.stride_b;
    float sum[kRun];
    if (mine) {
      const float* const from = line + (p.offset + first) * p.stride;
      const int cells = p.results - first + p.taps - 1;
      run(from, p.stride, p.taps, cells, weights, sum);
    }
    __syncthreads();
    if (mine) {
#pragma unroll
      for (int j = 0; j < kRun; ++j) {
        if (first + j < p.results) line[(first + j) * p.stride] = sum[j];
      }
    }
  }
  __syncthreads();
}

__global__ void __launch_bounds__(kSeparableThreads, 2)
    separable(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
              std::uint32_t first_work, const float* in, Int3 radius, PatchShape s,
              const __grid_constant__ SeparableWeights weights) {
  extern __shared__ float patch[];
  __shared__ int box[6];
  Item item;
  if (!open_item(v, first_work, s.side, box, item)) return;
  stage_patch(v, item, s, in, t.reflect, patch);
  // Halos are whole octets; with an odd radius the outermost cells are not needed.
  const Int3 skip{2 * s.halo.z - radius.z, 2 * s.halo.x - radius.x, 2 * s.halo.y - radius.y};
  const Int3 cells{2 * item.extent.z, 2 * item.extent.x, 2 * item.extent.y};
  const Int3 taps{2 * radius.z + 1, 2 * radius.x + 1, 2 * radius.y + 1};
  const int rows_z = cells.z + 2 * radius.z;
  const int rows_x = cells.x + 2 * radius.x;
  float* const corner = patch + skip.z * s.plane + skip.x * s.row;
  pass(corner, {1, s.plane, s.row, rows_z, rows_x, skip.y, taps.y, cells.y}, weights.w[2]);
  pass(corner, {s.row, s.plane, 1, rows_z, cells.y, 0, taps.x, cells.x}, weights.w[1]);
  pass(corner, {s.plane, s.row, 1, cells.x, cells.y, 0, taps.z, cells.z}, weights.w[0]);
  for (std::uint32_t octet = item.first + threadIdx.x; octet < item.end;
       octet += kSeparableThreads) {
    const std::uint32_t info = v.info[octet];
    if (info_leaves(info) == 0) continue;
    const Int3 p = info_place(info);
    const float* const at = corner + 2 * (item.brick.z + p.z - item.corner.z) * s.plane +
                            2 * (item.brick.x + p.x - item.corner.x) * s.row +
                            2 * (item.brick.y + p.y - item.corner.y);
    float sum[8] = {at[0],       at[1],           at[s.row],           at[s.row + 1],
                    at[s.plane], at[s.plane + 1], at[s.plane + s.row], at[s.plane + s.row + 1]};
    store(t, octet, info, sum);
  }
}

}  // namespace

bool convolve_separable(const OctetView& v, const WideJob& job, const SeparableWeights& weights,
                        cudaStream_t stream) {
  const Int3& r = job.radius;
  if (r.z > kMaxSeparableRadius || r.x > kMaxSeparableRadius || r.y > kMaxSeparableRadius) {
    return false;
  }
  const PatchShape s = choose_patch(r, false);
  if (s.side == 0) return false;
  if (job.work_count == 0) return true;
  ensure(cudaFuncSetAttribute(separable, cudaFuncAttributeMaxDynamicSharedMemorySize, s.bytes),
         "setting up the convolution");
  separable<<<job.work_count*(s.side == 16 ? 1U : 8U), kSeparableThreads, s.bytes, stream>>>(
      v, job.target, job.first_work, job.in, r, s, weights);
  ensure_launched("convolving");
  return true;
}

}  // namespace aprscope::gpu

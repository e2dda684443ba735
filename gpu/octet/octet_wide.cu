#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/neighbourhood.cuh"
#include "gpu/octet/octet_patch.cuh"
#include "gpu/octet/octet_shape.hpp"
#include "gpu/octet/octet_store.cuh"
#include "gpu/octet/octet_wide.hpp"

namespace aprscope::gpu {
namespace {

// Calls compute(octet, info, place) for octets with particles; place is relative to the patch.
template <class Compute>
__device__ void for_each_octet(const OctetView& v, const Item& item, const PatchShape& s,
                               const Compute& compute) {
  for (std::uint32_t octet = item.first + threadIdx.x; octet < item.end; octet += blockDim.x) {
    const std::uint32_t info = v.info[octet];
    if (info_leaves(info) == 0) continue;
    const Int3 p = info_place(info);
    compute(octet, info,
            Int3{item.brick.z + p.z - item.corner.z + s.halo.z,
                 item.brick.x + p.x - item.corner.x + s.halo.x,
                 item.brick.y + p.y - item.corner.y + s.halo.y});
  }
}

// The eight results of an octet share rows of cells: one load of a cell and of four weights gives
// eight products. The warps of a block take the same 32 octets and divide their rows of cells, to
// be busy even in a block with few octets; one warp then adds up the parts.
constexpr int kDenseThreads = 512;
constexpr int kParts = kDenseThreads / 32;

__global__ void __launch_bounds__(kDenseThreads, 2)
    dense(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
          std::uint32_t first_work, const float* in, Int3 radius, PatchShape s,
          const float4* __restrict__ weights) {
  extern __shared__ float patch[];
  __shared__ float partial[kParts][32][9];
  __shared__ int box[6];
  Item item;
  if (!open_item(v, first_work, s.side, box, item)) return;
  stage_patch(v, item, s, in, t.reflect, patch);
  const int side = 2 * radius.y + 1;
  const int part = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int rows_x = 2 * radius.x + 2;
  const int rows = (2 * radius.z + 2) * rows_x;
  const int row_begin = rows * part / kParts;
  const int row_end = rows * (part + 1) / kParts;
  int turn = 0;
  for (std::uint32_t begin = item.first; begin < item.end;
       begin += 32, turn = (turn + 1) % kParts) {
    const std::uint32_t octet = begin + static_cast<std::uint32_t>(lane);
    const std::uint32_t info = octet < item.end ? v.info[octet] : 0U;
    const bool mine = info_leaves(info) != 0;
    float sum[8] = {};
    if (mine) {
      const Int3 place = info_place(info);
      const Int3 p{item.brick.z + place.z - item.corner.z + s.halo.z,
                   item.brick.x + place.x - item.corner.x + s.halo.x,
                   item.brick.y + place.y - item.corner.y + s.halo.y};
      const int y0 = 2 * p.y - radius.y;
      const int first = (y0 >> 1) + (y0 & 1) * s.odd;
      const int second = (y0 & 1) != 0 ? (y0 >> 1) + 1 : (y0 >> 1) + s.odd;
      const float4* w = weights + row_begin * side;
      const float* const corner =
          patch + (2 * p.z - radius.z) * s.plane + (2 * p.x - radius.x) * s.row;
      int x = row_begin % rows_x;
      const float* plane = corner + row_begin / rows_x * s.plane;
      for (int i = row_begin; i < row_end; ++i) {
        const float* const row = plane + x * s.row;
        const auto add = [&](float4 q, float a, float b) {
          sum[0] = fmaf(q.x, a, sum[0]);
          sum[1] = fmaf(q.x, b, sum[1]);
          sum[2] = fmaf(q.y, a, sum[2]);
          sum[3] = fmaf(q.y, b, sum[3]);
          sum[4] = fmaf(q.z, a, sum[4]);
          sum[5] = fmaf(q.z, b, sum[5]);
          sum[6] = fmaf(q.w, a, sum[6]);
          sum[7] = fmaf(q.w, b, sum[7]);
        };
        const float* even = row + first;
        const float* odd = row + second;
        float a = *even++;
        // Weights in pairs; as their number is odd, one is left over.
#pragma unroll 6
        for (int y = 1; y < side; y += 2, w += 2) {
          const float b = *odd++;
          const float c = *even++;
          add(__ldg(w), a, b);
          add(__ldg(w + 1), b, c);
          a = c;
        }
        add(__ldg(w++), a, *odd);
        if (++x == rows_x) {
          x = 0;
          plane += s.plane;
        }
      }
    }
#pragma unroll
    for (int c = 0; c < 8; ++c) partial[part][lane][c] = sum[c];
    __syncthreads();
    if (part == turn && mine) {
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        sum[c] = partial[0][lane][c];
        for (int k = 1; k < kParts; ++k) sum[c] += partial[k][lane][c];
      }
      store(t, octet, info, sum);
    }
    __syncthreads();
  }
}

template <class Cells>
__device__ float weighted(const Cells& cells, Int3 r, const float4* __restrict__ weights) {
  float sum = 0.0F;
  // Weights come in quadruples; their first members are the stencil, with one row more in z and x.
  for (int z = -r.z; z <= r.z; ++z) {
    for (int x = -r.x; x <= r.x; ++x) {
      const float4* const w =
          weights + (std::int64_t{z + r.z} * (2 * r.x + 2) + x + r.x) * (2 * r.y + 1);
      for (int y = -r.y; y <= r.y; ++y) sum = fmaf(w[y + r.y].x, cells(z, x, y), sum);
    }
  }
  return sum;
}

enum class Wide { deviation, median, min, max, weights, variation };

// `distance`: between neighbouring cells, in pixels.
template <Wide what, class Cells>
__device__ float value_of(const Cells& cells, Int3 r, const float4* weights, float edge,
                          float distance) {
  if constexpr (what == Wide::weights) {
    return weighted(cells, r, weights);
  } else if constexpr (what == Wide::variation) {
    return variation_of(cells, edge * distance) * (1.0F / distance);
  } else {
    return statistic_of<static_cast<Statistic>(what)>(cells, r);
  }
}

// Computes one particle after another, from a patch or by looking cells up.
template <Wide what, bool staged>
__global__ void __launch_bounds__(kWideThreads)
    gather(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
           std::uint32_t first_work, const float* in, Int3 radius, PatchShape s,
           const float4* weights, float edge) {
  extern __shared__ float patch[];
  __shared__ int box[6];
  Item item;
  if (!open_item(v, first_work, staged ? s.side : 16, box, item)) return;
  const auto distance = static_cast<float>(1 << (v.level_max - item.level));
  if constexpr (staged) stage_patch(v, item, s, in, t.reflect, patch);
  for_each_octet(v, item, s, [&](std::uint32_t octet, std::uint32_t info, Int3 p) {
    float sum[8];
    // Unrolled, so that all indices are constants and the array stays in registers.
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      sum[c] = 0.0F;
      if ((info_leaves(info) >> c & 1U) == 0) continue;
      const Int3 at{2 * p.z + (c >> 2), 2 * p.x + (c >> 1 & 1), 2 * p.y + (c & 1)};
      if constexpr (staged) {
        sum[c] = value_of<what>(PatchCells{patch, s, at}, radius, weights, edge, distance);
      } else {
        const Int3 cell{2 * item.corner.z + at.z, 2 * item.corner.x + at.x,
                        2 * item.corner.y + at.y};
        sum[c] = value_of<what>(LookedUpCells{v, in, item.level, cell, t.reflect}, radius, weights,
                                edge, distance);
      }
    }
    store(t, octet, info, sum);
  });
}

template <Wide what>
void launch_gather(const OctetView& v, const WideJob& job, const PatchShape& s,
                   const float4* weights, cudaStream_t stream, float edge = 0.0F) {
  if (s.side == 0) {
    gather<what, false><<<job.work_count, kWideThreads, 0, stream>>>(
        v, job.target, job.first_work, job.in, job.radius, s, weights, edge);
    return;
  }
  ensure(cudaFuncSetAttribute(gather<what, true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              s.bytes),
         "setting up a filter");
  gather<what, true><<<job.work_count*(s.side == 16 ? 1U : 8U), kWideThreads, s.bytes, stream>>>(
      v, job.target, job.first_work, job.in, job.radius, s, weights, edge);
}

}  // namespace

void convolve_dense(const OctetView& v, const WideJob& job, const float* weights,
                    cudaStream_t stream) {
  if (job.work_count == 0) return;
  const PatchShape s = choose_patch(job.radius, true);
  const float4* const quads = reinterpret_cast<const float4*>(weights);
  if (s.side == 0) {
    launch_gather<Wide::weights>(v, job, s, quads, stream);
  } else {
    ensure(cudaFuncSetAttribute(dense, cudaFuncAttributeMaxDynamicSharedMemorySize, s.bytes),
           "setting up the convolution");
    dense<<<job.work_count*(s.side == 16 ? 1U : 8U), kDenseThreads, s.bytes, stream>>>(
        v, job.target, job.first_work, job.in, job.radius, s, quads);
  }
  ensure_launched("convolving");
}

std::uint64_t dense_weight_count(Int3 r) {
  return std::uint64_t(2 * r.z + 2) * std::uint64_t(2 * r.x + 2) * std::uint64_t(2 * r.y + 1) * 4;
}

void dense_weights(const float* stencil, Int3 r, float* weights) {
  const std::int64_t side_z = 2 * r.z + 1;
  const std::int64_t side_x = 2 * r.x + 1;
  const std::int64_t side_y = 2 * r.y + 1;
  for (std::int64_t z = 0; z <= side_z; ++z) {
    for (std::int64_t x = 0; x <= side_x; ++x) {
      for (std::int64_t y = 0; y < side_y; ++y) {
        for (std::int64_t c = 0; c < 4; ++c) {
          const std::int64_t wz = z - c / 2;
          const std::int64_t wx = x - c % 2;
          const bool inside = wz >= 0 && wz < side_z && wx >= 0 && wx < side_x;
          *weights++ = inside ? stencil[(wz * side_x + wx) * side_y + y] : 0.0F;
        }
      }
    }
  }
}

void local_statistic(const OctetView& v, const WideJob& job, Statistic statistic,
                     cudaStream_t stream) {
  if (job.work_count == 0) return;
  const PatchShape s = choose_patch(job.radius, true);
  switch (statistic) {
    case Statistic::deviation:
      launch_gather<Wide::deviation>(v, job, s, nullptr, stream);
      break;
    case Statistic::median:
      launch_gather<Wide::median>(v, job, s, nullptr, stream);
      break;
    case Statistic::min:
      launch_gather<Wide::min>(v, job, s, nullptr, stream);
      break;
    case Statistic::max:
      launch_gather<Wide::max>(v, job, s, nullptr, stream);
      break;
  }
  ensure_launched("computing a local statistic");
}

void total_variation(const OctetView& v, const WideJob& job, float edge, cudaStream_t stream) {
  if (job.work_count == 0) return;
  launch_gather<Wide::variation>(v, job, choose_patch(job.radius, true), nullptr, stream, edge);
  ensure_launched("regularising");
}

}  // namespace aprscope::gpu

#include <algorithm>

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_stencil.hpp"
#include "gpu/octet/octet_store.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 128;
constexpr int kBlocksEach = 7;  // as many as fit into the shared memory of a multiprocessor

// The weights as parameters of a launch, so that products use them as operands without loads;
// `by_level`: each level has its own weights, which are first read into registers.
template <int radius, bool by_level>
struct Weights {
  static constexpr int kSide = 2 * radius + 1;
  float w[by_level ? kMaxLevels : 1][kSide * kSide * kSide];
};

__device__ int own_offset(std::uint32_t info) {
  const Int3 p = info_place(info);
  return (2 * p.z + 2) * kPatchPlane + (2 * p.x + 2) * kPatchRow + p.y + 1;
}

// Half an octet: two rows of two cells.
__device__ void place_half(float* patch, int offset, float4 v) {
  patch[offset] = v.x;
  patch[offset + kPatchOdd] = v.y;
  patch[offset + kPatchRow] = v.z;
  patch[offset + kPatchRow + kPatchOdd] = v.w;
}

// Copies own octets, halo octets and coarser particles to the patch; two neighbouring lanes take
// one octet. A block lasts for only a few memory latencies, so all loads are issued before the
// first is waited for: first all indices, then all values.
template <bool means>
__device__ void stage(const OctetView& v, const BrickWork& work, float* in, float* patch) {
  // Octets for each thread. Data with means to compute is dense; else most bricks have about 120.
  constexpr int kOwn = means ? 4 : 2;
  constexpr int kHalo = means ? 4 : 3;
  constexpr int kCoarse = 1;
  constexpr int kPairs = kThreads / 2;
  const int half = static_cast<int>(threadIdx.x & 1U);
  const int pair = static_cast<int>(threadIdx.x >> 1);
  const std::uint32_t* const source = v.halo_source + work.halo_first;
  const std::uint16_t* const place = v.halo_place + work.halo_first;
  const int halo_end = work.halo;
  const int coarse_end = work.halo + work.coarse;
  int own_at = pair;
  int halo_at = pair;
  int coarse_at = halo_end + static_cast<int>(threadIdx.x);
  int left = max(max((work.octets + kOwn * kPairs - 1) / (kOwn * kPairs),
                     (halo_end + kHalo * kPairs - 1) / (kHalo * kPairs)),
                 (work.coarse + kCoarse * kThreads - 1) / (kCoarse * kThreads));
  for (; left > 0; --left) {
    std::uint32_t halo_source[kHalo];
    std::uint32_t coarse_source[kCoarse];
    std::uint32_t info[kOwn];
    float4 own[kOwn];
#pragma unroll
    for (int k = 0; k < kHalo; ++k) {
      const int i = halo_at + k * kPairs;
      halo_source[k] = i < halo_end ? source[i] : kNoOctet;
    }
#pragma unroll
    for (int k = 0; k < kCoarse; ++k) {
      const int i = coarse_at + k * kThreads;
      coarse_source[k] = i < coarse_end ? source[i] : 0U;
    }
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      const int i = own_at + k * kPairs;
      if (i >= work.octets) continue;
      const std::uint32_t octet = work.first_octet + static_cast<std::uint32_t>(i);
      info[k] = v.info[octet];
      own[k] = *reinterpret_cast<const float4*>(in + std::uint64_t{octet} * 8 + half * 4);
    }
    int halo_place[kHalo];
    float4 halo[kHalo];
    int coarse_place[kCoarse];
    float coarse[kCoarse];
#pragma unroll
    for (int k = 0; k < kHalo; ++k) {
      const int i = halo_at + k * kPairs;
      if (i >= halo_end) continue;
      halo_place[k] = place[i];
      halo[k] = *reinterpret_cast<const float4*>(in + std::uint64_t{halo_source[k]} * 8 + half * 4);
    }
#pragma unroll
    for (int k = 0; k < kCoarse; ++k) {
      const int i = coarse_at + k * kThreads;
      if (i >= coarse_end) continue;
      coarse_place[k] = place[i];
      coarse[k] = in[coarse_source[k]];
    }
#pragma unroll
    for (int k = 0; k < kOwn; ++k) {
      const bool inside = own_at + k * kPairs < work.octets;
      if (inside) place_half(patch, own_offset(info[k]) + half * kPatchPlane, own[k]);
      if (means) {
        // Adds up in the same order as octet_mean().
        float even = inside ? own[k].x + own[k].z : 0.0F;
        float odd = inside ? own[k].y + own[k].w : 0.0F;
        even += __shfl_xor_sync(~0U, even, 1);
        odd += __shfl_xor_sync(~0U, odd, 1);
        if (inside && half == 0) {
          in[v.parent[work.first_octet + static_cast<std::uint32_t>(own_at + k * kPairs)]] =
              (even + odd) / static_cast<float>(8 >> __popc(info_clipped(info[k])));
        }
      }
    }
#pragma unroll
    for (int k = 0; k < kHalo; ++k) {
      if (halo_at + k * kPairs < halo_end) {
        place_half(patch, halo_place[k] + half * kPatchPlane, halo[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < kCoarse; ++k) {
      if (coarse_at + k * kThreads >= coarse_end) continue;
      const float4 all{coarse[k], coarse[k], coarse[k], coarse[k]};
      place_half(patch, coarse_place[k], all);
      place_half(patch, coarse_place[k] + kPatchPlane, all);
    }
    own_at += kOwn * kPairs;
    halo_at += kHalo * kPairs;
    coarse_at += kCoarse * kThreads;
  }
}

__device__ float& patch_cell(float* patch, int z, int x, int y) {
  return patch[z * kPatchPlane + x * kPatchRow + (y >> 1) + (y & 1) * kPatchOdd];
}

// Sets the cells [from, to) × all × all along one axis, which lie beyond the image, from cells
// inside, which are not written at the same time.
__device__ void fill_beyond(float* patch, const LevelLayout& l, Int3 corner, int axis, int from,
                            int to, bool mirror) {
  const auto inside = [](int i) { return min(max(i, 0), kPatchSide - 1); };
  const int count = (to - from) * kPatchSide * kPatchSide;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) {
    const int a = from + i / (kPatchSide * kPatchSide);
    const int b = i / kPatchSide % kPatchSide;
    const int c = i % kPatchSide;
    const Int3 p = axis == 0 ? Int3{a, b, c} : axis == 1 ? Int3{b, a, c} : Int3{b, c, a};
    float value = 0.0F;
    if (mirror) {
      value = patch_cell(patch, inside(reflect(corner.z + p.z, l.cells.z) - corner.z),
                         inside(reflect(corner.x + p.x, l.cells.x) - corner.x),
                         inside(reflect(corner.y + p.y, l.cells.y) - corner.y));
    }
    patch_cell(patch, p.z, p.x, p.y) = value;
  }
}

__device__ void fill_surface(float* patch, const LevelLayout& l, const BrickWork& work,
                             bool mirror) {
  const Int3 corner{work.z * 16 - 2, work.x * 16 - 2, work.y * 16 - 2};
  const int low[3] = {corner.z, corner.x, corner.y};
  const int n[3] = {l.cells.z, l.cells.x, l.cells.y};
  for (int axis = 0; axis < 3; ++axis) {
    if (low[axis] < 0) fill_beyond(patch, l, corner, axis, 0, 2, mirror);
    // Cells from n + 2 on are not read.
    const int from = n[axis] - low[axis];
    if (from < kPatchSide) {
      fill_beyond(patch, l, corner, axis, from, min(from + 2, kPatchSide), mirror);
    }
  }
}

// The eight results of an octet from its neighbourhood of 4³ or 6³ cells.
template <int radius>
__device__ void correlate(const float* patch, int offset, const float* weights, float (&sum)[8]) {
  constexpr int kSide = 2 * radius + 1;
  constexpr int kCells = 2 + 2 * radius;
#pragma unroll
  for (int c = 0; c < 8; ++c) sum[c] = 0.0F;
  const float* const corner = patch + offset - radius * (kPatchPlane + kPatchRow) - 1;
#pragma unroll
  for (int z = 0; z < kCells; ++z) {
#pragma unroll
    for (int x = 0; x < kCells; ++x) {
      const float* const row = corner + z * kPatchPlane + x * kPatchRow;
      float value[kCells];
#pragma unroll
      for (int y = 0; y < kCells; ++y) {
        const int at = y + 2 - radius;  // relative to the even cell before the octet
        value[y] = row[at / 2 + (at % 2) * kPatchOdd];
      }
#pragma unroll
      for (int c = 0; c < 8; ++c) {
        const int wz = z - c / 4;
        const int wx = x - c / 2 % 2;
        if (wz < 0 || wz >= kSide || wx < 0 || wx >= kSide) continue;
#pragma unroll
        for (int wy = 0; wy < kSide; ++wy) {
          sum[c] = fmaf(weights[(wz * kSide + wx) * kSide + wy], value[wy + c % 2], sum[c]);
        }
      }
    }
  }
}

template <int radius, bool means, bool by_level>
__global__ void __launch_bounds__(kThreads, kBlocksEach)
    convolve(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
             std::uint32_t first_work, float* in,
             const __grid_constant__ Weights<radius, by_level> weights) {
  __shared__ float patch[2 * kPatchOdd];
  const BrickWork work = v.work[first_work + blockIdx.x];
  std::uint32_t octet = work.first_octet + threadIdx.x;
  const std::uint32_t end = work.first_octet + work.octets;
  std::uint32_t info = octet < end ? v.info[octet] : 0U;
  stage<means>(v, work, in, patch);
  __syncthreads();
  if (work.surface != 0) {
    fill_surface(patch, v.levels[work.level], work, t.reflect);
    __syncthreads();
  }
  for (; octet < end; octet += kThreads) {
    const std::uint32_t next = octet + kThreads < end ? v.info[octet + kThreads] : 0U;
    if (info_leaves(info) != 0) {
      float sum[8];
      correlate<radius>(patch, own_offset(info), weights.w[by_level ? work.level : 0], sum);
      store(t, octet, info, sum);
    }
    info = next;
  }
}

template <int radius, bool means, bool by_level>
void launch(const OctetView& v, const StencilJob& job, cudaStream_t stream) {
  Weights<radius, by_level> weights;
  constexpr std::size_t kCount = sizeof weights.w[0] / sizeof(float);
  std::copy_n(job.weights, kCount * (by_level ? kMaxLevels : 1), weights.w[0]);
  const auto kernel = convolve<radius, means, by_level>;
  static const cudaError_t ready =
      cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100);
  ensure(ready, "setting up the convolution");
  kernel<<<job.work_count, kThreads, 0, stream>>>(v, job.target, job.first_work, job.in, weights);
}

}  // namespace

void convolve_small(const OctetView& v, const StencilJob& job, cudaStream_t stream) {
  if (job.work_count == 0) return;
  if (job.by_level) {
    launch<1, false, true>(v, job, stream);
  } else if (job.radius == 1) {
    job.means ? launch<1, true, false>(v, job, stream) : launch<1, false, false>(v, job, stream);
  } else {
    job.means ? launch<2, true, false>(v, job, stream) : launch<2, false, false>(v, job, stream);
  }
  ensure_launched("convolving");
}

}  // namespace aprscope::gpu

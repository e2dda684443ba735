#include <algorithm>
#include <cmath>

#include "gpu/device/cuda_check.hpp"
#include "gpu/projections/tile_sums.hpp"
#include "gpu/projections/tile_view.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int kMostRotations = 24;

struct Rotations {
  int count;
  struct {
    signed char axis[3], sign[3];
  } of[kMostRotations];
};

// One thread takes a pair: those with z > 0, or z = 0 and y ≥ 0.
__global__ void __launch_bounds__(kThreads) pairs(const __grid_constant__ TileView t, float* sums) {
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  const int y = i - t.reach;
  const int z = static_cast<int>(blockIdx.y);
  if (y > t.reach || (z == 0 && y < 0) || !in_ball(t, 0, y, z)) return;
  const std::int64_t n = std::int64_t{1} << 3 * t.shift;
  float* const a = sums + offset_of(t, 0, y, z);
  float* const b = sums + offset_of(t, 0, -y, -z);
  const float re = 0.5F * (a[0] + b[0]);
  const float im = 0.5F * (a[n] - b[n]);
  const float weight = 0.5F * (a[2 * n] + b[2 * n]);
  a[0] = b[0] = re;
  // If both members of a pair are the same number the second write wins, as on the processor.
  a[n] = im;
  b[n] = -im;
  a[2 * n] = b[2 * n] = weight;
}

// The voxel of this thread in the tile of this block.
struct Voxel {
  int x, y, z;
  std::int64_t at;
};
__device__ Voxel voxel_of(const TileView& t, const std::int32_t* origins, int i) {
  const int side = 1 << t.shift;
  const std::int32_t* const origin = origins + 3 * blockIdx.x;
  return {origin[0] + (i & (side - 1)), origin[1] + (i >> t.shift & (side - 1)),
          origin[2] + (i >> 2 * t.shift), blockIdx.x * (std::int64_t{3} << 3 * t.shift) + i};
}

// One block takes a tile.
__global__ void __launch_bounds__(kThreads)
    symmetric(const __grid_constant__ TileView t, const std::int32_t* origins,
              const __grid_constant__ Rotations r, float* out) {
  const int n = 1 << 3 * t.shift;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    const Voxel v = voxel_of(t, origins, i);
    float sum[3] = {};
    if (in_ball(t, v.x, v.y, v.z)) {
      const int from[3] = {v.x, v.y, v.z};
      for (int j = 0; j < r.count; ++j) {
        const auto& rotation = r.of[j];
        int to[3];
        for (int d = 0; d < 3; ++d) {
          const int axis = rotation.axis[d];
          to[d] = rotation.sign[d] * (axis == 0 ? from[0] : axis == 1 ? from[1] : from[2]);
        }
        const bool conjugate = to[0] < 0;
        const int sign = conjugate ? -1 : 1;
        const float* const at = t.sums + offset_of(t, sign * to[0], sign * to[1], sign * to[2]);
        sum[0] += at[0];
        sum[1] += conjugate ? -at[n] : at[n];
        sum[2] += at[2 * n];
      }
    }
    for (int channel = 0; channel < 3; ++channel) out[v.at + channel * n] = sum[channel];
  }
}

// The sum of the numbers of a block; valid in every thread.
__device__ double block_sum(double own, double* shared) {
  shared[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  const double sum = shared[0];
  __syncthreads();
  return sum;
}

__device__ int nearest(int from, int side) {
  return from > 0 ? from : from + side - 1 < 0 ? from + side - 1 : 0;
}

__global__ void __launch_bounds__(kThreads)
    shells(const __grid_constant__ TileView t, const std::int32_t* origins, const double* means,
           double share, double* sums, double* counts) {
  __shared__ double shared[kThreads];
  const int side = 1 << t.shift;
  const int n = 1 << 3 * t.shift;
  const std::int32_t* const origin = origins + 3 * blockIdx.x;
  const int first =
      shell_of(nearest(origin[0], side), nearest(origin[1], side), nearest(origin[2], side));
  for (int shell = 0; shell < kTileShells; ++shell) {
    double sum = 0.0;
    double count = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
      const Voxel v = voxel_of(t, origins, i);
      if (!in_ball(t, v.x, v.y, v.z) || shell_of(v.x, v.y, v.z) != first + shell) continue;
      const double own = v.x == 0 ? 1.0 : 2.0;
      const double w = t.sums[v.at + 2 * n];
      count += own;
      sum += means == nullptr ? own * w : w < share * means[first + shell] ? own : 0.0;
    }
    sum = block_sum(sum, shared);
    count = block_sum(count, shared);
    if (threadIdx.x == 0) {
      sums[blockIdx.x * kTileShells + shell] = sum;
      counts[blockIdx.x * kTileShells + shell] = count;
    }
  }
}

}  // namespace

void average_pairs(const TileView& tiles, float* sums, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((2 * tiles.reach + kThreads) / kThreads),
                  static_cast<unsigned>(tiles.reach + 1));
  pairs<<<grid, kThreads, 0, stream>>>(tiles, sums);
  ensure_launched("averaging pairs of sums");
}

void symmetrise(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                std::span<const GridRotation> aligned, float* out, cudaStream_t stream) {
  Rotations rotations{};
  rotations.count = static_cast<int>(std::min<std::size_t>(aligned.size(), kMostRotations));
  for (int j = 0; j < rotations.count; ++j) {
    for (int d = 0; d < 3; ++d) {
      const auto& from = aligned[static_cast<std::size_t>(j)];
      const auto i = static_cast<std::size_t>(d);
      rotations.of[j].axis[d] = static_cast<signed char>(from.axis[i]);
      rotations.of[j].sign[d] = static_cast<signed char>(from.sign[i]);
    }
  }
  symmetric<<<static_cast<unsigned>(count), kThreads, 0, stream>>>(tiles, origins, rotations, out);
  ensure_launched("adding symmetric sums");
}

std::int64_t first_shell(const std::int32_t* origin, std::int64_t side) {
  double square = 0.0;
  for (int d = 0; d < 3; ++d) {
    const std::int64_t from = origin[d];
    const std::int64_t near = from > 0 ? from : std::min<std::int64_t>(from + side - 1, 0);
    square += static_cast<double>(near * near);
  }
  return std::lround(std::sqrt(square));
}

void sum_shells(const TileView& tiles, const std::int32_t* origins, std::int32_t count,
                const double* means, double share, double* sums, double* counts,
                cudaStream_t stream) {
  shells<<<static_cast<unsigned>(count), kThreads, 0, stream>>>(tiles, origins, means, share, sums,
                                                                counts);
  ensure_launched("adding sums by shell");
}

}  // namespace aprscope::gpu

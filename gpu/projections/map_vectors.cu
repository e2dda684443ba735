#include "gpu/device/cuda_check.hpp"
#include "gpu/projections/map_vectors.hpp"
#include "gpu/projections/tile_view.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;

unsigned blocks(std::int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ int own_x() { return static_cast<int>(blockIdx.x * kThreads + threadIdx.x); }

// The row of a box or of a map that this block works on, at (blockIdx.z, blockIdx.y).
__device__ std::int64_t row_of(int rows) { return std::int64_t{blockIdx.z} * rows + blockIdx.y; }

__global__ void __launch_bounds__(kThreads)
    pad(int side, int padded, const float* map, float* box) {
  const int x = own_x();
  if (x >= padded + 2) return;
  const int y = static_cast<int>(blockIdx.y);
  const int z = static_cast<int>(blockIdx.z);
  const bool inside = x < side && y < side && z < side;
  box[row_of(padded) * (padded + 2) + x] =
      inside ? map[(std::int64_t{z} * side + y) * side + x] : 0.0F;
}

__global__ void __launch_bounds__(kThreads)
    crop(int side, int padded, const float* box, float* map) {
  const int x = own_x();
  if (x >= side) return;
  map[row_of(side) * side + x] = box[row_of(padded) * (padded + 2) + x];
}

__global__ void __launch_bounds__(kThreads)
    multiply(std::int64_t count, const float* kernel, float2* spectrum) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float k = kernel[i];
  const float2 value = spectrum[i];
  spectrum[i] = {k * value.x, k * value.y};
}

__global__ void __launch_bounds__(kThreads)
    kernels(const __grid_constant__ TileView t, const double* means, const double* tau, int padded,
            float scale, const float2* spectrum, float* point, float* weights) {
  const int x = own_x();
  const int length = padded / 2 + 1;
  if (x >= length) return;
  const auto sign = [&](unsigned i) {
    return static_cast<int>(i) <= padded / 2 ? static_cast<int>(i) : static_cast<int>(i) - padded;
  };
  const int y = sign(blockIdx.y);
  const int z = sign(blockIdx.z);
  const std::int64_t at = row_of(padded) * length + x;
  float p = spectrum[at].x;
  float weight = 0.0F;
  if (in_ball(t, x, y, z)) {
    const double w = t.sums[offset_of(t, x, y, z) + (std::int64_t{2} << 3 * t.shift)];
    const int shell = shell_of(x, y, z);
    p += static_cast<float>(tau[shell]);
    const double sum = w + 0.1 * means[shell] + tau[shell];
    weight = sum > 0.0 ? static_cast<float>(1.0 / sum) : 0.0F;
  }
  point[at] = scale * p;
  weights[at] = scale * weight;
}

__global__ void __launch_bounds__(kThreads)
    combine(std::int64_t count, const float* a, float factor, const float* b, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) out[i] = a[i] + factor * b[i];
}

// The sum of the numbers of a block; valid in thread 0.
__device__ double block_sum(double own) {
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

__global__ void __launch_bounds__(kThreads)
    dot_parts(std::int64_t count, const float* a, const float* b, double* parts) {
  double sum = 0.0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += std::int64_t{kDotParts} * kThreads) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads) add_parts(const double* parts, double* total) {
  double sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < kDotParts; i += kThreads) sum += parts[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *total = sum;
}

dim3 rows(std::int64_t length, std::int32_t side) {
  return {blocks(length), static_cast<unsigned>(side), static_cast<unsigned>(side)};
}

}  // namespace

void pad_map(std::int32_t side, std::int32_t padded, const float* map, float* box,
             cudaStream_t stream) {
  pad<<<rows(padded + 2, padded), kThreads, 0, stream>>>(side, padded, map, box);
  ensure_launched("padding a map");
}

void crop_map(std::int32_t side, std::int32_t padded, const float* box, float* map,
              cudaStream_t stream) {
  crop<<<rows(side, side), kThreads, 0, stream>>>(side, padded, box, map);
  ensure_launched("cropping a map");
}

void multiply_spectrum(std::int32_t padded, const float* kernel, float* box, cudaStream_t stream) {
  const std::int64_t count = std::int64_t{padded} * padded * (padded / 2 + 1);
  multiply<<<blocks(count), kThreads, 0, stream>>>(count, kernel, reinterpret_cast<float2*>(box));
  ensure_launched("multiplying a spectrum");
}

void make_kernels(const TileView& tiles, const double* means, const double* tau,
                  std::int32_t padded, float scale, const float* spectrum, float* point,
                  float* weights, cudaStream_t stream) {
  kernels<<<rows(padded / 2 + 1, padded), kThreads, 0, stream>>>(
      tiles, means, tau, padded, scale, reinterpret_cast<const float2*>(spectrum), point, weights);
  ensure_launched("making kernels of least squares");
}

void combine_maps(std::int64_t count, const float* a, float factor, const float* b, float* out,
                  cudaStream_t stream) {
  combine<<<blocks(count), kThreads, 0, stream>>>(count, a, factor, b, out);
  ensure_launched("combining maps");
}

void dot_maps(std::int64_t count, const float* a, const float* b, double* parts, double* total,
              cudaStream_t stream) {
  dot_parts<<<kDotParts, kThreads, 0, stream>>>(count, a, b, parts);
  add_parts<<<1, kThreads, 0, stream>>>(parts, total);
  ensure_launched("multiplying maps");
}

}  // namespace aprscope::gpu

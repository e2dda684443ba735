#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_arithmetic.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;

__device__ float plus_square(float a, float b) { return fmaf(b, b, a); }

__global__ void square_each(const float4* a, const float4* b, float4* out, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float4 u = a[i];
  const float4 w = b[i];
  out[i] = {plus_square(u.x, w.x), plus_square(u.y, w.y), plus_square(u.z, w.z),
            plus_square(u.w, w.w)};
}

__global__ void root_each(const float4* a, float4* out, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float4 u = a[i];
  out[i] = {sqrtf(u.x), sqrtf(u.y), sqrtf(u.z), sqrtf(u.w)};
}

unsigned blocks_for(std::uint64_t fours) {
  return static_cast<unsigned>((fours + kThreads - 1) / kThreads);
}

}  // namespace

void add_square(const float* a, const float* b, float* out, std::uint64_t count,
                cudaStream_t stream) {
  const std::uint64_t n = count / 4;
  if (n == 0) return;
  square_each<<<blocks_for(n), kThreads, 0, stream>>>(reinterpret_cast<const float4*>(a),
                                                      reinterpret_cast<const float4*>(b),
                                                      reinterpret_cast<float4*>(out), n);
  ensure_launched("arithmetic on values");
}

void square_root(const float* a, float* out, std::uint64_t count, cudaStream_t stream) {
  const std::uint64_t n = count / 4;
  if (n == 0) return;
  root_each<<<blocks_for(n), kThreads, 0, stream>>>(reinterpret_cast<const float4*>(a),
                                                    reinterpret_cast<float4*>(out), n);
  ensure_launched("arithmetic on values");
}

}  // namespace aprscope::gpu

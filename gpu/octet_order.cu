#include "gpu/cuda_check.hpp"
#include "gpu/octet_order.hpp"
#include "gpu/octets.cuh"

namespace aprscope::gpu {
namespace {

// Large blocks: neighbouring rows of particles meet in one cache.
constexpr int kThreads = 1024;

// One thread a row of two children.
__global__ void gather(OctetView v, const float* __restrict__ linear, float* octets) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x + 4;
  const std::uint64_t octet = i / 4;
  if (octet > v.octet_count) return;
  const std::uint32_t two = info_leaves(v.info[octet]) >> (2 * (i % 4)) & 3U;
  if (two == 0) return;
  const std::uint32_t begin = v.rows[i];
  float* const out = octets + i * 2;
  if (two == 3) {
    *reinterpret_cast<float2*>(out) = {linear[begin], linear[begin + 1]};
  } else {
    out[two - 1] = linear[begin];
  }
}

__global__ void scatter(OctetView v, const float* __restrict__ octets, float* linear) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x + 4;
  const std::uint64_t octet = i / 4;
  if (octet > v.octet_count) return;
  const std::uint32_t two = info_leaves(v.info[octet]) >> (2 * (i % 4)) & 3U;
  if (two == 0) return;
  const std::uint32_t begin = v.rows[i];
  const float2 in = *reinterpret_cast<const float2*>(octets + i * 2);
  linear[begin] = (two & 1U) != 0 ? in.x : in.y;
  if (two == 3) linear[begin + 1] = in.y;
}

unsigned grid(const OctetView& v) {
  return static_cast<unsigned>((std::uint64_t{v.octet_count} * 4 + kThreads - 1) / kThreads);
}

}  // namespace

void to_octets(const OctetView& v, const float* linear, float* octets, cudaStream_t stream) {
  gather<<<grid(v), kThreads, 0, stream>>>(v, linear, octets);
  ensure_launched("ordering particles");
}

void to_linear(const OctetView& v, const float* octets, float* linear, cudaStream_t stream) {
  scatter<<<grid(v), kThreads, 0, stream>>>(v, octets, linear);
  ensure_launched("ordering particles");
}

}  // namespace aprscope::gpu

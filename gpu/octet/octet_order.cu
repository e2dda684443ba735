#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_order.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

// Large blocks, so that neighbouring rows of particles share a cache.
constexpr int kThreads = 1024;

// One thread takes two rows of two children, so that several loads are in flight.
__global__ void gather(OctetView v, const float* __restrict__ linear, float* octets) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x + 2;
  const std::uint64_t octet = i / 2;
  if (octet > v.octet_count) return;
  const std::uint32_t leaves = info_leaves(v.info[octet]) >> (4 * (i % 2)) & 15U;
  const uint2 begin = reinterpret_cast<const uint2*>(v.rows)[i];
  float* const out = octets + i * 4;
  if (leaves == 15) {
    const float a = linear[begin.x];
    const float b = linear[begin.x + 1];
    const float c = linear[begin.y];
    const float d = linear[begin.y + 1];
    *reinterpret_cast<float4*>(out) = {a, b, c, d};
    return;
  }
  // Slots of interior cells and of cells beyond the image are left unchanged.
  if ((leaves & 1U) != 0) out[0] = linear[begin.x];
  if ((leaves & 2U) != 0) out[1] = linear[begin.x + (leaves & 1U)];
  if ((leaves & 4U) != 0) out[2] = linear[begin.y];
  if ((leaves & 8U) != 0) out[3] = linear[begin.y + (leaves >> 2 & 1U)];
}

// Row `i` of two children.
__device__ void scatter_row(const OctetView& v, const float* __restrict__ octets, std::uint64_t i,
                            float* linear) {
  const std::uint32_t two = info_leaves(v.info[i / 4]) >> (2 * (i % 4)) & 3U;
  if (two == 0) return;
  const std::uint32_t begin = v.rows[i];
  const float2 in = *reinterpret_cast<const float2*>(octets + i * 2);
  linear[begin] = (two & 1U) != 0 ? in.x : in.y;
  if (two == 3) linear[begin + 1] = in.y;
}

__global__ void scatter(OctetView v, const float* __restrict__ octets, float* linear) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x + 4;
  if (i / 4 <= v.octet_count) scatter_row(v, octets, i, linear);
}

// One block per brick.
__global__ void scatter_bricks(OctetView v, const float* __restrict__ octets, float* linear) {
  const BrickWork& work = v.work[blockIdx.x];
  const std::uint64_t first = std::uint64_t{work.first_octet} * 4;
  for (std::uint32_t i = threadIdx.x; i < work.octets * 4U; i += blockDim.x) {
    scatter_row(v, octets, first + i, linear);
  }
}

__global__ void pick_values(const float* __restrict__ linear, const std::uint32_t* indices,
                            std::uint64_t count, float* out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) out[i] = linear[indices[i]];
}

unsigned grid(const OctetView& v, unsigned each) {
  return static_cast<unsigned>((std::uint64_t{v.octet_count} * each + kThreads - 1) / kThreads);
}

}  // namespace

void to_octets(const OctetView& v, const float* linear, float* octets, cudaStream_t stream) {
  gather<<<grid(v, 2), kThreads, 0, stream>>>(v, linear, octets);
  ensure_launched("ordering particles");
}

void to_linear(const OctetView& v, const float* octets, float* linear, cudaStream_t stream) {
  scatter<<<grid(v, 4), kThreads, 0, stream>>>(v, octets, linear);
  ensure_launched("ordering particles");
}

void bricks_to_linear(const OctetView& v, std::uint32_t bricks, const float* octets, float* linear,
                      cudaStream_t stream) {
  if (bricks == 0) return;
  scatter_bricks<<<bricks, 256, 0, stream>>>(v, octets, linear);
  ensure_launched("ordering particles");
}

void pick(const float* linear, const std::uint32_t* indices, std::uint64_t count, float* out,
          cudaStream_t stream) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  pick_values<<<blocks, kThreads, 0, stream>>>(linear, indices, count, out);
  ensure_launched("picking particles");
}

}  // namespace aprscope::gpu

#include "gpu/cuda_check.hpp"
#include "gpu/octet_arithmetic.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;

template <Arithmetic what>
__device__ float apply(float a, float b) {
  switch (what) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::subtract:
      return a - b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::divide:
      return b != 0.0F ? a / b : 0.0F;
    case Arithmetic::min:
      return fminf(a, b);
    case Arithmetic::max:
      return fmaxf(a, b);
    case Arithmetic::add_square:
      return fmaf(b, b, a);
    case Arithmetic::root:
      break;
  }
  return sqrtf(a);
}

template <Arithmetic what, bool constant>
__global__ void each(const float4* a, const float4* b, float c, float4* out, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float4 u = a[i];
  const float4 w = constant ? float4{c, c, c, c} : b[i];
  out[i] = {apply<what>(u.x, w.x), apply<what>(u.y, w.y), apply<what>(u.z, w.z),
            apply<what>(u.w, w.w)};
}

template <bool constant>
void launch(Arithmetic what, const float* a, const float* b, float c, float* out,
            std::uint64_t count, cudaStream_t stream) {
  const std::uint64_t n = count / 4;
  if (n == 0) return;
  const auto* const u = reinterpret_cast<const float4*>(a);
  const auto* const w = reinterpret_cast<const float4*>(b);
  auto* const to = reinterpret_cast<float4*>(out);
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  switch (what) {
    case Arithmetic::add:
      each<Arithmetic::add, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::subtract:
      each<Arithmetic::subtract, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::multiply:
      each<Arithmetic::multiply, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::divide:
      each<Arithmetic::divide, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::min:
      each<Arithmetic::min, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::max:
      each<Arithmetic::max, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::add_square:
      each<Arithmetic::add_square, constant><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
    case Arithmetic::root:
      each<Arithmetic::root, true><<<blocks, kThreads, 0, stream>>>(u, w, c, to, n);
      break;
  }
  ensure_launched("arithmetic on particles");
}

}  // namespace

void combine(Arithmetic what, const float* a, const float* b, float* out, std::uint64_t count,
             cudaStream_t stream) {
  launch<false>(what, a, b, 0.0F, out, count, stream);
}

void combine(Arithmetic what, const float* a, float b, float* out, std::uint64_t count,
             cudaStream_t stream) {
  launch<true>(what, a, nullptr, b, out, count, stream);
}

}  // namespace aprscope::gpu

#include "gpu/deconvolution/cosine_multiply.hpp"
#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "Fourier transform on the GPU";
constexpr int kThreads = 128;

unsigned blocks(std::int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ float2 add(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 subtract(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 times(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ float2 conj(float2 a) { return {a.x, -a.y}; }
__device__ float2 half(float2 a) { return {0.5F * a.x, 0.5F * a.y}; }
__device__ float2 times_i(float2 a) { return {-a.y, a.x}; }

// Multiplies one of the two halves that rotation along y gives. Rotated along x and z too, a half
// consists of real cosine coefficients, which the factors multiply.
__device__ void multiply_half(float2& plus, float2& minus, float2 turn_x, float2 turn_z, float pp,
                              float mp, float pm, float mm) {
  const float2 a = times(plus, turn_x);
  const float2 b = conj(times(minus, turn_x));
  float2 d = times(half(add(a, b)), turn_z);
  float2 e = times(times_i(half(subtract(a, b))), turn_z);
  d = times({d.x * pp, d.y * mp}, conj(turn_z));
  e = times({e.x * pm, e.y * mm}, conj(turn_z));
  const float2 ie = times_i(e);
  plus = times(subtract(d, ie), conj(turn_x));
  minus = times(conj(add(d, ie)), conj(turn_x));
}

// One thread takes the four complex numbers (±k1, ±k2, k), which hold eight real coefficients.
__global__ void __launch_bounds__(kThreads)
    multiply(const __grid_constant__ GridView g, const float2* factors, CosineTurns turns) {
  const int complexes = g.row / 2;
  const int k = static_cast<int>(blockIdx.y * kThreads + threadIdx.x);
  if (k >= complexes) return;
  const int lines_x = g.size.x / 2 + 1;
  const int k1 = static_cast<int>(blockIdx.x) / lines_x;
  const int k2 = static_cast<int>(blockIdx.x) % lines_x;
  const int m1 = (g.size.z - k1) % g.size.z;
  const int m2 = (g.size.x - k2) % g.size.x;
  const auto at = [&](int a, int b) { return (std::int64_t{a} * g.size.x + b) * complexes + k; };
  auto* const spectrum = reinterpret_cast<float2*>(g.buffer);
  const std::int64_t pp = at(k1, k2);
  const std::int64_t mp = at(m1, k2);
  const std::int64_t pm = at(k1, m2);
  const std::int64_t mm = at(m1, m2);
  const float2 hpp = factors[pp];
  const float2 hmp = factors[mp];
  const float2 hpm = factors[pm];
  const float2 hmm = factors[mm];
  const float2 turn = turns.y[k];
  const float2 turn_x = turns.x[k2];
  const float2 turn_z = turns.z[k1];
  const float2 p1 = times(spectrum[pp], turn);
  const float2 p2 = times(spectrum[mp], turn);
  const float2 p3 = times(spectrum[pm], turn);
  const float2 p4 = times(spectrum[mm], turn);
  float2 a_plus = half(add(p1, conj(p4)));
  float2 a_minus = half(add(p2, conj(p3)));
  float2 b_plus = times_i(half(subtract(p1, conj(p4))));
  float2 b_minus = times_i(half(subtract(p2, conj(p3))));
  multiply_half(a_plus, a_minus, turn_x, turn_z, hpp.x, hmp.x, hpm.x, hmm.x);
  multiply_half(b_plus, b_minus, turn_x, turn_z, hpp.y, hmp.y, hpm.y, hmm.y);
  const float2 ib_plus = times_i(b_plus);
  const float2 ib_minus = times_i(b_minus);
  const float2 back = conj(turn);
  // Two of the four places may be the same number; then both writes store the same value.
  spectrum[pp] = times(subtract(a_plus, ib_plus), back);
  spectrum[mm] = times(conj(add(a_plus, ib_plus)), back);
  spectrum[mp] = times(subtract(a_minus, ib_minus), back);
  spectrum[pm] = times(conj(add(a_minus, ib_minus)), back);
}

__device__ double sum_of(const double* in, int taps, std::int64_t step, int k, int n,
                         const double* cosines) {
  double sum = in[0];
  for (int t = 1; t < taps; ++t) {
    const auto j = static_cast<unsigned>(static_cast<std::uint64_t>(k) * static_cast<unsigned>(t) %
                                         static_cast<unsigned>(2 * n));
    sum += 2.0 * cosines[j] * in[t * step];
  }
  return sum;
}

__global__ void __launch_bounds__(kThreads)
    sum_middle(const double* in, std::int64_t count, int taps, std::int64_t inner, int n,
               const double* cosines, double* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::int64_t o = i / inner / n;
  const int k = static_cast<int>(i / inner % n);
  out[i] = sum_of(in + o * taps * inner + i % inner, taps, inner, k, n, cosines);
}

__global__ void __launch_bounds__(kThreads)
    sum_first(const double* in, std::int64_t count, int taps, Int3 n, const double* cosines,
              double scale, float2* factors) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const int complexes = n.y / 2 + 1;
  const int k = static_cast<int>(i % complexes);
  const std::int64_t row = i / complexes;
  const double* const from = in + row % n.x * n.y;
  const int k1 = static_cast<int>(row / n.x);
  const std::int64_t plane = std::int64_t{n.x} * n.y;
  const double low = sum_of(from + k, taps, plane, k1, n.z, cosines);
  const double high = sum_of(from + (n.y - k) % n.y, taps, plane, k1, n.z, cosines);
  factors[i] = {static_cast<float>(scale * low), static_cast<float>(scale * high)};
}

}  // namespace

void multiply_cosines(const GridView& g, const float2* factors, const CosineTurns& turns,
                      cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((g.size.z / 2 + 1) * (g.size.x / 2 + 1)),
                  blocks(g.row / 2));
  multiply<<<grid, kThreads, 0, stream>>>(g, factors, turns);
  ensure_launched(kWhat);
}

void sum_cosines(const double* in, std::int64_t outer, int taps, std::int64_t inner, int n,
                 const double* cosines, double* out, cudaStream_t stream) {
  const std::int64_t count = outer * n * inner;
  sum_middle<<<blocks(count), kThreads, 0, stream>>>(in, count, taps, inner, n, cosines, out);
  ensure_launched(kWhat);
}

void cosine_factors(const double* in, int taps, Int3 n, const double* cosines, double scale,
                    float2* factors, cudaStream_t stream) {
  const std::int64_t count = std::int64_t{n.z} * n.x * (n.y / 2 + 1);
  sum_first<<<blocks(count), kThreads, 0, stream>>>(in, count, taps, n, cosines, scale, factors);
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

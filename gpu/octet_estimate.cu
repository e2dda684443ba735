#include "gpu/octet_estimate.hpp"
#include "gpu/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "deconvolution on the GPU";
constexpr int kThreads = 256;
constexpr int kSums = 5;

// As on the CPU, see estimate_update.cpp.
constexpr float kLargest = 1e30F;
constexpr float kSmallest = 1e-30F;
constexpr float kLeastDivisor = 0.1F;
constexpr float kLeastOnes = 1e-6F;

__device__ float stepped(float point, float correction, float ones, float smoothing) {
  const float floor = fmaxf(ones, kLeastOnes);
  const float divisor = fmaxf(ones - smoothing, kLeastDivisor * floor);
  const float now = fminf(point * fmaxf(correction, 0.0F) / divisor, kLargest);
  return now > kSmallest ? now : 0.0F;
}

// r ln r − r + 1 for r ≥ 0, accurate where r is close to 1.
__device__ float excess(float r) {
  const int bits = __float_as_int(r);
  const int e = (bits - 0x3F3504F3) >> 23;
  const float m = __int_as_float(bits - (e << 23));
  const float t = (m - 1.0F) / (m + 1.0F);
  const float q = t * t;
  const float series =
      2.0F * t * (1.0F + q * (1.0F / 3 + q * (1.0F / 5 + q * (1.0F / 7 + q * (1.0F / 9)))));
  const float log = series + static_cast<float>(e) * 0.693147181F;
  return r > 1e-37F ? r * log - (r - 1.0F) : 1.0F;
}

// Sums of a block, in a fixed order, to partial[blockIdx.x].
template <int count>
__device__ void sum_block(double (&own)[count], double* partial) {
  __shared__ double warps[kThreads / 32][count];
#pragma unroll
  for (int s = 0; s < count; ++s) {
    for (int d = 16; d > 0; d /= 2) own[s] += __shfl_xor_sync(~0U, own[s], d);
  }
  if (threadIdx.x % 32 == 0) {
#pragma unroll
    for (int s = 0; s < count; ++s) warps[threadIdx.x / 32][s] = own[s];
  }
  __syncthreads();
  if (threadIdx.x < count) {
    double sum = 0.0;
    for (int w = 0; w < kThreads / 32; ++w) sum += warps[w][threadIdx.x];
    partial[blockIdx.x * kSums + threadIdx.x] = sum;
  }
}

__global__ void __launch_bounds__(kThreads)
    add_partials(const double* partial, unsigned blocks, double* total) {
  __shared__ double sums[kThreads];
  for (int s = 0; s < kSums; ++s) {
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < blocks; i += kThreads) sum += partial[i * kSums + s];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned d = kThreads / 2; d > 0; d /= 2) {
      if (threadIdx.x < d) sums[threadIdx.x] += sums[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) total[s] = sums[0];
    __syncthreads();
  }
}

// Slot of this thread, if it is a particle's.
__device__ bool own_particle(const OctetView& v, std::uint64_t& slot) {
  slot = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x + 8;
  const std::uint64_t octet = slot / 8;
  return octet <= v.octet_count && (info_leaves(v.info[octet]) >> (slot % 8) & 1U) != 0;
}

__global__ void __launch_bounds__(kThreads) prepare_image(OctetView v, float* image, float scale) {
  std::uint64_t i = 0;
  if (own_particle(v, i)) image[i] = fmaxf(image[i], 0.0F) * scale;
}

__global__ void __launch_bounds__(kThreads)
    make_ratio(OctetView v, const float* image, float floor, const float* weights, float* blurred,
               double* partial) {
  std::uint64_t i = 0;
  double off[1] = {0.0};
  if (own_particle(v, i)) {
    const float b = blurred[i];
    const float at = fmaxf(b, floor);
    const float r = image[i] / at;
    off[0] = static_cast<double>(weights[i]) * static_cast<double>(at * excess(r));
    blurred[i] = b > floor ? r : 0.0F;
  }
  sum_block(off, partial);
}

__global__ void __launch_bounds__(kThreads)
    make_update(OctetView v, OctetEstimate::Operands in, const float* estimate, float* next,
                float* step, const float* weights, double* partial) {
  std::uint64_t i = 0;
  double sums[kSums] = {};
  if (own_particle(v, i)) {
    const float h = in.ones != nullptr ? in.ones[i] : 1.0F;
    const float smoothing = in.term != nullptr ? in.strength * in.term[i] : 0.0F;
    const float point = in.point[i];
    const float old = estimate[i];
    const float now = stepped(point, in.correction[i], h, smoothing);
    const auto w = static_cast<double>(weights[i]);
    sums[0] = w * static_cast<double>(now * h);
    sums[1] = w * static_cast<double>(now);
    sums[2] = w * static_cast<double>(fabsf(now - old));
    if (step != nullptr) {
      const auto moved = static_cast<double>(now - point);
      const auto before = static_cast<double>(step[i]);
      sums[3] = w * moved * before;
      sums[4] = w * before * before;
      step[i] = now - point;
    }
    next[i] = now;
  }
  sum_block(sums, partial);
}

__global__ void __launch_bounds__(kThreads) scale_values(OctetView v, float* values, float factor) {
  std::uint64_t i = 0;
  if (own_particle(v, i)) values[i] = fminf(values[i] * factor, kLargest);
}

__global__ void __launch_bounds__(kThreads)
    extrapolate_values(OctetView v, const float* next, float factor, float along, float* estimate,
                       float* point) {
  std::uint64_t i = 0;
  if (!own_particle(v, i)) return;
  const float now = fminf(next[i] * factor, kLargest);
  const float ahead = now + along * (now - estimate[i]);
  point[i] = fmaxf(ahead, kLeastDivisor * now);
  estimate[i] = now;
}

__global__ void __launch_bounds__(kThreads) fill_values(OctetView v, float* values, float value) {
  std::uint64_t i = 0;
  if (own_particle(v, i)) values[i] = value;
}

__global__ void __launch_bounds__(kThreads)
    fill_where_zero(OctetView v, float* estimate, const float* blurred, float floor) {
  std::uint64_t i = 0;
  if (own_particle(v, i) && estimate[i] == 0.0F && blurred[i] > floor) estimate[i] = blurred[i];
}

}  // namespace

OctetEstimate::OctetEstimate(const OctetApr& apr, std::span<const float> weights)
    : apr_(apr),
      blocks_(static_cast<unsigned>((std::uint64_t{apr.view().octet_count} * 8 + kThreads - 1) /
                                    kThreads)),
      weights_(apr.make_values()),
      partial_(std::uint64_t{blocks_} * kSums, kWhat, apr.device().main()),
      total_(kSums, kWhat, apr.device().main()) {
  apr.upload(weights, weights_);
  partial_.zero();
}

void OctetEstimate::prepare(const OctetValues& image, float scale) const {
  prepare_image<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), image.data(), scale);
  ensure_launched(kWhat);
}

double OctetEstimate::ratio(const OctetValues& image, float floor,
                            const OctetValues& blurred) const {
  make_ratio<<<blocks_, kThreads, 0, apr_.device().main()>>>(
      apr_.view(), image.data(), floor, weights_.data(), blurred.data(), partial_.data());
  ensure_launched(kWhat);
  return sum().flux;
}

UpdateSums OctetEstimate::update(const Operands& in, const float* estimate, float* next,
                                 float* step) const {
  make_update<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), in, estimate, next, step,
                                                              weights_.data(), partial_.data());
  ensure_launched(kWhat);
  return sum();
}

UpdateSums OctetEstimate::sum() const {
  const cudaStream_t stream = apr_.device().main();
  add_partials<<<1, kThreads, 0, stream>>>(partial_.data(), blocks_, total_.data());
  ensure_launched(kWhat);
  double sums[kSums];
  ensure(cudaMemcpyAsync(sums, total_.data(), sizeof sums, cudaMemcpyDeviceToHost, stream), kWhat);
  ensure(cudaStreamSynchronize(stream), kWhat);
  UpdateSums out;
  out.flux = sums[0];
  out.size = sums[1];
  out.change = sums[2];
  out.along = sums[3];
  out.before = sums[4];
  return out;
}

void OctetEstimate::scale(const OctetValues& values, float factor) const {
  scale_values<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), values.data(), factor);
  ensure_launched(kWhat);
}

void OctetEstimate::extrapolate(const float* next, float factor, float along, float* estimate,
                                float* point) const {
  extrapolate_values<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), next, factor,
                                                                     along, estimate, point);
  ensure_launched(kWhat);
}

void OctetEstimate::fill(const OctetValues& values, float value) const {
  fill_values<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), values.data(), value);
  ensure_launched(kWhat);
}

void OctetEstimate::fill_zeros(const OctetValues& estimate, const OctetValues& blurred,
                               float floor) const {
  fill_where_zero<<<blocks_, kThreads, 0, apr_.device().main()>>>(apr_.view(), estimate.data(),
                                                                  blurred.data(), floor);
  ensure_launched(kWhat);
}

void OctetEstimate::clear_negatives(const OctetValues& values) const { prepare(values, 1.0F); }

}  // namespace aprscope::gpu

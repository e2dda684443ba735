#include <algorithm>

#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "gpu/deconvolution/device_estimate.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "deconvolution on the GPU";
constexpr int kThreads = 256;
constexpr int kSums = 5;
// Number of blocks in sums: enough to fill a device, few enough for one block to add them up.
constexpr std::uint64_t kSumBlocks = 4096;

__device__ float stepped(float point, float correction, float least_correction, float ones,
                         float smoothing) {
  const float floor = fmaxf(ones, kLeastOnes);
  const float divisor = fmaxf(ones - smoothing, kLeastDivisor * floor);
  const float now = fminf(point * fmaxf(correction, least_correction) / divisor, kLargestEstimate);
  return now > kSmallestEstimate ? now : 0.0F;
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

// Sums the values of a block in a fixed order and stores them in partial[blockIdx.x].
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

__device__ bool is_value(const ValueSlots& s, std::uint64_t slot) {
  return s.info == nullptr || (info_leaves(s.info[slot / 8]) >> (slot % 8) & 1U) != 0;
}

// The slot of this thread; false if the slot holds no value.
__device__ bool own_value(const ValueSlots& s, std::uint64_t& slot) {
  slot = s.first + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  return slot < s.end && is_value(s, slot);
}

// Calls item(slot) for each value of this thread, where each thread takes several.
template <class Item>
__device__ void for_own_values(const ValueSlots& s, const Item& item) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = s.first + std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < s.end;
       i += step) {
    if (is_value(s, i)) item(i);
  }
}

__device__ float background_at(const DeviceEstimate::Background& background, std::uint64_t i) {
  return background.values != nullptr ? background.values[i] : background.level;
}

__global__ void __launch_bounds__(kThreads)
    prepare_image(ValueSlots v, float* image, float offset, float scale) {
  std::uint64_t i = 0;
  if (own_value(v, i)) image[i] = fminf(fmaxf(image[i] - offset, 0.0F) * scale, kLargestEstimate);
}

__global__ void __launch_bounds__(kThreads)
    subtract_background(ValueSlots v, float* values, DeviceEstimate::Background background) {
  std::uint64_t i = 0;
  if (own_value(v, i)) values[i] = fmaxf(values[i] - background_at(background, i), 0.0F);
}

__global__ void __launch_bounds__(kThreads)
    make_ratio(ValueSlots v, const float* image, DeviceEstimate::Background background, float floor,
               const float* weights, float* blurred, double* partial) {
  double sums[2] = {};
  for_own_values(v, [&](std::uint64_t i) {
    const float own = blurred[i];
    const float b = own + background_at(background, i);
    const float at = fmaxf(b, floor);
    const float r = image[i] / at;
    const float w = weights != nullptr ? weights[i] : 1.0F;
    const float kept = b > floor ? r : 0.0F;
    sums[0] += static_cast<double>(w) * static_cast<double>(at * excess(r));
    sums[1] += static_cast<double>(w) * static_cast<double>(own * kept);
    blurred[i] = kept;
  });
  sum_block(sums, partial);
}

__global__ void __launch_bounds__(kThreads)
    sum_divergence(ValueSlots v, const float* image, DeviceEstimate::Background background,
                   float floor, const float* weights, const float* blurred, double* partial) {
  double sums[1] = {};
  for_own_values(v, [&](std::uint64_t i) {
    const float at = fmaxf(blurred[i] + background_at(background, i), floor);
    const float w = weights != nullptr ? weights[i] : 1.0F;
    sums[0] += static_cast<double>(w) * static_cast<double>(at * excess(image[i] / at));
  });
  sum_block(sums, partial);
}

__global__ void __launch_bounds__(kThreads)
    make_update(ValueSlots v, DeviceEstimate::Operands in, const float* estimate, float* next,
                float* step, const float* weights, double* partial) {
  double sums[kSums] = {};
  for_own_values(v, [&](std::uint64_t i) {
    const float h = in.ones != nullptr ? in.ones[i] : 1.0F;
    const float smoothing = in.term != nullptr ? in.strength * in.term[i] : 0.0F;
    const float point = in.point[i];
    const float old = estimate[i];
    const float now = stepped(point, in.correction[i], in.least, h, smoothing);
    const double w = weights != nullptr ? static_cast<double>(weights[i]) : 1.0;
    sums[0] += w * static_cast<double>(now * h);
    sums[1] += w * static_cast<double>(now);
    sums[2] += w * static_cast<double>(fabsf(now - old));
    if (step != nullptr) {
      const auto moved = static_cast<double>(now - point);
      const auto before = static_cast<double>(step[i]);
      sums[3] += w * moved * before;
      sums[4] += w * before * before;
      step[i] = now - point;
    }
    next[i] = now;
  });
  sum_block(sums, partial);
}

__global__ void __launch_bounds__(kThreads)
    scale_values(ValueSlots v, float* values, float factor) {
  std::uint64_t i = 0;
  if (own_value(v, i)) values[i] = fminf(values[i] * factor, kLargestEstimate);
}

__global__ void __launch_bounds__(kThreads)
    extrapolate_values(ValueSlots v, const float* next, float factor, float along, float* estimate,
                       float* point) {
  std::uint64_t i = 0;
  if (!own_value(v, i)) return;
  const float now = fminf(next[i] * factor, kLargestEstimate);
  const float ahead = now + along * (now - estimate[i]);
  point[i] = fmaxf(ahead, kLeastDivisor * now);
  estimate[i] = now;
}

__global__ void __launch_bounds__(kThreads) fill_values(ValueSlots v, float* values, float value) {
  std::uint64_t i = 0;
  if (own_value(v, i)) values[i] = value;
}

__global__ void __launch_bounds__(kThreads) raise_values(ValueSlots v, float* values, float least) {
  std::uint64_t i = 0;
  if (own_value(v, i)) values[i] = fmaxf(values[i], least);
}

__global__ void __launch_bounds__(kThreads)
    fill_where_zero(ValueSlots v, float* estimate, const float* blurred, float floor) {
  std::uint64_t i = 0;
  if (own_value(v, i) && estimate[i] == 0.0F && blurred[i] > floor) estimate[i] = blurred[i];
}

unsigned blocks_for(const ValueSlots& s) {
  return static_cast<unsigned>((s.end - s.first + kThreads - 1) / kThreads);
}

}  // namespace

DeviceEstimate::DeviceEstimate(const ValueSlots& slots, DeviceValues weights, cudaStream_t stream)
    : slots_(slots),
      stream_(stream),
      blocks_(blocks_for(slots)),
      sum_blocks_(static_cast<unsigned>(std::min<std::uint64_t>(blocks_, kSumBlocks))),
      weights_(std::move(weights)),
      partial_(std::uint64_t{sum_blocks_} * kSums, kWhat, stream),
      total_(kSums, kWhat, stream) {
  partial_.zero();
}

void DeviceEstimate::prepare(const DeviceValues& image, float offset, float scale) const {
  prepare_image<<<blocks_, kThreads, 0, stream_>>>(slots_, image.data(), offset, scale);
  ensure_launched(kWhat);
}

void DeviceEstimate::subtract(const DeviceValues& values, const Background& background) const {
  subtract_background<<<blocks_, kThreads, 0, stream_>>>(slots_, values.data(), background);
  ensure_launched(kWhat);
}

DeviceEstimate::RatioSums DeviceEstimate::ratio(const DeviceValues& image,
                                                const Background& background, float floor,
                                                const DeviceValues& blurred) const {
  make_ratio<<<sum_blocks_, kThreads, 0, stream_>>>(
      slots_, image.data(), background, floor, weights_.data(), blurred.data(), partial_.data());
  ensure_launched(kWhat);
  const UpdateSums sums = sum();
  return {sums.flux, sums.size};
}

double DeviceEstimate::divergence(const DeviceValues& image, const Background& background,
                                  float floor, const DeviceValues& blurred) const {
  sum_divergence<<<sum_blocks_, kThreads, 0, stream_>>>(
      slots_, image.data(), background, floor, weights_.data(), blurred.data(), partial_.data());
  ensure_launched(kWhat);
  return sum().flux;
}

UpdateSums DeviceEstimate::update(const Operands& in, const float* estimate, float* next,
                                  float* step) const {
  make_update<<<sum_blocks_, kThreads, 0, stream_>>>(slots_, in, estimate, next, step,
                                                     weights_.data(), partial_.data());
  ensure_launched(kWhat);
  return sum();
}

UpdateSums DeviceEstimate::sum() const {
  add_partials<<<1, kThreads, 0, stream_>>>(partial_.data(), sum_blocks_, total_.data());
  ensure_launched(kWhat);
  double sums[kSums];
  ensure(cudaMemcpyAsync(sums, total_.data(), sizeof sums, cudaMemcpyDeviceToHost, stream_), kWhat);
  ensure(cudaStreamSynchronize(stream_), kWhat);
  UpdateSums out;
  out.flux = sums[0];
  out.size = sums[1];
  out.change = sums[2];
  out.along = sums[3];
  out.before = sums[4];
  return out;
}

void DeviceEstimate::scale(const DeviceValues& values, float factor) const {
  scale_values<<<blocks_, kThreads, 0, stream_>>>(slots_, values.data(), factor);
  ensure_launched(kWhat);
}

void DeviceEstimate::extrapolate(const float* next, float factor, float along, float* estimate,
                                 float* point) const {
  extrapolate_values<<<blocks_, kThreads, 0, stream_>>>(slots_, next, factor, along, estimate,
                                                        point);
  ensure_launched(kWhat);
}

void DeviceEstimate::fill(const DeviceValues& values, float value) const {
  fill_values<<<blocks_, kThreads, 0, stream_>>>(slots_, values.data(), value);
  ensure_launched(kWhat);
}

void DeviceEstimate::fill_zeros(const DeviceValues& estimate, const DeviceValues& blurred,
                                float floor) const {
  fill_where_zero<<<blocks_, kThreads, 0, stream_>>>(slots_, estimate.data(), blurred.data(),
                                                     floor);
  ensure_launched(kWhat);
}

void DeviceEstimate::raise(const DeviceValues& values, float least) const {
  raise_values<<<blocks_, kThreads, 0, stream_>>>(slots_, values.data(), least);
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

#include <algorithm>
#include <cstring>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <vector>

#include "core/apr/li_threshold.hpp"
#include "core/apr/thresholds.hpp"
#include "gpu/threshold_samples.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "thresholds on the GPU";
constexpr int kThreads = 256;
constexpr int kEach = 8;  // voxels a thread
constexpr int kChunk = kThreads * kEach;

unsigned blocks(std::int64_t items, std::int64_t each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

// Sum over the block; and over the threads before this one.
__device__ unsigned sum_before(unsigned value, unsigned& total) {
  __shared__ unsigned warps[kThreads / 32];
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = value;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += below;
  }
  if (lane == 31) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  unsigned before = 0;
  total = 0;
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w < threadIdx.x / 32) before += warps[w];
    total += warps[w];
  }
  __syncthreads();
  return before + sum - value;
}

__global__ void __launch_bounds__(kThreads)
    count_voxels(const float* gradient, std::int64_t count, std::uint64_t* found) {
  const std::int64_t first = std::int64_t{blockIdx.x} * kChunk + threadIdx.x;
  int n = 0;
  for (int i = 0; i < kEach; ++i) {
    const std::int64_t at = first + i * kThreads;
    const bool counts = at < count && gradient[at] >= 0.0F;
    n += __syncthreads_count(counts);
  }
  if (threadIdx.x == 0) found[blockIdx.x] = static_cast<std::uint64_t>(n);
}

// Every stride-th of the voxels that are not left out, and no more than there may be.
__global__ void __launch_bounds__(kThreads)
    pick_samples(const float* gradient, const float* scale, std::int64_t count, float noise,
                 const std::uint64_t* before, std::uint64_t samples, std::uint64_t stride,
                 float* gradients, float* scales) {
  std::uint64_t rank = before[blockIdx.x];
  const std::int64_t first = std::int64_t{blockIdx.x} * kChunk + threadIdx.x;
  for (int i = 0; i < kEach; ++i) {
    const std::int64_t at = first + i * kThreads;
    const float g = at < count ? gradient[at] : -1.0F;
    unsigned total = 0;
    const unsigned mine = sum_before(g >= 0.0F ? 1U : 0U, total);
    const std::uint64_t r = rank + mine;
    if (g >= 0.0F && r % stride == 0 && r / stride < samples) {
      gradients[r / stride] = g > noise ? g : 0.0F;
      scales[r / stride] = scale[at];
    }
    rank += total;
  }
}

// Values by the upper half of their bits: counts, and sums of the lower halves. A block does one
// part of the bins (blockIdx.y) of kBlockSamples values, so that no sum overflows.
constexpr int kPartBins = 4096;
constexpr int kParts = static_cast<int>(detail::ValueBins::kBins) / kPartBins;
constexpr std::int64_t kBlockSamples = 1 << 15;

__global__ void __launch_bounds__(512)
    fill_bins(const float* values, std::int64_t count, unsigned long long* counts,
              unsigned long long* lows, int* range) {
  __shared__ unsigned own_count[kPartBins];
  __shared__ unsigned own_low[kPartBins];
  for (int i = static_cast<int>(threadIdx.x); i < kPartBins; i += 512)
    own_count[i] = own_low[i] = 0;
  __syncthreads();
  const unsigned first_bin = blockIdx.y * kPartBins;
  const std::int64_t begin = std::int64_t{blockIdx.x} * kBlockSamples;
  const std::int64_t end = min(begin + kBlockSamples, static_cast<long>(count));
  int smallest = 0x7FFFFFFF;
  int largest = 0;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += 512) {
    const unsigned bits = __float_as_uint(values[i]);
    const unsigned bin = (bits >> 16) - first_bin;
    if (bin >= kPartBins) continue;
    atomicAdd(&own_count[bin], 1U);
    atomicAdd(&own_low[bin], bits & 0xFFFFU);
    smallest = min(smallest, static_cast<int>(bits));
    largest = max(largest, static_cast<int>(bits));
  }
  // Of numbers that are not negative the bits have the same order.
  for (int d = 16; d > 0; d /= 2) {
    smallest = min(smallest, __shfl_xor_sync(~0U, smallest, d));
    largest = max(largest, __shfl_xor_sync(~0U, largest, d));
  }
  if (threadIdx.x % 32 == 0 && smallest <= largest) {
    atomicMin(&range[0], smallest);
    atomicMax(&range[1], largest);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kPartBins; i += 512) {
    if (own_count[i] == 0) continue;
    atomicAdd(&counts[first_bin + i], static_cast<unsigned long long>(own_count[i]));
    atomicAdd(&lows[first_bin + i], static_cast<unsigned long long>(own_low[i]));
  }
}

// Counts the lower halves of the values of the bins that are wanted: slot of a bin, or 0xFF.
__global__ void fill_details(const float* values, std::int64_t count, const std::uint8_t* slots,
                             unsigned* details) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const unsigned bits = __float_as_uint(values[i]);
    const unsigned slot = slots[bits >> 16];
    if (slot != 0xFFU) atomicAdd(&details[slot * 65536U + (bits & 0xFFFFU)], 1U);
  }
}

template <class T>
void to_host(std::vector<T>& to, const DeviceBuffer<T>& from, cudaStream_t stream) {
  to.resize(from.count());
  ensure(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost, stream),
         kWhat);
}

float value_of(std::size_t bin, unsigned low) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bin) << 16U | low;
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Li's threshold of values ≥ 0 on the device.
float device_li_threshold(const float* values, std::int64_t count, cudaStream_t stream) {
  using detail::LiSearch;
  using detail::ValueBins;
  constexpr std::size_t kBins = ValueBins::kBins;
  const DeviceBuffer<unsigned long long> sums(2 * kBins, kWhat, stream);
  sums.zero();
  const DeviceBuffer<int> range(2, kWhat, stream);
  const std::vector<int> none{std::numeric_limits<int>::max(), 0};
  ensure(cudaMemcpyAsync(range.data(), none.data(), range.bytes(), cudaMemcpyHostToDevice, stream),
         kWhat);
  fill_bins<<<dim3(blocks(count, kBlockSamples), kParts), 512, 0, stream>>>(
      values, count, sums.data(), sums.data() + kBins, range.data());
  ensure_launched(kWhat);
  std::vector<unsigned long long> found;
  std::vector<int> ends;
  to_host(found, sums, stream);
  to_host(ends, range, stream);
  ensure(cudaStreamSynchronize(stream), kWhat);
  ValueBins bins;
  for (std::size_t b = 0; b < kBins; ++b) bins.add(b, found[b], found[kBins + b]);
  const auto end_value = [&](std::size_t i) {
    return value_of(static_cast<std::size_t>(ends[i]) >> 16U,
                    static_cast<unsigned>(ends[i]) & 0xFFFFU);
  };
  const LiSearch search(bins, end_value(0), end_value(1));
  if (const auto plain = search.plain()) return *plain;

  // Details of the bins that matter, a few at a time: the search asks for more where it comes by.
  constexpr std::size_t kSlots = 16;
  std::vector<std::vector<unsigned>> details(kBins);
  std::vector<std::uint8_t> wanted = search.guess();
  const DeviceBuffer<std::uint8_t> slots(kBins, kWhat, stream);
  const DeviceBuffer<unsigned> counts(kSlots * 65536, kWhat, stream);
  for (;;) {
    std::vector<std::uint8_t> slot_of(kBins, 0xFF);
    std::vector<std::size_t> chosen;
    for (std::size_t b = 0; b < kBins && chosen.size() < kSlots; ++b) {
      if (wanted[b] == 0 || !details[b].empty()) continue;
      slot_of[b] = static_cast<std::uint8_t>(chosen.size());
      chosen.push_back(b);
    }
    if (!chosen.empty()) {
      counts.zero();
      ensure(cudaMemcpyAsync(slots.data(), slot_of.data(), kBins, cudaMemcpyHostToDevice, stream),
             kWhat);
      fill_details<<<std::min(blocks(count, kThreads), 2048U), kThreads, 0, stream>>>(
          values, count, slots.data(), counts.data());
      ensure_launched(kWhat);
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        auto& to = details[chosen[i]];
        to.resize(65536);
        ensure(cudaMemcpyAsync(to.data(), counts.data() + i * 65536, 65536 * sizeof(unsigned),
                               cudaMemcpyDeviceToHost, stream),
               kWhat);
      }
      ensure(cudaStreamSynchronize(stream), kWhat);
    }
    const auto [done, threshold] =
        search.iterate([&](std::size_t b, float t, std::uint64_t& above, double& sum) {
          if (details[b].empty()) {
            wanted[b] = 1;
            return false;
          }
          // All values of a bin have one exponent: their sum is exact in double.
          double part = 0.0;
          for (unsigned low = (ValueBins::bits(t) & 0xFFFFU) + 1; low < 65536; ++low) {
            const unsigned n = details[b][low];
            above += n;
            if (n != 0) part += static_cast<double>(n) * static_cast<double>(value_of(b, low));
          }
          sum += part;
          return true;
        });
    if (done) return threshold;
  }
}

}  // namespace

Thresholds device_thresholds(const float* gradient, const float* scale, std::int64_t count,
                             float noise, cudaStream_t stream) {
  const unsigned chunks = blocks(count, kChunk);
  const DeviceBuffer<std::uint64_t> found(std::uint64_t{chunks} + 1, kWhat, stream);
  found.zero();
  count_voxels<<<chunks, kThreads, 0, stream>>>(gradient, count, found.data());
  std::size_t bytes = 0;
  const auto scan = [&](void* scratch) {
    ensure(cub::DeviceScan::ExclusiveSum(scratch, bytes, found.data(), found.data(),
                                         std::uint64_t{chunks} + 1, stream),
           kWhat);
  };
  scan(nullptr);
  const DeviceBuffer<char> scratch(bytes, kWhat, stream);
  scan(scratch.data());
  std::uint64_t all = 0;
  ensure(cudaMemcpyAsync(&all, found.data() + chunks, sizeof all, cudaMemcpyDeviceToHost, stream),
         kWhat);
  ensure(cudaStreamSynchronize(stream), kWhat);
  if (all == 0) return {};
  const std::uint64_t samples = std::min(all, static_cast<std::uint64_t>(kThresholdSamples));
  const DeviceBuffer<float> gradients(samples, kWhat, stream);
  const DeviceBuffer<float> scales(samples, kWhat, stream);
  pick_samples<<<chunks, kThreads, 0, stream>>>(gradient, scale, count, noise, found.data(),
                                                samples, all / samples, gradients.data(),
                                                scales.data());
  ensure_launched(kWhat);
  Thresholds out;
  const auto n = static_cast<std::int64_t>(samples);
  out.sigma_th = device_li_threshold(scales.data(), n, stream);
  out.grad_th = device_li_threshold(gradients.data(), n, stream);
  return out;
}

}  // namespace aprscope::gpu

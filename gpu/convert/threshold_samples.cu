#include <algorithm>
#include <cstring>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <vector>

#include "core/apr/convert/li_threshold.hpp"
#include "core/apr/convert/thresholds.hpp"
#include "gpu/convert/threshold_samples.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "thresholds on the GPU";
constexpr int kThreads = 256;
constexpr int kEach = 8;  // voxels a thread
constexpr int kChunk = kThreads * kEach;

unsigned blocks(std::int64_t items, std::int64_t each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

// The sum over the threads before this one; `total` becomes the sum over the block.
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

// Picks every stride-th voxel of those not left out, up to the largest number of samples.
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

// Sorts values into bins by the upper half of their bits, and sums the lower halves. A block does
// one part of the bins (blockIdx.y) for kBlockSamples values, so that no sum overflows.
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
  // The bits of non-negative floats have the same order as their values.
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

// Sums over the 256 chunks of 256 lower halves of each slot, so that the host adds up few numbers:
// one block a slot, one thread a chunk.
struct Chunk {
  unsigned long long count;
  unsigned long long low;  // sum of the lower halves
};
__global__ void sum_chunks(const unsigned* details, Chunk* chunks) {
  const unsigned* const from = details + blockIdx.x * 65536U + threadIdx.x * 256U;
  Chunk sum{0, 0};
  for (unsigned i = 0; i < 256; ++i) {
    sum.count += from[i];
    sum.low += static_cast<unsigned long long>(from[i]) * (threadIdx.x * 256U + i);
  }
  chunks[blockIdx.x * 256U + threadIdx.x] = sum;
}

// Li's threshold of values ≥ 0 on the device, in two steps, so that the thresholds of two samples
// can be computed with one wait for the device.
class LiOnDevice {
 public:
  LiOnDevice(const float* values, std::int64_t count, GpuDevice& device)
      : values_(values),
        count_(count),
        device_(device),
        stream_(device.main()),
        sums_(2 * kBins + 1, kWhat, stream_) {
    sums_.zero();
    auto* const range = reinterpret_cast<int*>(sums_.data() + 2 * kBins);
    ensure(cudaMemsetAsync(range, 0x7F, sizeof(int), stream_), kWhat);
    fill_bins<<<dim3(blocks(count, kBlockSamples), kParts), 512, 0, stream_>>>(
        values, count, sums_.data(), sums_.data() + kBins, range);
    ensure_launched(kWhat);
  }

  float threshold() {
    using detail::LiSearch;
    std::vector<unsigned long long> found(2 * kBins + 1);
    device_.download(sums_.data(), found.data(), sums_.bytes());
    for (std::size_t b = 0; b < kBins; ++b) {
      if (found[b] != 0) bins_.add(b, found[b], found[kBins + b]);
    }
    float ends[2];
    std::memcpy(ends, &found[2 * kBins], sizeof ends);
    const LiSearch search(bins_, ends[0], ends[1]);
    if (const auto plain = search.plain()) return *plain;
    wanted_ = search.guess();
    known_.assign(kBins, -1);
    for (;;) {
      look();
      const auto [done, threshold] =
          search.iterate([&](std::size_t b, float t, std::uint64_t& above, double& sum) {
            if (known_[b] < 0) {
              wanted_[b] = 1;
              return false;
            }
            const Details& d = details_[static_cast<std::size_t>(known_[b])];
            const unsigned low = detail::ValueBins::bits(t) & 0xFFFFU;
            std::uint64_t n = d.count_above[low / 256 + 1];
            std::uint64_t lows = d.low_above[low / 256 + 1];
            for (unsigned i = low + 1; i < (low / 256 + 1) * 256; ++i) {
              n += d.counts[i];
              lows += std::uint64_t{d.counts[i]} * i;
            }
            above += n;
            if (n != 0) sum += bin_sum_of(b, n, lows);
            return true;
          });
      if (done) return threshold;
    }
  }

 private:
  static constexpr std::size_t kBins = detail::ValueBins::kBins;
  static constexpr std::size_t kSlots = 16;

  // For a bin: how often each lower half occurs, and sums from each chunk of 256 halves on.
  struct Details {
    std::vector<unsigned> counts;
    std::array<std::uint64_t, 257> count_above{};
    std::array<std::uint64_t, 257> low_above{};
  };

  // Sum of values of a bin, as ValueBins::sum().
  static double bin_sum_of(std::size_t bin, std::uint64_t count, std::uint64_t low) {
    const auto exponent = static_cast<int>(bin >> 7U);
    const std::uint64_t upper = (bin & 0x7FU) << 16U;
    const std::uint64_t implicit = exponent > 0 ? std::uint64_t{1} << 23U : 0;
    return std::ldexp(static_cast<double>(count * (implicit | upper) + low),
                      std::max(exponent, 1) - 150);
  }

  // Fetches the details of wanted bins that are not known yet, a few bins at a time.
  void look() {
    std::vector<std::uint8_t> slot_of(kBins, 0xFF);
    std::vector<std::size_t> chosen;
    for (std::size_t b = 0; b < kBins && chosen.size() < kSlots; ++b) {
      if (wanted_[b] == 0 || known_[b] >= 0) continue;
      slot_of[b] = static_cast<std::uint8_t>(chosen.size());
      chosen.push_back(b);
    }
    if (chosen.empty()) return;
    const DeviceBuffer<std::uint8_t> slots(kBins, kWhat, stream_);
    const DeviceBuffer<unsigned> counts(chosen.size() * 65536, kWhat, stream_);
    const DeviceBuffer<Chunk> chunks(chosen.size() * 256, kWhat, stream_);
    counts.zero();
    ensure(cudaMemcpyAsync(slots.data(), slot_of.data(), kBins, cudaMemcpyHostToDevice, stream_),
           kWhat);
    fill_details<<<std::min(blocks(count_, kThreads), 2048U), kThreads, 0, stream_>>>(
        values_, count_, slots.data(), counts.data());
    sum_chunks<<<static_cast<unsigned>(chosen.size()), 256, 0, stream_>>>(counts.data(),
                                                                          chunks.data());
    ensure_launched(kWhat);
    std::vector<Chunk> sums(chunks.count());
    device_.download(chunks.data(), sums.data(), chunks.bytes());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      Details d;
      d.counts.resize(65536);
      device_.download(counts.data() + i * 65536, d.counts.data(), 65536 * sizeof(unsigned));
      for (std::size_t c = 256; c-- > 0;) {
        d.count_above[c] = d.count_above[c + 1] + sums[i * 256 + c].count;
        d.low_above[c] = d.low_above[c + 1] + sums[i * 256 + c].low;
      }
      known_[chosen[i]] = static_cast<int>(details_.size());
      details_.push_back(std::move(d));
    }
  }

  const float* values_;
  std::int64_t count_;
  GpuDevice& device_;
  cudaStream_t stream_;
  DeviceBuffer<unsigned long long> sums_;  // counts, sums of lower halves; smallest and largest
  detail::ValueBins bins_;
  std::vector<std::uint8_t> wanted_;
  std::vector<int> known_;
  std::vector<Details> details_;
};

}  // namespace

Thresholds device_thresholds(const float* gradient, const float* scale, std::int64_t count,
                             float noise, GpuDevice& device) {
  const cudaStream_t stream = device.main();
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
  LiOnDevice of_scale(scales.data(), n, device);
  LiOnDevice of_gradient(gradients.data(), n, device);
  out.sigma_th = of_scale.threshold();
  out.grad_th = of_gradient.threshold();
  return out;
}

}  // namespace aprscope::gpu

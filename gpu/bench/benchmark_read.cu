#include "gpu/bench/benchmark_read.hpp"
#include "gpu/device/cuda_check.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int kEach = 4;

__global__ void __launch_bounds__(kThreads)
    read_all(const uint4* __restrict__ words, std::uint64_t count, std::uint32_t* sum) {
  std::uint64_t at = std::uint64_t{blockIdx.x} * kThreads * kEach + threadIdx.x;
  std::uint32_t all = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k, at += kThreads) {
    if (at >= count) continue;
    const uint4 four = words[at];
    all ^= four.x ^ four.y ^ four.z ^ four.w;
  }
  // Never true, but the compiler cannot know, so it keeps the reads.
  if (all == 0x9E3779B9U) atomicAdd(sum, 1U);
}

}  // namespace

void read_words(const std::uint32_t* words, std::uint64_t count, std::uint32_t* sum,
                cudaStream_t stream) {
  const std::uint64_t fours = count / 4;
  const auto blocks = static_cast<unsigned>((fours + kThreads * kEach - 1) / (kThreads * kEach));
  read_all<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<const uint4*>(words), fours, sum);
  ensure_launched("reading");
}

}  // namespace aprscope::gpu

#pragma once

#include <cstdint>

// Counts of strata in shared memory: two classes to a word, 16 bits each.
namespace aprscope::gpu {

/// What is left in a word may grow by 2^14 and shrink by 2^14 before it must be spilled again.
constexpr std::uint32_t kTallyAir = 0x2000U;

/// The two signed halves of a word as two signed halves of 64 bits: first + 2^32 · second.
__device__ inline unsigned long long widen_pair(std::uint32_t pair) {
  const auto low = static_cast<std::int16_t>(pair & 0xFFFFU);
  const auto high = static_cast<std::int16_t>((pair - static_cast<std::uint32_t>(low)) >> 16);
  return static_cast<unsigned long long>(static_cast<long long>(low)) +
         (static_cast<unsigned long long>(static_cast<long long>(high)) << 32);
}

/// Adds what a tally holds to the sums of all blocks: planes of `count` words, of which word i of
/// plane j goes to sums[(first + i) · planes + j]. `all`: every word, else those that could
/// overflow. A barrier has to come before and after.
template <int planes>
__device__ void spill(std::uint32_t* tally, std::uint32_t first, std::uint32_t count,
                      unsigned long long* sums, bool all) {
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
#pragma unroll
    for (int j = 0; j < planes; ++j) {
      const std::uint32_t pair = tally[j * count + i];
      const bool large = ((pair + kTallyAir * 0x10001U) & 0xC000C000U) != 0;
      if (!large && !(all && pair != 0)) continue;
      tally[j * count + i] = 0;
      atomicAdd(sums + std::uint64_t{first + i} * planes + j, widen_pair(pair));
    }
  }
}

}  // namespace aprscope::gpu

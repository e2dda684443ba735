#pragma once

#include <cstdint>

// Counts of strata in shared memory: two classes to a word, 16 bits each.
namespace aprscope::gpu {

/// A word is spilled from here on: so much less than 2^16 may be added to either half between two
/// looks at it.
constexpr std::uint32_t kTallySpill = 0x2000U;

/// A word of shared memory as atomic additions name it.
__device__ inline std::uint32_t shared_address(const std::uint32_t* word) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
}

/// Adds to the word `plane` planes of `words` behind the address. Also where there is nothing to
/// add: a branch takes longer, and so does predication, of which the assembler makes branches.
template <int plane, int words>
__device__ inline void add_shared(std::uint32_t address, std::uint32_t pair) {
  asm volatile("red.shared.add.u32 [%0 + %2], %1;" ::"r"(address), "r"(pair), "n"(plane * words * 4)
               : "memory");
}

/// The halves of a word as halves of 64 bits: first + 2^32 · second.
__device__ inline unsigned long long widen_pair(std::uint32_t pair) {
  return (pair & 0xFFFFU) | static_cast<unsigned long long>(pair >> 16) << 32;
}

/// Adds what a tally holds to the sums of all blocks: planes of `words` words, the first `count` of
/// which are in use; word i of plane j goes to sums[j · bins + first + i]. `all`: every word, else
/// those that could overflow. A barrier has to come before and after.
template <int planes, int words>
__device__ void spill(std::uint32_t* tally, std::uint32_t first, std::uint32_t count,
                      unsigned long long* sums, std::uint32_t bins, bool all) {
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
#pragma unroll
    for (int j = 0; j < planes; ++j) {
      const std::uint32_t pair = tally[j * words + static_cast<int>(i)];
      constexpr std::uint32_t kLarge = ~((kTallySpill - 1U) * 0x10001U);
      if ((pair & kLarge) == 0 && !(all && pair != 0)) continue;
      tally[j * words + static_cast<int>(i)] = 0;
      atomicAdd(sums + std::uint64_t{bins} * j + first + i, widen_pair(pair));
    }
  }
}

}  // namespace aprscope::gpu

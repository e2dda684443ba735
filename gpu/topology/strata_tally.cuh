#pragma once

#include <cstdint>

// Counts of strata in shared memory: two classes to a word, 16 bits each.
namespace aprscope::gpu {

/// Words are spilled when a half reaches this value, so less than 2^16 minus this may be added to
/// either half between two checks.
constexpr std::uint32_t kTallySpill = 0x2000U;

/// The address of a word in shared memory, as atomic additions need it.
__device__ inline std::uint32_t shared_address(const std::uint32_t* word) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
}

/// Adds `pair` to the word `plane` planes of `words` words behind the address, even if it is 0: a
/// branch is slower, and so is predication, which the assembler turns into branches.
template <int plane, int words>
__device__ inline void add_shared(std::uint32_t address, std::uint32_t pair) {
  asm volatile("red.shared.add.u32 [%0 + %2], %1;" ::"r"(address), "r"(pair), "n"(plane * words * 4)
               : "memory");
}

/// Widens the two halves of a word to halves of 64 bits: first + 2^32 · second.
__device__ inline unsigned long long widen_pair(std::uint32_t pair) {
  return (pair & 0xFFFFU) | static_cast<unsigned long long>(pair >> 16) << 32;
}

/// Adds the tally to the sums of all blocks. It has planes of `words` words, of which the first
/// `count` are used; word i of plane j goes to sums[j · bins + first + i]. `all`: every word, else
/// those that could overflow. Needs a barrier before and after it.
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

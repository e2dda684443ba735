#pragma once

#include <cstdint>

namespace aprscope {

/// What work may take, in bytes, that is to keep to `memory` bytes: a tenth more, and what a
/// program takes without any data. 0, where no number was given, stays 0.
constexpr std::uint64_t most_within(std::uint64_t memory) {
  constexpr std::uint64_t kProgram = 200'000'000;
  if (memory == 0) return 0;
  return memory > UINT64_MAX / 2 ? UINT64_MAX : memory + memory / 10 + kProgram;
}

}  // namespace aprscope

#pragma once

#include <algorithm>
#include <cstdint>

namespace aprscope {

/// What work on parts of a file may take, in bytes.
struct PartMemory {
  // Implicit: most callers have one number.
  PartMemory(std::uint64_t wanted_bytes, std::uint64_t most_bytes = 0)  // NOLINT
      : wanted(wanted_bytes), most(std::max(wanted_bytes, most_bytes)) {}

  std::uint64_t wanted;
  /// Taken where the thinnest parts need more than is wanted.
  std::uint64_t most;
};

}  // namespace aprscope

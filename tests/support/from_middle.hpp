#pragma once

#include <cstdint>

namespace aprscope::test {

/// Steps of pixel i from the middle pixel ⌊n/2⌋ of n.
inline double from_middle(std::int64_t i, std::int64_t n) {
  const std::int64_t steps = i - n / 2;
  return static_cast<double>(steps);
}

}  // namespace aprscope::test

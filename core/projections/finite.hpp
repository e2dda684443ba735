#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace aprscope {

/// Whether none of the values is infinite or not a number.
inline bool are_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) {
    return (std::bit_cast<std::uint32_t>(value) & 0x7f800000U) != 0x7f800000U;
  });
}

}  // namespace aprscope

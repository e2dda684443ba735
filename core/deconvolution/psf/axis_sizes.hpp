#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/image/volume.hpp"

// Sizes of PSFs as lists by axis, and their words. For sources of this folder.

namespace aprscope::axis_sizes {

/// Along z, x, y.
using Sizes = std::array<std::int64_t, 3>;
inline constexpr std::array<const char*, 3> kAxisNames{"z", "x", "y"};

inline Sizes sizes_of(const Size3& s) { return {s.z, s.x, s.y}; }
inline Size3 size_of(const Sizes& s) { return {s[0], s[1], s[2]}; }

/// Such as "13 × 17 × 17" (z, x, y).
inline std::string times_text(const Size3& s) {
  return std::to_string(s.z) + " × " + std::to_string(s.x) + " × " + std::to_string(s.y);
}

}  // namespace aprscope::axis_sizes

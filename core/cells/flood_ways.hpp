#pragma once

#include <bit>
#include <cstdint>

namespace aprscope::flood {

// Where water flows from a pixel: a step (below 26), or one of these codes.
inline constexpr std::uint8_t kMinimum = 64;
/// kInner: on a plateau whose way out is not known (yet); kClaimed: one that is being found.
inline constexpr std::uint8_t kInner = 65;
inline constexpr std::uint8_t kClaimed = 66;
inline constexpr std::uint8_t kOutside = 67;
inline constexpr std::uint8_t kMarked = 68;
/// Added to a step: it leads to another pixel of the same flat minimum.
inline constexpr std::uint8_t kFlat = 32;
inline constexpr std::uint8_t kStep = 31;
/// Added to a step while plateaus are crossed: whether the pixel was found an odd or even number of
/// steps behind the border of its plateau; pixels of the border have neither.
inline constexpr std::uint8_t kOdd = 128;
inline constexpr std::uint8_t kEven = 128 + 32;

/// Steps through faces are the first ones, see FloodSteps.
inline constexpr int kFaceCount = 6;

inline bool leads_on(std::uint8_t way) { return way < kFlat; }

/// A hash that decides between equally good neighbours.
inline std::uint32_t chance(std::int64_t pixel) {
  auto v = static_cast<std::uint64_t>(pixel) * 0x9E3779B97F4A7C15ULL;
  v = (v ^ (v >> 32U)) * 0xD6E8FEB86659FD93ULL;
  return static_cast<std::uint32_t>(v >> 32U);
}

/// One of the steps whose bits are set; of several, chance() chooses one.
inline std::uint8_t one_of_bits(std::uint32_t bits, std::int64_t pixel) {
  if ((bits & (bits - 1U)) != 0) {
    const auto count = static_cast<std::uint32_t>(std::popcount(bits));
    for (std::uint32_t left = chance(pixel) % count; left > 0; --left) bits &= bits - 1U;
  }
  return static_cast<std::uint8_t>(std::countr_zero(bits));
}

}  // namespace aprscope::flood

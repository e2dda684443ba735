#pragma once

#include "core/topology/cell_links.hpp"

// Flooding round a cell without branches, for vectors and for single cells. Static, so that each
// instruction set has code of its own.
namespace aprscope {

// Steps that go no further along an axis.
constexpr std::uint32_t kLastX = steps_along(2, 1, 2);
constexpr std::uint32_t kFirstX = steps_along(2, -1, 2);
constexpr std::uint32_t kLastY = steps_along(2, 2, 1);
constexpr std::uint32_t kFirstY = steps_along(2, 2, -1);

/// Steps of `there` at or next to those of `m`, one axis after the other: through faces only over
/// what is there, else over anything in between.
template <bool faces>
static inline std::uint32_t wider(std::uint32_t m, std::uint32_t there) {
  const std::uint32_t pass = faces ? there : ~std::uint32_t{0};
  m |= ((m & ~kLastY) << 1 | (m & ~kFirstY) >> 1) & pass;
  m |= ((m & ~kLastX) << 3 | (m & ~kFirstX) >> 3) & pass;
  m |= (m << 9 | m >> 9) & there;
  return m & there;
}

/// Steps of `there` in one piece with the first neighbour, as far as three rounds find them.
template <bool faces>
static inline std::uint32_t reach_of(std::uint32_t there) {
  const std::uint32_t by_face = there & kFaceSteps;
  const std::uint32_t from = faces || by_face != 0 ? by_face : there;
  std::uint32_t m = from & (~from + 1);
  for (int round = 0; round < 3; ++round) m = wider<faces>(m, there);
  return m;
}

}  // namespace aprscope

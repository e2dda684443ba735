// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <utility>

#include "core/topology/cell_links.hpp"
#include "core/topology/link_kernels.hpp"

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

constexpr bool is_before(const Step& s) {
  return s.z < 0 || (s.z == 0 && (s.x < 0 || (s.x == 0 && s.y < 0)));
}

template <int i, class Place>
std::uint32_t bit_of(Place v, Place n) {
  if (i == kNoStep) return 0;
  constexpr bool kBefore = is_before(kSteps.step[i]);
  return (kBefore ? n <= v : n < v) ? 1U << i : 0U;
}

template <class Place, int... i>
void find_steps(const LinkRow<Place>& row, std::integer_sequence<int, i...>) {
  const Place* __restrict v = row.rows[1][1];
  const Place* __restrict n[] = {
      (row.rows[kSteps.step[i].z + 1][kSteps.step[i].x + 1] + kSteps.step[i].y)...};
  std::uint32_t* __restrict out = row.earlier;
  for (std::int64_t y = 0; y < row.count; ++y) out[y] = (bit_of<i>(v[y], n[i][y]) | ...);
}

template <class Place>
void find(const LinkRow<Place>& row) {
  find_steps(row, std::make_integer_sequence<int, kStepCount>());
}

// Steps that go no further along an axis.
constexpr std::uint32_t kLastX = steps_along(2, 1, 2);
constexpr std::uint32_t kFirstX = steps_along(2, -1, 2);
constexpr std::uint32_t kLastY = steps_along(2, 2, 1);
constexpr std::uint32_t kFirstY = steps_along(2, 2, -1);

std::uint32_t beside_in_y(std::uint32_t m) { return (m & ~kLastY) << 1 | (m & ~kFirstY) >> 1; }
std::uint32_t beside_in_x(std::uint32_t m) { return (m & ~kLastX) << 3 | (m & ~kFirstX) >> 3; }
std::uint32_t beside_in_z(std::uint32_t m) { return m << 9 | m >> 9; }

// One axis after the other: through faces only over what is there, else over anything in between.
template <bool faces>
std::uint32_t wider(std::uint32_t m, std::uint32_t there) {
  const std::uint32_t pass = faces ? there : ~std::uint32_t{0};
  m |= beside_in_y(m) & pass;
  m |= beside_in_x(m) & pass;
  m |= beside_in_z(m) & there;
  return m & there;
}

template <bool faces>
void reach(const ReachRow& row) {
  const std::uint32_t* __restrict there = row.there;
  std::uint32_t* __restrict out = row.reached;
  for (std::int64_t y = 0; y < row.count; ++y) {
    const std::uint32_t t = there[y];
    const std::uint32_t by_face = t & kFaceSteps;
    const std::uint32_t from = faces || by_face != 0 ? by_face : t;
    std::uint32_t m = from & (~from + 1);
    for (int round = 0; round < 3; ++round) m = wider<faces>(m, t);
    out[y] = m;
  }
}

}  // namespace

extern const LinkKernels kernels_of_links;
const LinkKernels kernels_of_links{find<std::uint8_t>, find<std::uint16_t>, reach<true>,
                                   reach<false>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE

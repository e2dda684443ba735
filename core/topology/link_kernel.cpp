// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <utility>

#include "core/topology/cell_links.hpp"
#include "core/topology/cell_reach.inl.hpp"
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

template <bool faces>
void reach(const ReachRow& row) {
  const std::uint32_t* __restrict there = row.there;
  std::uint32_t* __restrict out = row.reached;
  for (std::int64_t y = 0; y < row.count; ++y) out[y] = reach_of<faces>(there[y]);
}

}  // namespace

extern const LinkKernels kernels_of_links;
const LinkKernels kernels_of_links{find<std::uint8_t>, find<std::uint16_t>, reach<true>,
                                   reach<false>};

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE

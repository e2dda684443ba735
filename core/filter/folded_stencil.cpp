#include "core/filter/folded_stencil.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace aprscope::detail {
namespace {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

Size3 folded_size(const Size3& n, const Mirrored& m) {
  return {m.z ? n.z / 2 + 1 : n.z, m.x ? n.x / 2 + 1 : n.x, m.y ? n.y / 2 + 1 : n.y};
}

Mirrored mirrored_dimensions(const Size3& size, std::span<const float> weights) {
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return weights[static_cast<std::size_t>((z * size.x + x) * size.y + y)];
  };
  Mirrored m{true, true, true};
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const float w = at(z, x, y);
        m.z = m.z && same_bits(w, at(size.z - 1 - z, x, y));
        m.x = m.x && same_bits(w, at(z, size.x - 1 - x, y));
        m.y = m.y && same_bits(w, at(z, x, size.y - 1 - y));
      }
    }
    if (!m.z && !m.x && !m.y) break;
  }
  return m;
}

FoldedStencil::FoldedStencil(const Size3& whole, std::span<const float> all)
    : size(whole), mirrored(mirrored_dimensions(whole, all)), terms(folded_size(whole, mirrored)) {
  // The middle, where counting outwards begins.
  const Size3 first{mirrored.z ? size.z / 2 : 0, mirrored.x ? size.x / 2 : 0,
                    mirrored.y ? size.y / 2 : 0};
  weights.reserve(static_cast<std::size_t>(terms.count()));
  for (std::int64_t z = first.z; z < size.z; ++z) {
    for (std::int64_t x = first.x; x < size.x; ++x) {
      for (std::int64_t y = first.y; y < size.y; ++y) {
        weights.push_back(all[static_cast<std::size_t>((z * size.x + x) * size.y + y)]);
      }
    }
  }
}

bool folding_pays(const Size3& size, const Mirrored& mirrored) {
  // Sums are needed beyond both ends of a run of cells; this many cells are a run of particles.
  constexpr std::int64_t kRun = 32;
  constexpr std::int64_t kTaps = 100;
  const Size3 terms = folded_size(size, mirrored);
  return size.count() >= kTaps &&
         3 * terms.count() * (kRun + size.y - 1) <= 2 * size.count() * kRun;
}

}  // namespace aprscope::detail

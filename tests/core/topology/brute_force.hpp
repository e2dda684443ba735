#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"

namespace aprscope::test {

/// Counts strata by their definition: goes through all faces of all voxels, one by one, and looks
/// at every voxel that touches one.
inline StrataCounts brute_force_strata(const Pixels<std::uint16_t>& places, int levels,
                                       Construction construction) {
  StrataCounts out;
  out.levels.resize(static_cast<std::size_t>(levels));
  const Size3 n = places.size;
  const bool closed = construction == Construction::closed_voxels;
  // Faces by twice their middle: odd along the axes along which they extend.
  for (std::int64_t z = 0; z <= 2 * n.z; ++z) {
    for (std::int64_t x = 0; x <= 2 * n.x; ++x) {
      for (std::int64_t y = 0; y <= 2 * n.y; ++y) {
        std::int64_t enters = closed ? levels : -1;
        bool outside = false;
        const auto around = [](std::int64_t c) {
          return c % 2 != 0 ? std::vector<std::int64_t>{c / 2}
                            : std::vector<std::int64_t>{c / 2 - 1, c / 2};
        };
        for (const std::int64_t vz : around(z)) {
          for (const std::int64_t vx : around(x)) {
            for (const std::int64_t vy : around(y)) {
              if (vz < 0 || vx < 0 || vy < 0 || vz >= n.z || vx >= n.x || vy >= n.y) {
                outside = true;
                continue;
              }
              const std::int64_t v = places.at(vz, vx, vy);
              enters = closed ? std::min(enters, v) : std::max(enters, v);
            }
          }
        }
        if (outside && !closed) continue;
        const auto axes = static_cast<std::size_t>((z % 2) * 4 + (x % 2) * 2 + y % 2);
        ++out.levels[static_cast<std::size_t>(enters)][axes];
      }
    }
  }
  return out;
}

}  // namespace aprscope::test

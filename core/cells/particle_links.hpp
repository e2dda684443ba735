#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cells/particle_jumps.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Which runs of particles touch.
class ParticleLinks {
 public:
  ParticleLinks(const LinearAccess& cells, const ParticleRuns& runs, Connectivity connectivity,
                const ParticleJumps& jumps)
      : cells_(cells), runs_(runs), connectivity_(connectivity), jumps_(jumps) {}

  /// Calls link(a, b) with the numbers of runs that touch, a of the layer, b of a row before it or
  /// of larger cells: over all layers of all levels each two that touch at least once.
  template <class Link>
  void each(const CellLayer& layer, const Link& link) const {
    const Size3& grid = cells_.grid(layer.level);
    for (std::int64_t x = 0; x < grid.x; ++x) {
      const CellRow row{layer.level, layer.z, x};
      const ParticleRange own = runs_.row(cells_, row);
      if (own.empty()) continue;
      each_before(own, row, link);
      const int most = jumps_.most(layer.level, layer.z, x);
      for (int up = 1; up <= most && layer.level - up >= cells_.level_first(); ++up) {
        each_larger(own, row, up, link);
      }
    }
  }

 private:
  // Largest distance along y of touching runs whose rows are apart along `apart` of the other
  // axes: 0 or 1; −1: such rows do not touch.
  [[nodiscard]] int reach(int apart) const {
    const int most = connectivity_ == Connectivity::faces   ? 1
                     : connectivity_ == Connectivity::edges ? 2
                                                            : 3;
    return std::min(1, most - apart);
  }

  template <class Link>
  void each_before(const ParticleRange& own, const CellRow& row, const Link& link) const {
    const Size3& grid = cells_.grid(row.level);
    if (row.x > 0) meet(own, {row.level, row.z, row.x - 1}, 0, reach(1), link);
    if (row.z == 0) return;
    for (std::int64_t x = row.x - 1; x <= row.x + 1; ++x) {
      const int wide = x == row.x ? reach(1) : reach(2);
      if (x < 0 || x == grid.x || wide < 0) continue;
      meet(own, {row.level, row.z - 1, x}, 0, wide, link);
    }
  }

  template <class Link>
  void each_larger(const ParticleRange& own, const CellRow& row, int up, const Link& link) const {
    const int level = row.level - up;
    const Size3& grid = cells_.grid(level);
    const std::int64_t own_z = row.z >> up;
    const std::int64_t own_x = row.x >> up;
    const std::int64_t last_z = std::min((row.z + 1) >> up, grid.z - 1);
    const std::int64_t last_x = std::min((row.x + 1) >> up, grid.x - 1);
    for (std::int64_t z = std::max<std::int64_t>(row.z - 1, 0) >> up; z <= last_z; ++z) {
      for (std::int64_t x = std::max<std::int64_t>(row.x - 1, 0) >> up; x <= last_x; ++x) {
        const int wide = reach(static_cast<int>(z != own_z) + static_cast<int>(x != own_x));
        if (wide >= 0) meet(own, {level, z, x}, up, wide, link);
      }
    }
  }

  // Walks along runs of both rows at once; `other` is of cells larger by so many levels.
  template <class Link>
  void meet(const ParticleRange& own, const CellRow& other, int up, int wide,
            const Link& link) const {
    const ParticleRange there = runs_.row(cells_, other);
    const ParticleRun* const runs = runs_.all().data();
    std::uint64_t a = own.begin;
    std::uint64_t b = there.begin;
    while (a < own.end && b < there.end) {
      const std::int32_t a_end = runs[a].y1;
      const std::int32_t b_end = ((runs[b].y1 + 1) << up) - 1;
      if (b_end + wide >= runs[a].y0 && a_end + wide >= runs[b].y0 << up) {
        link(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
      }
      if (a_end < b_end) {
        ++a;
      } else {
        ++b;
      }
    }
  }

  const LinearAccess& cells_;
  const ParticleRuns& runs_;
  Connectivity connectivity_;
  const ParticleJumps& jumps_;
};

}  // namespace aprscope

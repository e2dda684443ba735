#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/cells/particle_runs.hpp"

namespace aprscope {

/// The cells of one level that share a pixel with a box of the image.
inline Region cells_in(const LinearAccess& cells, int level, const Region& box) {
  const int shift = cells.level_max() - level;
  // The last cell of a box is that of its last pixel.
  const auto behind = [&](std::int64_t end) { return ((end - 1) >> shift) + 1; };
  return {{box.begin.z >> shift, box.begin.x >> shift, box.begin.y >> shift},
          {behind(box.end.z), behind(box.end.x), behind(box.end.y)}};
}

/// Those particles of a row whose cells have y in [begin, end).
inline ParticleRange particles_between(const LinearAccess& cells, const CellRow& row,
                                       std::int64_t begin, std::int64_t end) {
  const ParticleRange all = cells.row(row.level, row.z, row.x);
  const std::uint16_t* const ys = cells.y().data();
  const auto at = [&](std::int64_t y) {
    return static_cast<std::uint64_t>(std::lower_bound(ys + all.begin, ys + all.end, y) - ys);
  };
  return {at(begin), at(end)};
}

/// Calls visit(row, particles) for all rows of particles whose cells share a pixel with `box`, in
/// the order of particles, where there are any.
template <class Visit>
void each_row_in(const LinearAccess& cells, const Region& box, const Visit& visit) {
  if (box.size().count() == 0) return;
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    if (cells.level(level).empty()) continue;
    const Region in = cells_in(cells, level, box);
    for (std::int64_t z = in.begin.z; z < in.end.z; ++z) {
      for (std::int64_t x = in.begin.x; x < in.end.x; ++x) {
        const CellRow row{level, z, x};
        const ParticleRange some = particles_between(cells, row, in.begin.y, in.end.y);
        if (!some.empty()) visit(row, some);
      }
    }
  }
}

/// The pixels of particle `i` of a row, clipped to the image.
inline Region cell_box(const LinearAccess& cells, const CellRow& row, std::uint64_t i) {
  const int shift = cells.level_max() - row.level;
  const Size3& n = cells.size();
  const std::int64_t y = cells.y()[i];
  return {{row.z << shift, row.x << shift, y << shift},
          {std::min((row.z + 1) << shift, n.z), std::min((row.x + 1) << shift, n.x),
           std::min((y + 1) << shift, n.y)}};
}

/// The part of two boxes that both have.
inline Region common_box(const Region& a, const Region& b) {
  return {{std::max(a.begin.z, b.begin.z), std::max(a.begin.x, b.begin.x),
           std::max(a.begin.y, b.begin.y)},
          {std::min(a.end.z, b.end.z), std::min(a.end.x, b.end.x), std::min(a.end.y, b.end.y)}};
}

/// The smallest box with both.
inline Region united_box(const Region& a, const Region& b) {
  return {{std::min(a.begin.z, b.begin.z), std::min(a.begin.x, b.begin.x),
           std::min(a.begin.y, b.begin.y)},
          {std::max(a.end.z, b.end.z), std::max(a.end.x, b.end.x), std::max(a.end.y, b.end.y)}};
}

/// The sides of a box: before and behind it along z, x and y.
inline constexpr std::size_t kSides = 6;

/// The pixels beyond a side of a box, one deep; none outside of the image.
inline Region layer_beyond(Region box, std::size_t side, const Size3& size) {
  std::int64_t* const begin[] = {&box.begin.z, &box.begin.x, &box.begin.y};
  std::int64_t* const end[] = {&box.end.z, &box.end.x, &box.end.y};
  const std::int64_t extent[] = {size.z, size.x, size.y};
  const std::size_t axis = side / 2;
  const std::int64_t at = side % 2 == 0 ? *begin[axis] - 1 : *end[axis];
  *begin[axis] = std::clamp<std::int64_t>(at, 0, extent[axis]);
  *end[axis] = std::clamp<std::int64_t>(at + 1, 0, extent[axis]);
  return box;
}

/// Paints the value of each particle into the pixels of its cell: the pixels of `box` in memory
/// order. Throws std::bad_alloc.
template <class T>
std::vector<T> painted_in(const LinearAccess& cells, std::span<const T> values, const Region& box) {
  const Size3 n = box.size();
  std::vector<T> out(static_cast<std::size_t>(n.count()));
  each_row_in(cells, box, [&](const CellRow& row, const ParticleRange& some) {
    for (std::uint64_t i = some.begin; i < some.end; ++i) {
      const Region cell = common_box(cell_box(cells, row, i), box);
      for (std::int64_t z = cell.begin.z; z < cell.end.z; ++z) {
        for (std::int64_t x = cell.begin.x; x < cell.end.x; ++x) {
          const std::int64_t at = ((z - box.begin.z) * n.x + x - box.begin.x) * n.y;
          std::fill_n(out.begin() + at + cell.begin.y - box.begin.y, cell.end.y - cell.begin.y,
                      values[i]);
        }
      }
    }
  });
  return out;
}

}  // namespace aprscope

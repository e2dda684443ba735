#pragma once

#include <array>
#include <span>

#include "core/filter/sweep.hpp"

namespace aprscope::detail {

/// Dense rows of some planes, plane z in place z modulo their number. A plane's rows reach as far
/// beyond the slab as its quads do, also beyond the grid.
class RowRing {
 public:
  /// Uses the memory at `rows`: values(slab) floats.
  RowRing(const Slab& slab, float* rows)
      : slab_(slab),
        rows_(rows),
        planes_(planes(slab)),
        first_(2 * (slab.x0 - slab.halo_x())),
        width_(width(slab)) {}

  /// Values of one plane, and of all.
  static std::int64_t area(const Slab& slab) { return width(slab) * slab.stride(); }
  static std::int64_t values(const Slab& slab) { return planes(slab) * area(slab); }

  [[nodiscard]] float* plane(std::int64_t z) const {
    return rows_ + (z % planes_) * width_ * slab_.stride();
  }
  /// Where row x lies in a plane.
  [[nodiscard]] std::int64_t row(std::int64_t x) const { return (x - first_) * slab_.stride(); }

  /// Takes in the rows of quad plane z.
  void fill(std::int64_t z, QuadSource& source, Boundary boundary) const {
    const Size3& grid = slab_.grid;
    const bool both = 2 * z + 1 < grid.z;
    float* const lower = plane(2 * z);
    float* const upper = plane(2 * z + 1);
    bool filled = false;
    for (std::int64_t x = source.next_needed(z, slab_.first_x()); x < slab_.last_x();
         x = source.next_needed(z, x + 1)) {
      filled = true;
      const std::int64_t first = row(2 * x);
      const std::int64_t second = first + slab_.stride();
      const bool pair = 2 * x + 1 < grid.x;
      const std::size_t n = (both ? 2U : 1U) * (pair ? 2U : 1U);
      std::array<float*, 4> rows{lower + first, lower + second, upper + first, upper + second};
      if (!pair) rows[1] = upper + first;
      if (source.fill(z, x, rows.data()) == QuadSource::Filled::inside) continue;
      extend_rows(slab_, boundary, std::span(rows).first(n));
    }
    if (!filled) return;
    for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, grid.z); ++cz) {
      for (std::int64_t x = first_; x < 0; ++x) extend(cz, x, boundary);
      for (std::int64_t x = grid.x; x < std::min(grid.x + slab_.radius.x, first_ + width_); ++x) {
        extend(cz, x, boundary);
      }
    }
  }

 private:
  static std::int64_t planes(const Slab& slab) {
    return std::min(2 * slab.quads_z(), 2 * (2 * slab.halo_z() + 1));
  }
  static std::int64_t width(const Slab& slab) {
    return 2 * (slab.x1 - slab.x0 + 2 * slab.halo_x());
  }

  // A row beyond the grid.
  void extend(std::int64_t z, std::int64_t x, Boundary boundary) const {
    float* const to = plane(z) + row(x);
    const std::int64_t from = reflect_index(x, slab_.grid.x);
    if (boundary == Boundary::zero) {
      std::fill(to, to + slab_.stride(), 0.0F);
    } else if (from >= first_ && from < first_ + width_) {
      std::copy_n(plane(z) + row(from), slab_.stride(), to);
    }
  }

  const Slab& slab_;
  float* rows_;
  std::int64_t planes_;
  std::int64_t first_;
  std::int64_t width_;
};

}  // namespace aprscope::detail

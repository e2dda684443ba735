#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/access.hpp"

namespace aprscope::detail {

/// Values to paint pixels from. `tree` holds the means of interior cells; only smooth needs it.
struct PaintSource {
  const AprAccess& access;
  std::span<const float> values;
  std::span<const float> tree;
  ReconstructionMode mode = ReconstructionMode::constant;
};

/// Where pixel (z, x, y) of a box goes: base[(z − z0) · stride_z + (x − x0) · stride_x + (y − y0)].
struct PaintTarget {
  float* base = nullptr;
  std::int64_t stride_z = 0;
  std::int64_t stride_x = 0;
};

/// Paints the pixels of `box`, one thread. Small boxes (up to some 32 × 32 rows) keep the
/// temporaries of smooth in cache. Each pixel gets the same bits whatever box it is painted in.
void paint_box(const PaintSource& source, const Region& box, const PaintTarget& target);

/// One row (z, x) of the isotropic grid of `level`: the particle that coincides with or contains
/// each cell, else the tree value. `out` has grid(level).y values.
void fill_patch_row(const PaintSource& source, int level, std::int64_t z, std::int64_t x,
                    float* out);

/// Linear interpolation that gives exactly a where a = b.
inline float lerp(float a, float b, float f) { return a + f * (b - a); }

/// Position of pixel p between the centres of two cells of side 2^shift: cells lower, lower + 1
/// (which may lie outside the grid by one) and the weight of the second.
struct CellPosition {
  std::int64_t lower = 0;
  float weight = 0.0F;
};
inline CellPosition cell_position(std::int64_t p, int shift) {
  const std::int64_t s = std::int64_t{1} << shift;
  const std::int64_t cell = p >> shift;
  const std::int64_t twice = 2 * (p - cell * s) + 1 - s;  // 2 · (distance to the cell's centre)
  if (twice < 0) {
    return {cell - 1, static_cast<float>(twice + 2 * s) / static_cast<float>(2 * s)};
  }
  return {cell, static_cast<float>(twice) / static_cast<float>(2 * s)};
}

}  // namespace aprscope::detail

#include "core/apr/sample/row_painter.hpp"

#include <algorithm>
#include <vector>

namespace aprscope::detail {
namespace {

// Paints row (z, x), pixels [y0, y1), with each particle's value or level.
void paint_constant_row(const PaintSource& source, std::int64_t z, std::int64_t x, std::int64_t y0,
                        std::int64_t y1, float* out) {
  const LinearAccess& cells = source.access.particles();
  const std::uint16_t* const ys = cells.y().data();
  for (int l = source.access.level_min_used(); l <= cells.level_max(); ++l) {
    const int shift = cells.level_max() - l;
    ParticleRange row = cells.row(l, z >> shift, x >> shift);
    if (row.empty()) continue;
    if (y0 > 0) {
      row.begin = static_cast<std::uint64_t>(
          std::lower_bound(ys + row.begin, ys + row.end, y0 >> shift) - ys);
    }
    const bool level_mode = source.mode == ReconstructionMode::level;
    const auto level_value = static_cast<float>(l);
    if (shift == 0) {
      for (std::uint64_t i = row.begin; i < row.end && ys[i] < y1; ++i) {
        out[ys[i] - y0] = level_mode ? level_value : source.values[i];
      }
      continue;
    }
    for (std::uint64_t i = row.begin; i < row.end; ++i) {
      const std::int64_t begin = static_cast<std::int64_t>(ys[i]) << shift;
      if (begin >= y1) break;
      const std::int64_t end = std::min(begin + (std::int64_t{1} << shift), y1);
      std::fill(out + (std::max(begin, y0) - y0), out + (end - y0),
                level_mode ? level_value : source.values[i]);
    }
  }
}

// The part of the isotropic grid of one level that the pixels of a box need: rows
// [z_first, z_first + nz) × [x_first, x_first + nx), each with one repeated value before and after.
class Patch {
 public:
  void prepare(const PaintSource& source, const Region& box, int level) {
    const LinearAccess& cells = source.access.particles();
    level_ = level;
    shift_ = cells.level_max() - level;
    grid_ = cells.grid(level);
    z_first_ = std::max<std::int64_t>(0, cell_position(box.begin.z, shift_).lower);
    x_first_ = std::max<std::int64_t>(0, cell_position(box.begin.x, shift_).lower);
    nz_ = std::min(grid_.z, cell_position(box.end.z - 1, shift_).lower + 2) - z_first_;
    nx_ = std::min(grid_.x, cell_position(box.end.x - 1, shift_).lower + 2) - x_first_;
    stride_ = grid_.y + 2;
    needed_.assign(static_cast<std::size_t>(nz_ * nx_), 0);
    any_ = false;
    for (std::int64_t z = box.begin.z >> shift_; z <= (box.end.z - 1) >> shift_; ++z) {
      for (std::int64_t x = box.begin.x >> shift_; x <= (box.end.x - 1) >> shift_; ++x) {
        if (!cells.row(level, z, x).empty()) mark_around(z, x);
      }
    }
    if (any_) fill(source);
  }

  [[nodiscard]] bool any() const { return any_; }

  // Values of row (z, x), clamped to the grid; valid from y = −1 to grid.y.
  [[nodiscard]] const float* row(std::int64_t z, std::int64_t x) const {
    const std::int64_t i = (std::clamp<std::int64_t>(z, 0, grid_.z - 1) - z_first_) * nx_ +
                           std::clamp<std::int64_t>(x, 0, grid_.x - 1) - x_first_;
    return values_.data() + i * stride_ + 1;
  }

 private:
  void mark_around(std::int64_t z, std::int64_t x) {
    any_ = true;
    for (std::int64_t nz = std::max(z - 1, z_first_); nz < std::min(z + 2, z_first_ + nz_); ++nz) {
      for (std::int64_t nx = std::max(x - 1, x_first_); nx < std::min(x + 2, x_first_ + nx_);
           ++nx) {
        needed_[static_cast<std::size_t>((nz - z_first_) * nx_ + nx - x_first_)] = 1;
      }
    }
  }

  void fill(const PaintSource& source) {
    const auto size = static_cast<std::size_t>(nz_ * nx_ * stride_);
    if (values_.size() < size) values_.resize(size);
    for (std::int64_t i = 0; i < nz_ * nx_; ++i) {
      if (needed_[static_cast<std::size_t>(i)] == 0) continue;
      float* const out = values_.data() + i * stride_ + 1;
      fill_patch_row(source, level_, z_first_ + i / nx_, x_first_ + i % nx_, out);
      out[-1] = out[0];
      out[grid_.y] = out[grid_.y - 1];
    }
  }

  int level_ = 0;
  int shift_ = 0;
  Size3 grid_;
  std::int64_t z_first_ = 0, x_first_ = 0, nz_ = 0, nx_ = 0, stride_ = 0;
  bool any_ = false;
  std::vector<std::uint8_t> needed_;
  std::vector<float> values_;
};

// Paints the particles of one level in row (z, x): z, then x, then y is interpolated, so that every
// way to a pixel rounds alike.
void paint_smooth_row(const PaintSource& source, const Patch& patch, int level, std::int64_t z,
                      std::int64_t x, std::int64_t y0, std::int64_t y1, std::vector<float>& blend,
                      float* out) {
  const LinearAccess& cells = source.access.particles();
  const int shift = cells.level_max() - level;
  const std::uint16_t* const ys = cells.y().data();
  ParticleRange row = cells.row(level, z >> shift, x >> shift);
  row.begin =
      static_cast<std::uint64_t>(std::lower_bound(ys + row.begin, ys + row.end, y0 >> shift) - ys);
  row.end = static_cast<std::uint64_t>(
      std::upper_bound(ys + row.begin, ys + row.end, (y1 - 1) >> shift) - ys);
  if (row.empty()) return;
  const CellPosition pz = cell_position(z, shift);
  const CellPosition px = cell_position(x, shift);
  const float* const v00 = patch.row(pz.lower, px.lower);
  const float* const v10 = patch.row(pz.lower + 1, px.lower);
  const float* const v01 = patch.row(pz.lower, px.lower + 1);
  const float* const v11 = patch.row(pz.lower + 1, px.lower + 1);
  const std::int64_t first = static_cast<std::int64_t>(ys[row.begin]) - 1;
  const std::int64_t count = ys[row.end - 1] + 2 - first;
  if (blend.size() < static_cast<std::size_t>(count)) blend.resize(static_cast<std::size_t>(count));
  float* const b = blend.data();
  for (std::int64_t i = 0; i < count; ++i) {
    b[i] = lerp(lerp(v00[first + i], v10[first + i], pz.weight),
                lerp(v01[first + i], v11[first + i], pz.weight), px.weight);
  }
  const std::int64_t s = std::int64_t{1} << shift;
  const float step = 1.0F / static_cast<float>(s);
  for (std::uint64_t i = row.begin; i < row.end; ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(ys[i]) << shift;
    const float* const c = b + (ys[i] - first);
    // The first half of the cell lies between its lower neighbour and it. Weights (2j + 1)/2s are
    // exact in float.
    const std::int64_t half = std::min(begin + s / 2, y1);
    for (std::int64_t y = std::max(begin, y0); y < half; ++y) {
      const float f = (static_cast<float>(y - begin) + 0.5F) * step + 0.5F;
      out[y - y0] = lerp(c[-1], c[0], f);
    }
    for (std::int64_t y = std::max(begin + s / 2, y0); y < std::min(begin + s, y1); ++y) {
      const float f = (static_cast<float>(y - begin) + 0.5F) * step - 0.5F;
      out[y - y0] = lerp(c[0], c[1], f);
    }
  }
}

void paint_finest_row(const PaintSource& source, std::int64_t z, std::int64_t x, std::int64_t y0,
                      std::int64_t y1, float* out) {
  const LinearAccess& cells = source.access.particles();
  const std::uint16_t* const ys = cells.y().data();
  const ParticleRange row = cells.row(cells.level_max(), z, x);
  const std::uint16_t* at = std::lower_bound(ys + row.begin, ys + row.end, y0);
  for (; at != ys + row.end && *at < y1; ++at)
    out[*at - y0] = source.values[static_cast<std::size_t>(at - ys)];
}

// The four rows of pixels that one row of interior cells covers differ in the values of their
// finest particles only: one is painted, the others are copies with their own values put in.
void paint_constant_box(const PaintSource& source, const Region& box, const PaintTarget& target) {
  const auto row = [&](std::int64_t z, std::int64_t x) {
    return target.base + (z - box.begin.z) * target.stride_z + (x - box.begin.x) * target.stride_x;
  };
  const std::int64_t y0 = box.begin.y;
  const std::int64_t y1 = box.end.y;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    const std::int64_t painted_z = std::max(z & ~std::int64_t{1}, box.begin.z);
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      const std::int64_t painted_x = std::max(x & ~std::int64_t{1}, box.begin.x);
      float* const out = row(z, x);
      if (painted_z == z && painted_x == x) {
        paint_constant_row(source, z, x, y0, y1, out);
        continue;
      }
      std::copy_n(row(painted_z, painted_x), y1 - y0, out);
      if (source.mode == ReconstructionMode::constant) paint_finest_row(source, z, x, y0, y1, out);
    }
  }
}

}  // namespace

void fill_patch_row(const PaintSource& source, int level, std::int64_t z, std::int64_t x,
                    float* out) {
  const LinearAccess& cells = source.access.particles();
  const std::uint16_t* const ys = cells.y().data();
  const std::int64_t n = cells.grid(level).y;
  for (int l = source.access.level_min_used(); l <= level; ++l) {
    const int shift = level - l;
    const ParticleRange row = cells.row(l, z >> shift, x >> shift);
    if (shift == 0) {
      for (std::uint64_t i = row.begin; i < row.end; ++i) out[ys[i]] = source.values[i];
      continue;
    }
    for (std::uint64_t i = row.begin; i < row.end; ++i) {
      const std::int64_t begin = static_cast<std::int64_t>(ys[i]) << shift;
      std::fill(out + begin, out + std::min(begin + (std::int64_t{1} << shift), n),
                source.values[i]);
    }
  }
  if (level == cells.level_max()) return;
  const LinearAccess& tree = source.access.tree();
  const ParticleRange row = tree.row(level, z, x);
  for (std::uint64_t i = row.begin; i < row.end; ++i) out[tree.y()[i]] = source.tree[i];
}

void paint_box(const PaintSource& source, const Region& box, const PaintTarget& target) {
  const auto for_each_row = [&](const auto& visit) {
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        visit(z, x,
              target.base + (z - box.begin.z) * target.stride_z +
                  (x - box.begin.x) * target.stride_x);
      }
    }
  };
  if (source.mode != ReconstructionMode::smooth) {
    paint_constant_box(source, box, target);
    return;
  }
  for_each_row([&](std::int64_t z, std::int64_t x, float* out) {
    paint_finest_row(source, z, x, box.begin.y, box.end.y, out);
  });
  Patch patch;
  std::vector<float> blend;
  for (int l = source.access.level_min_used(); l < source.access.level_max(); ++l) {
    patch.prepare(source, box, l);
    if (!patch.any()) continue;
    for_each_row([&](std::int64_t z, std::int64_t x, float* out) {
      paint_smooth_row(source, patch, l, z, x, box.begin.y, box.end.y, blend, out);
    });
  }
}

}  // namespace aprscope::detail

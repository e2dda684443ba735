#include "core/apr/sample/column_painter.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace aprscope::detail {
namespace {

// Part of a slice perpendicular to y.
struct Slab {
  const PaintSource& source;
  std::int64_t z0;
  std::int64_t z1;
  std::int64_t y;
  float* out;
};

std::uint64_t lower_bound_y(const LinearAccess& a, ParticleRange row, std::int64_t y) {
  const std::uint16_t* const ys = a.y().data();
  return static_cast<std::uint64_t>(std::lower_bound(ys + row.begin, ys + row.end, y) - ys);
}

// Calls visit(Z, X, particle) for the particles of a level whose cells the slab cuts.
template <class Visit>
void for_each_cut(const Slab& slab, int level, const Visit& visit) {
  const LinearAccess& cells = slab.source.access.particles();
  const int shift = cells.level_max() - level;
  const std::int64_t y = slab.y >> shift;
  for (std::int64_t z = slab.z0 >> shift; z <= (slab.z1 - 1) >> shift; ++z) {
    for (std::int64_t x = 0; x < cells.grid(level).x; ++x) {
      const ParticleRange row = cells.row(level, z, x);
      if (row.empty()) continue;
      const std::uint64_t i = lower_bound_y(cells, row, y);
      if (i < row.end && cells.y()[i] == y) visit(z, x, i);
    }
  }
}

// The same at the finest level, where the (up to) four rows below one row of interior cells hold
// the same y, so that one search serves them all.
template <class Visit>
void for_each_finest_cut(const Slab& slab, const Visit& visit) {
  const LinearAccess& cells = slab.source.access.particles();
  const int level = cells.level_max();
  const std::int64_t nx = cells.grid(level).x;
  std::int64_t z_next = 0;
  for (std::int64_t z = slab.z0; z < slab.z1; z = z_next) {
    z_next = std::min((z / 2 + 1) * 2, slab.z1);
    for (std::int64_t x = 0; x < nx; x += 2) {
      const ParticleRange row = cells.row(level, z, x);
      if (row.empty()) continue;
      const std::uint64_t i = lower_bound_y(cells, row, slab.y);
      if (i == row.end || cells.y()[i] != slab.y) continue;
      const std::uint64_t rank = i - row.begin;
      for (std::int64_t pz = z; pz < z_next; ++pz) {
        for (std::int64_t px = x; px < std::min(x + 2, nx); ++px) {
          visit(pz, px, cells.row(level, pz, px).begin + rank);
        }
      }
    }
  }
}

void paint_constant(const Slab& slab) {
  const AprAccess& access = slab.source.access;
  const std::int64_t nx = access.size().x;
  const bool level_mode = slab.source.mode == ReconstructionMode::level;
  for (int l = access.level_min_used(); l < access.level_max(); ++l) {
    const int shift = access.level_max() - l;
    for_each_cut(slab, l, [&](std::int64_t z, std::int64_t x, std::uint64_t i) {
      const float v = level_mode ? static_cast<float>(l) : slab.source.values[i];
      const std::int64_t x_begin = x << shift;
      const std::int64_t x_end = std::min((x + 1) << shift, nx);
      const std::int64_t z_end = std::min((z + 1) << shift, slab.z1);
      for (std::int64_t pz = std::max(z << shift, slab.z0); pz < z_end; ++pz) {
        float* const row = slab.out + (pz - slab.z0) * nx;
        std::fill(row + x_begin, row + x_end, v);
      }
    });
  }
  for_each_finest_cut(slab, [&](std::int64_t z, std::int64_t x, std::uint64_t i) {
    slab.out[(z - slab.z0) * nx + x] =
        level_mode ? static_cast<float>(access.level_max()) : slab.source.values[i];
  });
}

// The two y columns of the isotropic grid of a level between which the slice lies, for the rows
// that the slab needs.
class ColumnPatch {
 public:
  ColumnPatch(const Slab& slab, int level, std::vector<float>& memory)
      : source_(slab.source), level_(level), values_(memory) {
    const LinearAccess& cells = source_.access.particles();
    const int shift = cells.level_max() - level;
    grid_ = cells.grid(level);
    const CellPosition y = cell_position(slab.y, shift);
    y_ = {std::max<std::int64_t>(y.lower, 0), std::min(y.lower + 1, grid_.y - 1)};
    weight_ = y.weight;
    z_first_ = std::max<std::int64_t>(0, cell_position(slab.z0, shift).lower);
    z_end_ = std::min(grid_.z, cell_position(slab.z1 - 1, shift).lower + 2);
    const auto size = static_cast<std::size_t>(2 * (z_end_ - z_first_) * grid_.x);
    if (values_.size() < size) values_.resize(size);
    for (int l = source_.access.level_min_used(); l <= level; ++l) {
      fill_from(cells, source_.values, l);
    }
    fill_from(source_.access.tree(), source_.tree, level);
  }

  // z, then x, then y is interpolated, as in paint_box.
  [[nodiscard]] float at(const CellPosition& z, const CellPosition& x) const {
    const float* const v00 = cell(z.lower, x.lower);
    const float* const v10 = cell(z.lower + 1, x.lower);
    const float* const v01 = cell(z.lower, x.lower + 1);
    const float* const v11 = cell(z.lower + 1, x.lower + 1);
    const float a = lerp(lerp(v00[0], v10[0], z.weight), lerp(v01[0], v11[0], z.weight), x.weight);
    const float b = lerp(lerp(v00[1], v10[1], z.weight), lerp(v01[1], v11[1], z.weight), x.weight);
    return lerp(a, b, weight_);
  }

 private:
  [[nodiscard]] const float* cell(std::int64_t z, std::int64_t x) const {
    return values_.data() + 2 * ((std::clamp(z, z_first_, z_end_ - 1) - z_first_) * grid_.x +
                                 std::clamp<std::int64_t>(x, 0, grid_.x - 1));
  }

  // Writes the cells of level l (of particles or tree) that lie in or cover cells of the patch.
  void fill_from(const LinearAccess& cells, std::span<const float> values, int l) {
    const int shift = level_ - l;
    const std::int64_t y0 = y_[0] >> shift;
    const std::int64_t y1 = y_[1] >> shift;
    for (std::int64_t z = z_first_ >> shift; z <= (z_end_ - 1) >> shift; ++z) {
      for (std::int64_t x = 0; x < cells.grid(l).x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        if (row.empty()) continue;
        std::uint64_t i = lower_bound_y(cells, row, y0);
        if (i < row.end && cells.y()[i] == y0) {
          write(z, x, shift, 0, values[i]);
          if (y1 == y0) write(z, x, shift, 1, values[i]);
          ++i;
        }
        if (y1 != y0 && i < row.end && cells.y()[i] == y1) write(z, x, shift, 1, values[i]);
      }
    }
  }

  void write(std::int64_t z, std::int64_t x, int shift, std::int64_t which, float value) {
    const std::int64_t x_end = std::min((x + 1) << shift, grid_.x);
    const std::int64_t z_end = std::min((z + 1) << shift, z_end_);
    for (std::int64_t pz = std::max(z << shift, z_first_); pz < z_end; ++pz) {
      for (std::int64_t px = x << shift; px < x_end; ++px) {
        values_[static_cast<std::size_t>(2 * ((pz - z_first_) * grid_.x + px) + which)] = value;
      }
    }
  }

  const PaintSource& source_;
  int level_;
  Size3 grid_;
  std::array<std::int64_t, 2> y_{};
  float weight_ = 0.0F;
  std::int64_t z_first_ = 0;
  std::int64_t z_end_ = 0;
  std::vector<float>& values_;
};

void paint_smooth(const Slab& slab) {
  const AprAccess& access = slab.source.access;
  const std::int64_t nx = access.size().x;
  struct Cut {
    std::int64_t z;
    std::int64_t x;
  };
  std::vector<Cut> cuts;
  std::vector<float> memory;
  for (int l = access.level_min_used(); l < access.level_max(); ++l) {
    cuts.clear();
    for_each_cut(slab, l, [&](std::int64_t z, std::int64_t x, std::uint64_t) {
      cuts.push_back({z, x});
    });
    if (cuts.empty()) continue;
    const int shift = access.level_max() - l;
    const ColumnPatch patch(slab, l, memory);
    for (const Cut& cut : cuts) {
      const std::int64_t x_end = std::min((cut.x + 1) << shift, nx);
      const std::int64_t z_end = std::min((cut.z + 1) << shift, slab.z1);
      for (std::int64_t z = std::max(cut.z << shift, slab.z0); z < z_end; ++z) {
        const CellPosition pz = cell_position(z, shift);
        float* const row = slab.out + (z - slab.z0) * nx;
        for (std::int64_t x = cut.x << shift; x < x_end; ++x) {
          row[x] = patch.at(pz, cell_position(x, shift));
        }
      }
    }
  }
  for_each_finest_cut(slab, [&](std::int64_t z, std::int64_t x, std::uint64_t i) {
    slab.out[(z - slab.z0) * nx + x] = slab.source.values[i];
  });
}

}  // namespace

void paint_column(const PaintSource& source, std::int64_t z0, std::int64_t z1, std::int64_t y,
                  float* out) {
  const Slab slab{source, z0, z1, y, out};
  if (source.mode == ReconstructionMode::smooth) {
    paint_smooth(slab);
  } else {
    paint_constant(slab);
  }
}

}  // namespace aprscope::detail

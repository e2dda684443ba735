#include "core/filter/particle_rows.hpp"

#include <algorithm>

namespace aprscope::detail {
namespace {

// Copies the values of cells with y in [y0, y1) to their place; returns how many there were.
std::int64_t scatter(const LinearAccess& cells, std::span<const float> values, int level,
                     std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1, float* out) {
  const ParticleRange row = cells.row(level, z, x);
  if (row.empty()) return 0;
  const std::uint16_t* const ys = cells.y().data();
  const std::uint16_t* y = std::lower_bound(ys + row.begin, ys + row.end, y0);
  const std::uint16_t* const first = y;
  for (const float* v = values.data() + (y - ys); y != ys + row.end && *y < y1; ++y, ++v) {
    out[*y - y0] = *v;
  }
  return y - first;
}

// The same for coarser cells, each of which covers 2^shift cells of the row.
std::int64_t spread(const LinearAccess& cells, std::span<const float> values, int level, int shift,
                    std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1, float* out) {
  const ParticleRange row = cells.row(level, z, x);
  if (row.empty()) return 0;
  const std::uint16_t* const ys = cells.y().data();
  const std::int64_t side = std::int64_t{1} << shift;
  std::int64_t written = 0;
  for (const std::uint16_t* y = std::lower_bound(ys + row.begin, ys + row.end, y0 >> shift);
       y != ys + row.end; ++y) {
    const std::int64_t from = static_cast<std::int64_t>(*y) << shift;
    if (from >= y1) break;
    const std::int64_t begin = std::max(from, y0);
    const std::int64_t end = std::min(from + side, y1);
    std::fill(out + (begin - y0), out + (end - y0), values[static_cast<std::size_t>(y - ys)]);
    written += end - begin;
  }
  return written;
}

}  // namespace

void fill_isotropic_row(const FilterInput& input, int level, std::int64_t z, std::int64_t x,
                        std::int64_t y0, std::int64_t y1, float* out) {
  const LinearAccess& particles = input.access->particles();
  std::int64_t missing = y1 - y0;
  missing -= scatter(particles, input.particles, level, z, x, y0, y1, out);
  if (missing > 0 && level < particles.level_max()) {
    missing -= scatter(input.access->tree(), input.tree, level, z, x, y0, y1, out);
  }
  // Cells partition the image, so that the row is full when as many cells were written. That is
  // mostly so after one level: neighbours rarely differ by more.
  for (int l = level - 1; missing > 0 && l >= 1; --l) {
    const int shift = level - l;
    missing -= spread(particles, input.particles, l, shift, z >> shift, x >> shift, y0, y1, out);
  }
}

}  // namespace aprscope::detail

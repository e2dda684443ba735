#include "core/apr/sample/slice.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "core/apr/sample/column_painter.hpp"
#include "core/apr/sample/row_painter.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSliceRows = 16;

// Rows [begin, end) of the plane.
void paint_rows(const detail::PaintSource& source, Axis axis, std::int64_t index,
                std::int64_t begin, std::int64_t end, Plane& plane) {
  const Size3& size = source.access.size();
  float* const out = plane.values.data() + begin * plane.cols;
  switch (axis) {
    case Axis::z:
      detail::paint_box(source, {{index, begin, 0}, {index + 1, end, size.y}},
                        {out, 0, plane.cols});
      break;
    case Axis::x:
      detail::paint_box(source, {{begin, index, 0}, {end, index + 1, size.y}},
                        {out, plane.cols, 0});
      break;
    case Axis::y:
      detail::paint_column(source, begin, end, index, out);
      break;
  }
}

// Calls visit(level, Z, X, particle) for all particles whose cells the slice cuts.
template <class Visit>
void for_each_cut_particle(const LinearAccess& cells, Axis axis, std::int64_t index,
                           const Visit& visit) {
  for (int l = 1; l <= cells.level_max(); ++l) {
    const Size3& grid = cells.grid(l);
    const std::int64_t at = index >> (cells.level_max() - l);
    const std::int64_t rows = axis == Axis::z ? grid.x : grid.z;
    const std::int64_t rows_x = axis == Axis::y ? grid.x : 1;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t rx = 0; rx < rows_x; ++rx) {
        const std::int64_t z = axis == Axis::z ? at : r;
        const std::int64_t x = axis == Axis::z ? r : (axis == Axis::x ? at : rx);
        ParticleRange row = cells.row(l, z, x);
        if (axis == Axis::y) {
          const auto found = cells.find(l, z, x, at);
          row = found ? ParticleRange{*found, *found + 1} : ParticleRange{};
        }
        for (std::uint64_t i = row.begin; i < row.end; ++i) visit(l, z, x, i);
      }
    }
  }
}

}  // namespace

Plane slice_particles(const AprAccess& access, std::span<const float> values,
                      std::span<const float> tree, ReconstructionMode mode, Axis axis,
                      std::int64_t index) {
  Plane plane;
  if (mode != ReconstructionMode::level && values.size() != access.count()) return plane;
  if (mode == ReconstructionMode::smooth && tree.size() != access.tree().count()) {
    return slice_particles(access, values, mode, axis, index);
  }
  plane_shape(access.size(), axis, plane.rows, plane.cols);
  index = std::clamp<std::int64_t>(index, 0, plane_count(access.size(), axis) - 1);
  std::atomic<bool> no_memory{false};
  try {
    plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
  } catch (const std::bad_alloc&) {
    return {};
  }
  const detail::PaintSource source{access, values, tree, mode};
  // A plane of usual size takes one thread a millisecond or two; waiting for a second one costs
  // more where a long job holds the cores. Slices perpendicular to y search each row, hence sooner.
  const std::int64_t alone = axis == Axis::y ? std::int64_t{1} << 18 : std::int64_t{1} << 20;
  const std::int64_t parts = (plane.rows + kSliceRows - 1) / kSliceRows;
  const int threads = plane.rows * plane.cols > alone ? thread_count() : 1;
  parallel_each(parts, threads, [&](std::int64_t i, int) {
    try {
      paint_rows(source, axis, index, i * kSliceRows, std::min((i + 1) * kSliceRows, plane.rows),
                 plane);
    } catch (const std::bad_alloc&) {
      no_memory = true;
    }
  });
  if (no_memory) return {};
  return plane;
}

Plane slice_particles(const AprAccess& access, std::span<const float> values,
                      ReconstructionMode mode, Axis axis, std::int64_t index) {
  if (mode != ReconstructionMode::smooth) {
    return slice_particles(access, values, {}, mode, axis, index);
  }
  const auto tree = fill_tree(access, values, Reduction::mean);
  if (!tree) return {};
  return slice_particles(access, values, *tree, mode, axis, index);
}

LabelPlane slice_labels(const AprAccess& access, std::span<const std::uint32_t> labels, Axis axis,
                        std::int64_t index) {
  LabelPlane plane;
  if (labels.size() != access.count()) return plane;
  plane_shape(access.size(), axis, plane.rows, plane.cols);
  index = std::clamp<std::int64_t>(index, 0, plane_count(access.size(), axis) - 1);
  plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
  const LinearAccess& cells = access.particles();
  for_each_cut_particle(
      cells, axis, index, [&](int l, std::int64_t z, std::int64_t x, std::uint64_t i) {
        const std::uint32_t label = labels[i];
        if (label == 0) return;
        const int shift = cells.level_max() - l;
        const std::int64_t side = std::int64_t{1} << shift;
        const std::int64_t row = (axis == Axis::z ? x : z) << shift;
        const std::int64_t col = (axis == Axis::y ? x : static_cast<std::int64_t>(cells.y()[i]))
                                 << shift;
        const std::int64_t end = std::min(col + side, plane.cols);
        for (std::int64_t r = row; r < std::min(row + side, plane.rows); ++r) {
          std::fill(plane.values.begin() + r * plane.cols + col,
                    plane.values.begin() + r * plane.cols + end, label);
        }
      });
  return plane;
}

std::vector<SliceDot> slice_dots(const AprAccess& access, std::span<const float> values, Axis axis,
                                 std::int64_t index, std::size_t limit) {
  const LinearAccess& cells = access.particles();
  if (values.size() != access.count() || limit == 0) return {};
  index = std::clamp<std::int64_t>(index, 0, plane_count(access.size(), axis) - 1);
  std::uint64_t total = 0;
  for_each_cut_particle(cells, axis, index,
                        [&](int, std::int64_t, std::int64_t, std::uint64_t) { ++total; });
  const std::uint64_t kept = std::min<std::uint64_t>(total, limit);
  std::vector<SliceDot> dots;
  try {
    dots.reserve(kept);
  } catch (const std::bad_alloc&) {
    return {};
  }
  const Size3& size = access.size();
  std::uint64_t sum = 0;
  for_each_cut_particle(cells, axis, index,
                        [&](int l, std::int64_t z, std::int64_t x, std::uint64_t i) {
                          // Bresenham's choice of `kept` of `total`, evenly.
                          sum += kept;
                          if (sum < total) return;
                          sum -= total;
                          const int shift = cells.level_max() - l;
                          const auto centre = [shift](std::int64_t cell, std::int64_t n) {
                            const std::int64_t begin = cell << shift;
                            const std::int64_t end = std::min((cell + 1) << shift, n);
                            return 0.5F * static_cast<float>(begin + end - 1);
                          };
                          const float cz = centre(z, size.z);
                          const float cx = centre(x, size.x);
                          const float cy = centre(cells.y()[i], size.y);
                          SliceDot dot;
                          dot.row = axis == Axis::z ? cx : cz;
                          dot.col = axis == Axis::y ? cx : cy;
                          dot.side = static_cast<float>(std::int64_t{1} << shift);
                          dot.value = values[i];
                          dots.push_back(dot);
                        });
  return dots;
}

}  // namespace aprscope

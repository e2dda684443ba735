#include "core/operations/engine/label_pixels.hpp"

#include <algorithm>
#include <span>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Paints the value of each particle into all pixels of its cell.
template <class T>
std::vector<T> painted(const LinearAccess& cells, std::span<const T> values) {
  const Size3 n = cells.size();
  std::vector<T> out(static_cast<std::size_t>(n.count()));
  const int threads = thread_count();
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const int shift = cells.level_max() - level;
    const Size3& grid = cells.grid(level);
    const auto end_of = [&](std::int64_t cell, std::int64_t limit) {
      return std::min((cell + 1) << shift, limit);
    };
    parallel_for(grid.z * grid.x, threads, [&](std::int64_t row) {
      const std::int64_t z = row / grid.x;
      const std::int64_t x = row % grid.x;
      const ParticleRange range = cells.row(level, z, x);
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        const std::int64_t y = cells.y()[i];
        const std::int64_t y0 = y << shift;
        const std::int64_t length = end_of(y, n.y) - y0;
        for (std::int64_t pz = z << shift; pz < end_of(z, n.z); ++pz) {
          for (std::int64_t px = x << shift; px < end_of(x, n.x); ++px) {
            std::fill_n(out.begin() + (pz * n.x + px) * n.y + y0, length, values[i]);
          }
        }
      }
    });
  }
  return out;
}

}  // namespace

PixelsOfLabels::PixelsOfLabels(const Dataset& input) : input_(input) {
  if (!input.is_apr()) return;
  const LinearAccess& cells = input.apr().access->particles();
  painted_labels_ = painted<std::uint32_t>(cells, input.labels()->values);
  Pixels<float> values;
  values.size = input.size();
  values.values = painted<float>(cells, input.values().particles());
  painted_values_ = std::move(values);
}

LabelPixels PixelsOfLabels::labels() const {
  const Labels& labels = *input_.labels();
  if (input_.is_apr()) return {input_.size(), painted_labels_, labels.largest};
  return {input_.size(), labels.values, labels.largest};
}

const AnyPixels& PixelsOfLabels::values() const {
  return input_.is_apr() ? painted_values_ : input_.volume().pixels;
}

Labels PixelsOfLabels::copy() const {
  const Labels& known = *input_.labels();
  if (!input_.is_apr()) return known;
  return {painted_labels_, known.largest, known.findings, known.open};
}

Labels PixelsOfLabels::back(const Dataset& input, Labels of_pixels) {
  if (!input.is_apr()) return of_pixels;
  const LinearAccess& cells = input.apr().access->particles();
  const Size3 n = input.size();
  std::vector<std::uint32_t> values(cells.count());
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const int shift = cells.level_max() - level;
    const Size3& grid = cells.grid(level);
    const auto middle = [&](std::int64_t cell, std::int64_t limit) {
      const std::int64_t begin = cell << shift;
      return (begin + std::min((cell + 1) << shift, limit)) / 2;
    };
    for (std::int64_t row = 0; row < grid.z * grid.x; ++row) {
      const ParticleRange range = cells.row(level, row / grid.x, row % grid.x);
      const std::int64_t first =
          (middle(row / grid.x, n.z) * n.x + middle(row % grid.x, n.x)) * n.y;
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        values[i] = of_pixels.values[static_cast<std::size_t>(first + middle(cells.y()[i], n.y))];
      }
    }
  }
  of_pixels.values = std::move(values);
  return of_pixels;
}

std::uint64_t PixelsOfLabels::bytes(const Dataset& input) {
  if (!input.is_apr()) return 0;
  return static_cast<std::uint64_t>(input.size().count()) * (sizeof(std::uint32_t) + sizeof(float));
}

}  // namespace aprscope

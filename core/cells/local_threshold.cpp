#include "core/cells/local_threshold.hpp"

#include <algorithm>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {
namespace {

// Slices that one task sums up one from the other; the cuts must not depend on threads.
constexpr std::int64_t kSlices = 16;

struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
Stretch round_of(std::int64_t at, std::int64_t reach, std::int64_t count) {
  return {std::max<std::int64_t>(0, at - reach), std::min(count, at + reach + 1)};
}

// Sums along z of all columns, of rows of them, and of one row.
struct Sums {
  std::vector<double> columns;
  std::vector<double> rows;
};

template <class T>
void add_slice(const Pixels<T>& pixels, std::int64_t z, double sign, std::vector<double>& columns) {
  const T* from = &pixels.at(z, 0, 0);
  for (std::size_t i = 0; i < columns.size(); ++i)
    columns[i] += sign * static_cast<double>(from[i]);
}

template <class T>
void mask_slice(const Pixels<T>& pixels, std::int64_t z, const Size3& reach, double offset,
                LevelSets sets, Sums& sums, std::uint8_t* out) {
  const Size3& n = pixels.size;
  const Stretch in_z = round_of(z, reach.z, n.z);
  sums.rows.assign(static_cast<std::size_t>(n.y), 0.0);
  const auto add_row = [&](std::int64_t x, double sign) {
    const double* from = sums.columns.data() + x * n.y;
    for (std::int64_t y = 0; y < n.y; ++y) sums.rows[static_cast<std::size_t>(y)] += sign * from[y];
  };
  for (std::int64_t x = 0; x < std::min(n.x, reach.x); ++x) add_row(x, 1.0);
  for (std::int64_t x = 0; x < n.x; ++x) {
    const Stretch in_x = round_of(x, reach.x, n.x);
    if (x + reach.x < n.x) add_row(x + reach.x, 1.0);
    if (x - reach.x > 0) add_row(x - reach.x - 1, -1.0);
    const T* values = &pixels.at(z, x, 0);
    const double lines = static_cast<double>((in_z.end - in_z.begin) * (in_x.end - in_x.begin));
    double sum = 0.0;
    for (std::int64_t y = 0; y < std::min(n.y, reach.y); ++y) {
      sum += sums.rows[static_cast<std::size_t>(y)];
    }
    for (std::int64_t y = 0; y < n.y; ++y) {
      const Stretch in_y = round_of(y, reach.y, n.y);
      if (y + reach.y < n.y) sum += sums.rows[static_cast<std::size_t>(y + reach.y)];
      if (y - reach.y > 0) sum -= sums.rows[static_cast<std::size_t>(y - reach.y - 1)];
      const double mean = sum / (lines * static_cast<double>(in_y.end - in_y.begin));
      const auto value = static_cast<double>(values[y]);
      const bool in = sets == LevelSets::superlevel ? value > mean + offset : value < mean - offset;
      out[x * n.y + y] = in ? 1 : 0;
    }
  }
}

}  // namespace

Result<Pixels<std::uint8_t>> local_mask(const Volume& image, const Size3& reach, double offset,
                                        LevelSets sets, const JobContext& context) {
  const Size3 n = image.size();
  Pixels<std::uint8_t> mask;
  mask.size = n;
  make_zeros(mask.values, n.count());
  const int threads = thread_count();
  std::vector<Sums> all(static_cast<std::size_t>(threads));
  const bool done = std::visit(
      [&](const auto& pixels) {
        return parallel_items(
            (n.z + kSlices - 1) / kSlices, threads, context, "local means",
            [&](std::int64_t item, int thread) {
              Sums& sums = all[static_cast<std::size_t>(thread)];
              sums.columns.assign(static_cast<std::size_t>(n.x * n.y), 0.0);
              const std::int64_t first = item * kSlices;
              for (std::int64_t z = round_of(first, reach.z, n.z).begin;
                   z < std::min(n.z, first + reach.z); ++z) {
                add_slice(pixels, z, 1.0, sums.columns);
              }
              for (std::int64_t z = first; z < std::min(n.z, first + kSlices); ++z) {
                if (context.stop_requested()) return;
                if (z + reach.z < n.z) add_slice(pixels, z + reach.z, 1.0, sums.columns);
                if (z > first && z - reach.z > 0) {
                  add_slice(pixels, z - reach.z - 1, -1.0, sums.columns);
                }
                mask_slice(pixels, z, reach, offset, sets, sums, &mask.at(z, 0, 0));
              }
            });
      },
      image.pixels);
  if (!done) return cancelled_error();
  return mask;
}

}  // namespace aprscope

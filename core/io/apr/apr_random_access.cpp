#include "core/io/apr/apr_random_access.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kRowsBetweenStops = 1U << 16U;

Error damaged_rows(const std::string& what) { return {what, "", "the file is damaged"}; }

// Grid of the stored rows: halved in z and x at the finest level.
Size3 stored_grid(const Size3& size, int level_max, int level) {
  Size3 grid = level_grid(size, level_max, level);
  if (level == level_max) {
    grid.z = (grid.z + 1) / 2;
    grid.x = (grid.x + 1) / 2;
  }
  return grid;
}

// How many of the two children of position i exist in a grid of n.
std::int64_t children(std::int64_t i, std::int64_t n) { return 2 * i + 1 < n ? 2 : 1; }

std::string row_name(const RandomAccessMaps& maps, std::size_t r) {
  return "row (z " + std::to_string(maps.z[r]) + ", x " + std::to_string(maps.x[r]) +
         ") of level " + std::to_string(maps.level[r]);
}

// Checks all numbers; returns the number of particles of each stored row (at the finest level, of
// one child row).
Result<std::vector<std::uint32_t>> check_rows(const Size3& size, int level_max,
                                              const RandomAccessMaps& maps,
                                              std::uint64_t particles) {
  const std::size_t rows = maps.level.size();
  if (maps.z.size() != rows || maps.x.size() != rows || maps.run_count.size() != rows ||
      maps.end_difference.size() != rows || maps.y_begin.size() != maps.y_end.size()) {
    return damaged_rows("its maps of rows differ in length");
  }
  std::vector<std::uint32_t> counts(rows);
  std::uint64_t run = 0;
  std::uint64_t total = 0;
  std::uint64_t covered = 0;
  std::uint16_t stated_end = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const int level = maps.level[r];
    if (level < 1 || level > level_max) {
      return damaged_rows("a row has level " + std::to_string(level));
    }
    const Size3 grid = stored_grid(size, level_max, level);
    const bool ordered = r == 0 || std::tie(maps.level[r - 1], maps.z[r - 1], maps.x[r - 1]) <
                                       std::tie(maps.level[r], maps.z[r], maps.x[r]);
    if (!ordered || maps.z[r] >= grid.z || maps.x[r] >= grid.x) {
      return damaged_rows(row_name(maps, r) + " is out of order or out of range");
    }
    const std::int64_t side = std::int64_t{1} << (level_max - level);
    std::int64_t next_y = 0;
    std::uint64_t count = 0;
    std::int64_t length = 0;
    for (unsigned i = 0; i < maps.run_count[r]; ++i, ++run) {
      if (run >= maps.y_begin.size() || maps.y_begin[run] < next_y ||
          maps.y_end[run] < maps.y_begin[run] || maps.y_end[run] >= grid.y) {
        return damaged_rows("a run of y in " + row_name(maps, r) +
                            " is out of order or out of range");
      }
      next_y = maps.y_end[run] + 1;
      count += static_cast<std::uint64_t>(maps.y_end[run] - maps.y_begin[run] + 1);
      length += std::min(next_y * side, size.y) - maps.y_begin[run] * side;
    }
    counts[r] = static_cast<std::uint32_t>(count);
    std::int64_t pixels_zx = 0;
    std::uint64_t all = count;
    if (level == level_max) {
      pixels_zx = children(maps.z[r], size.z) * children(maps.x[r], size.x);
      all *= static_cast<std::uint64_t>(pixels_zx);
    } else {
      pixels_zx =
          std::min(side, size.z - maps.z[r] * side) * std::min(side, size.x - maps.x[r] * side);
    }
    total += all;
    covered += static_cast<std::uint64_t>(pixels_zx * length);
    stated_end = static_cast<std::uint16_t>(stated_end + maps.end_difference[r]);
    if (stated_end != static_cast<std::uint16_t>(total)) {
      return damaged_rows(row_name(maps, r) + " does not end where the file says");
    }
  }
  if (run != maps.y_begin.size()) return damaged_rows("its maps of runs differ in length");
  if (total != particles) {
    return damaged_rows("its rows hold " + std::to_string(total) +
                        " particles where its header says " + std::to_string(particles));
  }
  if (covered != static_cast<std::uint64_t>(size.count())) {
    return damaged_rows("its cells cover " + std::to_string(covered) + " of " +
                        std::to_string(size.count()) + " pixels");
  }
  return counts;
}

// Calls f(row index in xz_end) for each child row of stored row r, z slowest.
template <class F>
void for_each_row(const Size3& size, int level_max, const std::vector<std::uint64_t>& first_rows,
                  int level, std::int64_t z, std::int64_t x, F&& f) {
  const Size3 grid = level_grid(size, level_max, level);
  const std::uint64_t first = first_rows[static_cast<std::size_t>(level)];
  if (level < level_max) {
    f(first + static_cast<std::uint64_t>(z * grid.x + x));
    return;
  }
  for (std::int64_t cz = 2 * z; cz < 2 * z + children(z, grid.z); ++cz) {
    for (std::int64_t cx = 2 * x; cx < 2 * x + children(x, grid.x); ++cx) {
      f(first + static_cast<std::uint64_t>(cz * grid.x + cx));
    }
  }
}

std::vector<std::uint64_t> first_rows_of(const Size3& size, int level_max) {
  std::vector<std::uint64_t> first(static_cast<std::size_t>(level_max) + 2, 1);
  for (int l = 1; l <= level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    first[static_cast<std::size_t>(l) + 1] =
        first[static_cast<std::size_t>(l)] + static_cast<std::uint64_t>(grid.z * grid.x);
  }
  return first;
}

}  // namespace

Result<LinearFromRandom> linear_from_random(const Size3& size, int level_max,
                                            const RandomAccessMaps& maps, std::uint64_t particles,
                                            const JobContext& context) {
  auto counts = check_rows(size, level_max, maps, particles);
  if (!counts) return counts.error();
  const std::vector<std::uint64_t> first_rows = first_rows_of(size, level_max);
  LinearFromRandom out;
  out.xz_end.assign(first_rows.back(), 0);
  out.y.resize(particles);
  std::uint64_t packed = 0;
  for (std::size_t r = 0; r < counts->size(); ++r) {
    const std::uint64_t count = (*counts)[r];
    const std::uint64_t begin = packed;
    for_each_row(size, level_max, first_rows, maps.level[r], maps.z[r], maps.x[r],
                 [&](std::uint64_t row) {
                   out.xz_end[row] = count;
                   packed += count;
                 });
    if (maps.level[r] == level_max && count > 0) {
      out.finest.push_back({begin, count, maps.z[r], maps.x[r]});
    }
  }
  for (std::size_t i = 1; i < out.xz_end.size(); ++i) out.xz_end[i] += out.xz_end[i - 1];

  std::uint64_t run = 0;
  for (std::size_t r = 0; r < counts->size(); ++r) {
    if (r % kRowsBetweenStops == 0 && context.stop_requested()) return cancelled_error();
    for_each_row(size, level_max, first_rows, maps.level[r], maps.z[r], maps.x[r],
                 [&](std::uint64_t row) {
                   std::uint64_t at = out.xz_end[row - 1];
                   for (std::uint64_t g = run; g < run + maps.run_count[r]; ++g) {
                     for (unsigned y = maps.y_begin[g]; y <= maps.y_end[g]; ++y) {
                       out.y[at++] = static_cast<std::uint16_t>(y);
                     }
                   }
                 });
    run += maps.run_count[r];
  }
  return out;
}

Status reorder_finest(const Size3& size, int level_max, const LinearFromRandom& structure,
                      FieldValues& values, const JobContext& context) {
  const std::vector<std::uint64_t> first_rows = first_rows_of(size, level_max);
  return std::visit(
      [&](auto& stored) -> Status {
        const auto packed = stored;
        for (std::size_t i = 0; i < structure.finest.size(); ++i) {
          if (i % kRowsBetweenStops == 0 && context.stop_requested()) return cancelled_error();
          const FinestRowGroup& group = structure.finest[i];
          std::uint64_t from = group.begin;
          for_each_row(
              size, level_max, first_rows, level_max, group.z, group.x, [&](std::uint64_t row) {
                std::copy_n(
                    packed.begin() + static_cast<std::ptrdiff_t>(from), group.count,
                    stored.begin() + static_cast<std::ptrdiff_t>(structure.xz_end[row - 1]));
                from += group.count;
              });
        }
        return {};
      },
      values);
}

}  // namespace aprscope

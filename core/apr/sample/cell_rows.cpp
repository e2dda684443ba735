#include "core/apr/sample/cell_rows.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

Error damaged(const std::string& what) {
  return {what, "particle structure", "the data is damaged or not an APR"};
}

Status check(const CellRows& rows, const Size3& grid) {
  const auto count = static_cast<std::size_t>((rows.z1 - rows.z0) * grid.x);
  const std::string name = "level " + std::to_string(rows.level);
  if (rows.z0 < 0 || rows.z0 > rows.z1 || rows.z1 > grid.z || rows.ends.size() != count + 1 ||
      !std::is_sorted(rows.ends.begin(), rows.ends.end()) || rows.y.size() != rows.count() ||
      (!rows.values.empty() && rows.values.size() != rows.count())) {
    return damaged("the rows of " + name + " are out of order");
  }
  for (std::size_t r = 0; r < count; ++r) {
    const auto begin = static_cast<std::size_t>(rows.ends[r] - rows.ends[0]);
    const auto end = static_cast<std::size_t>(rows.ends[r + 1] - rows.ends[0]);
    for (std::size_t i = begin; i < end; ++i) {
      if (rows.y[i] >= grid.y || (i > begin && rows.y[i - 1] >= rows.y[i])) {
        return damaged("a row of " + name + " is out of order or out of range");
      }
    }
  }
  return {};
}

// Paints what the cells of `rows` cover of plane z of the region; returns how many pixels.
std::int64_t paint_plane(const CellRows& rows, std::int64_t row_count, int shift, std::int64_t z,
                         const Region& region, float* plane) {
  const Size3 extent = region.size();
  std::int64_t painted = 0;
  for (std::int64_t cx = region.begin.x >> shift; cx <= (region.end.x - 1) >> shift; ++cx) {
    const auto r = static_cast<std::size_t>(((z >> shift) - rows.z0) * row_count + cx);
    const auto first = static_cast<std::ptrdiff_t>(rows.ends[r] - rows.ends[0]);
    const auto last = static_cast<std::ptrdiff_t>(rows.ends[r + 1] - rows.ends[0]);
    const std::int64_t x0 = std::max(cx << shift, region.begin.x);
    const std::int64_t x1 = std::min((cx + 1) << shift, region.end.x);
    auto i =
        std::lower_bound(rows.y.begin() + first, rows.y.begin() + last, region.begin.y >> shift) -
        rows.y.begin();
    for (; i < last; ++i) {
      const std::int64_t y = rows.y[static_cast<std::size_t>(i)];
      const std::int64_t y0 = std::max(y << shift, region.begin.y);
      const std::int64_t y1 = std::min((y + 1) << shift, region.end.y);
      if (y0 >= y1) break;
      const float v = rows.values.empty() ? static_cast<float>(rows.level)
                                          : rows.values[static_cast<std::size_t>(i)];
      for (std::int64_t x = x0; x < x1; ++x) {
        float* const to = plane + (x - region.begin.x) * extent.y - region.begin.y;
        std::fill(to + y0, to + y1, v);
      }
      painted += (x1 - x0) * (y1 - y0);
    }
  }
  return painted;
}

}  // namespace

Result<Pixels<float>> paint_cells(const Size3& size, int level_max, int level, const Region& region,
                                  std::span<const CellRows> rows, const JobContext& context) {
  const Size3 target = level_grid(size, level_max, level);
  const Size3 extent = region.size();
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > target.z ||
      region.end.x > target.x || region.end.y > target.y || extent.z < 1 || extent.x < 1 ||
      extent.y < 1) {
    return Error{"the region reaches beyond the image or is empty", "reconstruction",
                 "choose a region inside the image"};
  }
  for (const CellRows& r : rows) {
    if (Status fine = check(r, level_grid(size, level_max, r.level)); !fine) return fine.error();
    const int shift = level - r.level;
    if (shift < 0 || r.z0 > region.begin.z >> shift || r.z1 <= (region.end.z - 1) >> shift) {
      return damaged("the rows do not reach over the region");
    }
  }
  Pixels<float> out;
  try {
    out.size = extent;
    make_zeros(out.values, extent.count());
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for " + std::to_string(extent.count()) + " pixels",
                 "reconstruction", "take a smaller region or a coarser level"};
  }
  std::atomic<bool> covered{true};
  const bool going =
      parallel_items(extent.z, thread_count(), context, "reconstruct", [&](std::int64_t z, int) {
        std::int64_t painted = 0;
        for (const CellRows& r : rows) {
          painted +=
              paint_plane(r, level_grid(size, level_max, r.level).x, level - r.level,
                          region.begin.z + z, region, out.values.data() + out.index(z, 0, 0));
        }
        if (painted != extent.x * extent.y) covered = false;
      });
  if (!going) return cancelled_error();
  if (!covered) return damaged("its cells do not cover the region exactly once");
  return out;
}

}  // namespace aprscope

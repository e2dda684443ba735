#include "core/topology/particle_strata.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/level_window.hpp"
#include "core/topology/strata_kernels.hpp"
#include "core/topology/strata_tally.hpp"

namespace aprscope {
namespace {

// A part of the grid of a level.
struct Item {
  int level = 0;
  GridPart part;
};

// On the grid of a level each face of a cell is round it or between it and others. Those that touch
// something divided are left to finer levels, those that touch no particle of the level to coarser
// ones: what is left of all levels covers the image once. (χ of any partition into open boxes is
// the same; see Cheeseman 2018 for the partition, and the definition of strata for the rest.) A
// larger cell takes part as many cells of the grid, and owns faces as they do.
template <class Place, class Given>
class ParticleCounter {
 public:
  ParticleCounter(const AprAccess& access, std::span<const Given> places, int levels,
                  Construction construction, SharedStrata& shared)
      : cells_(access.particles()),
        kernel_(strata_kernels<Place>().cells),
        window_(access, places, levels, construction),
        tally_(levels + 1, shared) {}

  void count(const Item& item) {
    const std::int64_t blocks = strata_blocks(cells_.grid(item.level).y);
    words_.resize(static_cast<std::size_t>(blocks * kStrataBlock));
    owning_.resize(static_cast<std::size_t>(blocks));
    window_.open(item.level, item.part);
    window_.load();
    window_.load();
    for (std::int64_t z = item.part.z0; z < item.part.z1; ++z) {
      window_.load();
      for (std::int64_t x = item.part.x0; x < item.part.x1; ++x) count_row(item.level, z, x);
    }
  }
  void add_to(StrataCounts& counts) { tally_.add_to(counts, 1); }

 private:
  void count_row(int level, std::int64_t z, std::int64_t x) {
    CellStrataRow<Place> row;
    if (!window_.find_row(x, row)) return;
    row.words = words_.data();
    row.owning = owning_.data();
    kernel_(row);
    const Size3& size = cells_.size();
    const Size3& grid = cells_.grid(level);
    const std::int64_t full = std::int64_t{1} << (cells_.level_max() - level);
    const auto clipped = [full](std::int64_t cell, std::int64_t extent) {
      return std::min(full, extent - cell * full);
    };
    // Most rows of a slice are alike; cells at the ends of the image may be smaller.
    const Size3 side{clipped(z, size.z), clipped(0, size.x), clipped(0, size.y)};
    Size3 here{side.z, clipped(x, size.x), side.y};
    tally_.set_side(side);
    if (here == side) {
      here.y = clipped(grid.y - 1, size.y);
      if (here.y != side.y) add_each(row, grid.y - 1, here);
      add_alike(row);
      return;
    }
    for (std::int64_t y = 0; y < grid.y; ++y) {
      here.y = clipped(y, size.y);
      add_each(row, y, here);
    }
  }
  void add_alike(const CellStrataRow<Place>& row) {
    for (std::int64_t w = 0; w < strata_blocks(row.count); ++w) {
      if (row.owning[w] == 0) continue;
      const std::int64_t y = w * kStrataBlock;
      tally_.add_some(row.rows[1][1] + y, row.words + y, row.owning[w],
                      std::min(kStrataBlock, row.count - y));
    }
  }
  // Adds a cell, if it owns any strata, and takes it off the row.
  void add_each(const CellStrataRow<Place>& row, std::int64_t y, const Size3& side) {
    std::uint64_t& owning = row.owning[y / kStrataBlock];
    const std::uint64_t bit = std::uint64_t{1} << (y % kStrataBlock);
    if ((owning & bit) == 0) return;
    owning &= ~bit;
    tally_.add_one(row.rows[1][1][y], row.words[y], side);
    row.words[y] = 0;
  }

  const LinearAccess& cells_;
  void (*kernel_)(const CellStrataRow<Place>&);
  LevelWindow<Place, Given> window_;
  StrataTally tally_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> owning_;
};

// Fine levels come first, since they take longest.
std::vector<Item> items_of(const LinearAccess& cells, const SliceSpan& slices,
                           std::int64_t place_bytes) {
  std::vector<Item> items;
  for (int level = cells.level_last(); level >= cells.level_first(); --level) {
    if (cells.level(level).empty()) continue;
    const SliceSpan planes = slices.of_cells(cells.level_max() - level);
    if (planes.empty()) continue;
    const Size3& grid = cells.grid(level);
    const GridParts parts({planes.end - planes.begin, grid.x, grid.y}, place_bytes);
    for (std::int64_t i = 0; i < parts.count(); ++i) {
      GridPart part = parts.part(i);
      part.z0 += planes.begin;
      part.z1 += planes.begin;
      items.push_back({level, part});
    }
  }
  return items;
}

template <class Place, class Given>
Result<StrataCounts> count(const AprAccess& access, const SliceSpan& slices,
                           std::span<const Given> places, int levels, Construction construction,
                           const JobContext& context) {
  const std::vector<Item> items = items_of(access.particles(), slices, sizeof(Place));
  const auto count = static_cast<std::int64_t>(items.size());
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(count, 1, thread_count()));
  using Its = ParticleCounter<Place, Given>;
  SharedStrata shared(levels + 1);
  std::vector<std::unique_ptr<Its>> counters(static_cast<std::size_t>(threads));
  std::atomic<std::int64_t> done{0};
  parallel_each(count, threads, [&](std::int64_t i, int thread) {
    if (context.stop_requested()) return;
    auto& counter = counters[static_cast<std::size_t>(thread)];
    if (!counter) {
      counter = std::make_unique<Its>(access, places, levels, construction, shared);
    }
    counter->count(items[static_cast<std::size_t>(i)]);
    context.report(static_cast<double>(++done) / static_cast<double>(count), "strata");
  });
  if (context.stop_requested()) return cancelled_error();
  StrataCounts out;
  for (const auto& counter : counters) {
    if (counter) counter->add_to(out);
  }
  if (!shared.empty()) out.levels = shared.take(1);
  out.levels.resize(static_cast<std::size_t>(levels));
  if (construction == Construction::vertices) std::ranges::reverse(out.levels);
  return out;
}

// Whether a type holds the places of the levels and what is outside and divided.
template <class Place>
bool holds(int levels) {
  return levels < std::int64_t{std::numeric_limits<Place>::max()};
}

}  // namespace

Result<StrataCounts> count_strata(const AprAccess& access, const SliceSpan& slices,
                                  std::span<const std::uint16_t> places, int levels,
                                  Construction construction, const JobContext& context) {
  if (holds<std::uint8_t>(levels)) {
    return count<std::uint8_t>(access, slices, places, levels, construction, context);
  }
  if (holds<std::uint16_t>(levels)) {
    return count<std::uint16_t>(access, slices, places, levels, construction, context);
  }
  return count<std::uint32_t>(access, slices, places, levels, construction, context);
}

Result<StrataCounts> count_strata(const AprAccess& access, const SliceSpan& slices,
                                  std::span<const std::uint32_t> places, int levels,
                                  Construction construction, const JobContext& context) {
  return count<std::uint32_t>(access, slices, places, levels, construction, context);
}

Result<StrataCounts> count_strata(const AprAccess& access, std::span<const std::uint16_t> places,
                                  int levels, Construction construction,
                                  const JobContext& context) {
  return count_strata(access, SliceSpan{0, access.size().z}, places, levels, construction, context);
}

Result<StrataCounts> count_strata(const AprAccess& access, std::span<const std::uint32_t> places,
                                  int levels, Construction construction,
                                  const JobContext& context) {
  return count_strata(access, SliceSpan{0, access.size().z}, places, levels, construction, context);
}

}  // namespace aprscope

#include "core/filter/convolution.hpp"

#include <memory>
#include <new>
#include <string>

#include "core/apr/parallel.hpp"
#include "core/base/system.hpp"
#include "core/filter/kernels.hpp"
#include "core/filter/particle_rows.hpp"
#include "core/filter/tile_filter.hpp"

namespace aprscope {
namespace {

using detail::Patch;
using detail::Tile;
using detail::TileFilter;
using detail::TileResult;
using detail::TileScratch;
using detail::Wanted;

// Cells of a row that one patch takes in: long enough to amortise its halo, short enough that empty
// stretches are skipped.
constexpr std::int64_t kChunk = 128;

// A tile of rows of one level; its length along y is cut into chunks when it is worked on.
struct Task {
  int level = 0;
  Tile tile;
};

// One filter a level (index = level), and the scratch of a thread.
using LevelFilters = std::vector<std::unique_ptr<TileFilter>>;
struct Worker {
  Patch patch;
  Wanted wanted;
  TileScratch scratch;
};

// The cells of a level that a region of pixels touches.
Tile cells_of(const Region& region, int shift) {
  return {region.begin.z >> shift, ((region.end.z - 1) >> shift) + 1,
          region.begin.x >> shift, ((region.end.x - 1) >> shift) + 1,
          region.begin.y >> shift, ((region.end.y - 1) >> shift) + 1};
}

std::vector<Task> make_tasks(const AprAccess& access, const LevelFilters& filters,
                             const Region& region) {
  std::vector<Task> tasks;
  // Fine levels first: they hold most of the work.
  for (int l = access.level_max(); l >= access.level_min_used(); --l) {
    if (access.particles().level(l).empty()) continue;
    const Tile all = cells_of(region, access.level_max() - l);
    const std::int64_t side = filters[static_cast<std::size_t>(l)]->tile_rows();
    for (std::int64_t z = all.z0; z < all.z1; z += side) {
      for (std::int64_t x = all.x0; x < all.x1; x += side) {
        tasks.push_back(
            {l, {z, std::min(z + side, all.z1), x, std::min(x + side, all.x1), all.y0, all.y1}});
      }
    }
  }
  return tasks;
}

// Particles of row (z, x) with y in [y0, y1).
ParticleRange clip_row(const LinearAccess& cells, int level, std::int64_t z, std::int64_t x,
                       std::int64_t y0, std::int64_t y1) {
  ParticleRange row = cells.row(level, z, x);
  const std::uint16_t* const ys = cells.y().data();
  const auto position = [&](std::int64_t y) {
    return static_cast<std::uint64_t>(std::lower_bound(ys + row.begin, ys + row.end, y) - ys);
  };
  return {position(y0), position(y1)};
}

// Lists the blocks that cover the particles of a tile. False where there are none.
bool collect(const LinearAccess& cells, int level, const Tile& tile, Wanted& wanted) {
  wanted.clear();
  const std::uint16_t* const ys = cells.y().data();
  for (std::int64_t z = tile.z0; z < tile.z1; ++z) {
    for (std::int64_t x = tile.x0; x < tile.x1; ++x) {
      const ParticleRange row = clip_row(cells, level, z, x, tile.y0, tile.y1);
      if (row.empty()) continue;
      const auto first = static_cast<std::uint32_t>(wanted.blocks.size());
      std::int64_t end = -1;
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const std::int64_t y = ys[i] - tile.y0;
        if (y < end) continue;
        wanted.blocks.push_back(static_cast<std::int32_t>(y));
        end = y + kBlock;
      }
      wanted.rows.push_back({z - tile.z0, x - tile.x0, first,
                             static_cast<std::uint32_t>(wanted.blocks.size()) - first});
    }
  }
  return !wanted.rows.empty();
}

void store(const LinearAccess& cells, int level, const Tile& tile, const Wanted& wanted,
           TileResult& result, std::span<float> out) {
  const std::uint16_t* const ys = cells.y().data();
  for (const detail::WantedRow& r : wanted.rows) {
    const ParticleRange row =
        clip_row(cells, level, tile.z0 + r.z, tile.x0 + r.x, tile.y0, tile.y1);
    const float* const from = result.row(r.z, r.x) - tile.y0;
    for (std::uint64_t i = row.begin; i < row.end; ++i) out[i] = from[ys[i]];
  }
}

void work_on(const FilterInput& input, const LevelFilters& filters, Boundary boundary,
             const Task& task, Worker& worker, std::span<float> out) {
  const LinearAccess& cells = input.access->particles();
  const TileFilter& filter = *filters[static_cast<std::size_t>(task.level)];
  const auto fill = [&](std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1,
                        float* to) {
    detail::fill_isotropic_row(input, task.level, z, x, y0, y1, to);
  };
  Tile tile = task.tile;
  for (std::int64_t y = task.tile.y0; y < task.tile.y1; y += kChunk) {
    tile.y0 = y;
    tile.y1 = std::min(y + kChunk, task.tile.y1);
    if (!collect(cells, task.level, tile, worker.wanted)) continue;
    worker.patch.load(cells.grid(task.level), tile, filter.radius(), boundary, fill);
    worker.scratch.result.prepare(tile);
    filter.run(worker.patch, worker.wanted, worker.scratch, worker.scratch.result);
    store(cells, task.level, tile, worker.wanted, worker.scratch.result, out);
  }
}

Status check_input(const FilterInput& input, const Region& region, std::span<const float> out) {
  const AprAccess& access = *input.access;
  const Size3& n = access.size();
  const bool inside = region.begin.z >= 0 && region.begin.x >= 0 && region.begin.y >= 0 &&
                      region.end.z <= n.z && region.end.x <= n.x && region.end.y <= n.y;
  if (!inside) return Error{"the region reaches out of the image", "filter", "choose one inside"};
  if (input.particles.size() != access.count() || out.size() != access.count() ||
      input.tree.size() != access.tree().count()) {
    return Error{"there is not one value a particle", "filter", "use values of the same structure"};
  }
  return {};
}

Status run_levels(const FilterInput& input, const LevelFilters& filters, Boundary boundary,
                  const Region& region, std::span<float> out, const JobContext& context) {
  if (Status ok = check_input(input, region, out); !ok) return ok;
  const Size3 extent = region.size();
  if (extent.z <= 0 || extent.x <= 0 || extent.y <= 0) return {};
  const std::vector<Task> tasks = make_tasks(*input.access, filters, region);
  const int threads = thread_count();
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  const bool done =
      parallel_items(static_cast<std::int64_t>(tasks.size()), threads, context, "filter",
                     [&](std::int64_t i, int thread) {
                       work_on(input, filters, boundary, tasks[static_cast<std::size_t>(i)],
                               workers[static_cast<std::size_t>(thread)], out);
                     });
  if (!done) return cancelled_error();
  return {};
}

Status check_levels(const StencilPyramid& stencils, const AprAccess& access) {
  if (stencils.level_max() >= access.level_max()) return {};
  return Error{"the stencils end at level " + std::to_string(stencils.level_max()) +
                   ", the particles at " + std::to_string(access.level_max()),
               "filter", "build the pyramid for this APR"};
}

}  // namespace

Status convolve(const FilterInput& input, const StencilPyramid& stencils, Boundary boundary,
                const Region& region, std::span<float> out, const JobContext& context) {
  if (Status ok = check_levels(stencils, *input.access); !ok) return ok;
  LevelFilters filters;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    filters.push_back(detail::make_correlation(stencils.at(l)));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

Status local_statistic(const FilterInput& input, LocalStatistic statistic, Size3 size,
                       Boundary boundary, const Region& region, std::span<float> out,
                       const JobContext& context) {
  if (size.z < 1 || size.x < 1 || size.y < 1 || size.z % 2 == 0 || size.x % 2 == 0 ||
      size.y % 2 == 0) {
    return Error{"the size of the neighbourhood is not odd", "filter", "use odd sizes"};
  }
  LevelFilters filters;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    filters.push_back(detail::make_statistic(statistic, size));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

Status gradient_magnitude(const FilterInput& input, const std::vector<StencilPyramid>& components,
                          Boundary boundary, const Region& region, std::span<float> out,
                          const JobContext& context) {
  for (const StencilPyramid& c : components) {
    if (Status ok = check_levels(c, *input.access); !ok) return ok;
  }
  LevelFilters filters;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    std::vector<Stencil> stencils;
    for (const StencilPyramid& c : components) stencils.push_back(c.at(l));
    filters.push_back(detail::make_magnitude(stencils));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

}  // namespace aprscope

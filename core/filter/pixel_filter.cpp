#include "core/filter/pixel_filter.hpp"

#include <cstring>
#include <memory>

#include "core/apr/parallel.hpp"
#include "core/base/system.hpp"
#include "core/filter/kernels.hpp"
#include "core/filter/tile_filter.hpp"

namespace aprscope {
namespace {

using detail::Patch;
using detail::Tile;
using detail::TileFilter;
using detail::TileScratch;
using detail::Wanted;

// Pixels of a row that one patch takes in.
constexpr std::int64_t kChunk = 512;

struct Worker {
  Patch patch;
  Wanted wanted;
  TileScratch scratch;
};

// All blocks of all rows of a tile.
void want_everything(const Tile& tile, Wanted& wanted) {
  wanted.clear();
  for (std::int64_t y = 0; y < tile.y1 - tile.y0; y += kBlock) {
    wanted.blocks.push_back(static_cast<std::int32_t>(y));
  }
  const auto count = static_cast<std::uint32_t>(wanted.blocks.size());
  for (std::int64_t z = 0; z < tile.z1 - tile.z0; ++z) {
    for (std::int64_t x = 0; x < tile.x1 - tile.x0; ++x) wanted.rows.push_back({z, x, 0, count});
  }
}

void work_on(const Pixels<float>& input, const TileFilter& filter, Boundary boundary,
             const Tile& tile, Worker& worker, Pixels<float>& out) {
  const auto fill = [&](std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1,
                        float* to) {
    std::memcpy(to, &input.at(z, x, y0), static_cast<std::size_t>(y1 - y0) * sizeof(float));
  };
  Tile part = tile;
  for (std::int64_t y = tile.y0; y < tile.y1; y += kChunk) {
    part.y0 = y;
    part.y1 = std::min(y + kChunk, tile.y1);
    want_everything(part, worker.wanted);
    worker.patch.load(input.size, part, filter.radius(), boundary, fill);
    worker.scratch.result.prepare(part);
    filter.run(worker.patch, worker.wanted, worker.scratch, worker.scratch.result);
    for (const detail::WantedRow& r : worker.wanted.rows) {
      std::memcpy(&out.at(part.z0 + r.z, part.x0 + r.x, part.y0),
                  worker.scratch.result.row(r.z, r.x),
                  static_cast<std::size_t>(part.y1 - part.y0) * sizeof(float));
    }
  }
}

Status run(const Pixels<float>& input, const TileFilter& filter, Boundary boundary,
           const Region& region, Pixels<float>& out, const JobContext& context) {
  const Size3& n = input.size;
  if (!(out.size == n) || out.values.size() != input.values.size()) {
    return Error{"the result has another size than the image", "filter", "use one of equal size"};
  }
  if (region.begin.z < 0 || region.begin.x < 0 || region.begin.y < 0 || region.end.z > n.z ||
      region.end.x > n.x || region.end.y > n.y) {
    return Error{"the region reaches out of the image", "filter", "choose one inside"};
  }
  const Size3 extent = region.size();
  if (extent.z <= 0 || extent.x <= 0 || extent.y <= 0) return {};
  std::vector<Tile> tiles;
  const std::int64_t side = filter.tile_rows();
  for (std::int64_t z = region.begin.z; z < region.end.z; z += side) {
    for (std::int64_t x = region.begin.x; x < region.end.x; x += side) {
      tiles.push_back({z, std::min(z + side, region.end.z), x, std::min(x + side, region.end.x),
                       region.begin.y, region.end.y});
    }
  }
  const int threads = thread_count();
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  const bool done =
      parallel_items(static_cast<std::int64_t>(tiles.size()), threads, context, "filter",
                     [&](std::int64_t i, int thread) {
                       work_on(input, filter, boundary, tiles[static_cast<std::size_t>(i)],
                               workers[static_cast<std::size_t>(thread)], out);
                     });
  if (!done) return cancelled_error();
  return {};
}

}  // namespace

Status convolve_pixels(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                       const Region& region, Pixels<float>& out, const JobContext& context) {
  if (Status ok = check(stencil); !ok) return ok;
  return run(input, *detail::make_correlation(stencil), boundary, region, out, context);
}

Status local_statistic_pixels(const Pixels<float>& input, LocalStatistic statistic, Size3 size,
                              Boundary boundary, const Region& region, Pixels<float>& out,
                              const JobContext& context) {
  if (size.z < 1 || size.x < 1 || size.y < 1 || size.z % 2 == 0 || size.x % 2 == 0 ||
      size.y % 2 == 0) {
    return Error{"the size of the neighbourhood is not odd", "filter", "use odd sizes"};
  }
  return run(input, *detail::make_statistic(statistic, size), boundary, region, out, context);
}

Status gradient_magnitude_pixels(const Pixels<float>& input, const std::vector<Stencil>& components,
                                 Boundary boundary, const Region& region, Pixels<float>& out,
                                 const JobContext& context) {
  for (const Stencil& s : components) {
    if (Status ok = check(s); !ok) return ok;
  }
  return run(input, *detail::make_magnitude(components), boundary, region, out, context);
}

}  // namespace aprscope

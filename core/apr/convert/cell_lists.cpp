#include "core/apr/convert/cell_lists.hpp"

#include <algorithm>
#include <utility>

#include "core/apr/convert/bit_lists.hpp"

namespace aprscope {
namespace {

// Lists of whole levels, from level_first on.
std::optional<LinearAccess> list(const Size3& size, int level_max, int level_first,
                                 const std::vector<LevelBits>& levels, const JobContext& context,
                                 Scratch<float> spare = {}) {
  std::vector<BitSlices> slices;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Size3 grid = level_grid(size, level_max, level_first + static_cast<int>(i));
    slices.push_back({levels[i], grid, 0, grid.z});
  }
  auto lists = list_bits(std::move(slices), context, std::move(spare));
  if (!lists) return std::nullopt;
  const int last = level_first + static_cast<int>(levels.size()) - 1;
  return LinearAccess::of_ordered(size, level_max, level_first, last, std::move(lists->y),
                                  std::move(lists->ends));
}

// Images of at most 2 pixels a dimension have no coarser level to choose: every pixel is a
// particle.
Result<LinearAccess> every_pixel(const Size3& size) {
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> xz_end{0};
  for (std::int64_t row = 0; row < size.z * size.x; ++row) {
    for (std::int64_t k = 0; k < size.y; ++k) y.push_back(static_cast<std::uint16_t>(k));
    xz_end.push_back(y.size());
  }
  return LinearAccess::create(size, 1, 1, 1, std::move(y), std::move(xz_end));
}

}  // namespace

std::optional<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                         const JobContext& context, Scratch<float> spare) {
  std::vector<LevelBits> levels;
  for (int l = 1; l < level_max; ++l) levels.push_back({&set.cells[static_cast<std::size_t>(l)]});
  levels.push_back({&set.refined, true});
  context.report(0.0, "particles");
  return list(size, level_max, 1, levels, context, std::move(spare));
}

std::vector<BitGrid> interior_grids(const CellSet& set, const Size3& size, int level_max) {
  std::vector<BitGrid> grids;
  grids.reserve(static_cast<std::size_t>(level_max));
  // The refined cells are those of level_max − 1.
  const BitGrid* finer = &set.refined;
  for (int l = level_max - 2; l >= 0; --l) {
    grids.push_back(parents_of(*finer, set.cells[static_cast<std::size_t>(l) + 1],
                               level_grid(size, level_max, l)));
    finer = &grids.back();
  }
  std::reverse(grids.begin(), grids.end());
  return grids;
}

std::optional<LinearAccess> interior_of(const CellSet& set, const Size3& size, int level_max,
                                        const JobContext& context) {
  context.report(0.0, "tree");
  const std::vector<BitGrid> coarser = interior_grids(set, size, level_max);
  std::vector<LevelBits> levels;
  for (const BitGrid& grid : coarser) levels.push_back({&grid});
  levels.push_back({&set.refined});
  return list(size, level_max, 0, levels, context);
}

Result<std::shared_ptr<const AprAccess>> access_of(LevelMap levels, const Size3& size,
                                                   const ConversionParameters& p,
                                                   const JobContext& context,
                                                   Scratch<float> spare) {
  const int level_max = finest_level(size);
  if (level_max == 1) {
    auto particles = every_pixel(size);
    if (!particles) return particles.error();
    return AprAccess::create(*std::move(particles));
  }
  CellSet cells;
  if (!pulling_scheme(std::move(levels), size, level_max, p.neighbourhood_optimisation, cells,
                      context.part(0.0, 0.4))) {
    return cancelled_error();
  }
  auto particles = particles_of(cells, size, level_max, context.part(0.4, 0.8), std::move(spare));
  if (!particles) return cancelled_error();
  auto tree = interior_of(cells, size, level_max, context.part(0.8, 0.9));
  if (!tree) return cancelled_error();
  return AprAccess::create(*std::move(particles), *std::move(tree));
}

}  // namespace aprscope

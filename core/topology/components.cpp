#include "core/topology/components.hpp"

#include <algorithm>
#include <atomic>

#include "core/base/parallel.hpp"
#include "core/topology/particle_growth.hpp"
#include "core/topology/pixel_growth.hpp"

namespace aprscope {
namespace {

std::vector<std::int64_t> pieces_of(const MergeTree& sets) {
  std::vector<std::int64_t> pieces(sets.change.size());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = sum += sets.change[i];
  return pieces;
}

// At the level of place i the rest (the complement) holds all cells of later places, which entered
// the rest in reverse order. Its exterior piece is not counted.
std::vector<std::int64_t> enclosed_of(const MergeTree& rest) {
  const std::size_t levels = rest.change.size();
  std::vector<std::int64_t> enclosed(levels);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i + 1 < levels; ++i) {
    sum += rest.change[i];
    enclosed[levels - 2 - i] = sum;
  }
  return enclosed;
}

Result<std::vector<std::int64_t>> enclosed_in(Growth growth, int levels,
                                              const JobContext& context) {
  if (Status ok = number_basins(growth, context.part(0.0, 0.5)); !ok) return ok.error();
  // The basins of single cells are not needed any more: free their memory.
  growth.down = {};
  const auto rest = merge_basins(growth, levels, {}, false, context.part(0.5, 1.0));
  if (!rest) return rest.error();
  return enclosed_of(*rest);
}

std::vector<ComponentLife> lives_of(const MergeTree& sets, const std::vector<std::uint32_t>& basins,
                                    std::span<const std::uint64_t> position,
                                    const std::vector<std::uint64_t>& sizes) {
  std::vector<ComponentLife> lives;
  lives.reserve(basins.size());
  for (const std::uint32_t basin : basins) {
    lives.push_back({sets.birth[basin], sets.death[basin], position[basin], sizes[basin]});
  }
  return lives;
}

// The first pixel of each basin: that of its first cell.
std::vector<std::uint64_t> first_cells(const Growth& growth) {
  std::vector<std::uint64_t> first;
  first.reserve(growth.basins());
  for (const auto& part : growth.parts) {
    first.insert(first.end(), part.first.begin(), part.first.end());
  }
  return first;
}

template <class Place>
Status add_pixel_sizes(const Size3& size, const PlaceRows<Place>& rows, Growth& growth,
                       LifeSizes& sizes, const JobContext& context) {
  const int threads = growth_threads(growth.down.size());
  const bool done = parallel_items(size.z, threads, context, "sizes", [&](std::int64_t z, int) {
    std::vector<Place> row(static_cast<std::size_t>(size.y));
    LifeSizes::Adder adder(sizes);
    for (std::int64_t x = 0; x < size.x; ++x) {
      rows(z, x, row);
      auto cell = static_cast<std::uint32_t>((z * size.x + x) * size.y);
      for (const Place place : row) adder.add(growth.basin_of(cell++), place, 1);
    }
  });
  return done ? Status() : cancelled_error();
}

// Calls each(particle, first pixel, pixels) from several threads, of which each makes one when it
// begins some cells.
template <class Make>
bool each_cell(const LinearAccess& cells, const JobContext& context, std::string_view stage,
               const Make& make) {
  const Size3& size = cells.size();
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    if (cells.level(level).empty()) continue;
    const Size3& grid = cells.grid(level);
    const std::int64_t side = std::int64_t{1} << (cells.level_max() - level);
    const auto extent = [side](std::int64_t at, std::int64_t end) {
      return std::min(side, end - at * side);
    };
    const bool done = parallel_items(
        grid.z, growth_threads(cells.count()), context, stage, [&](std::int64_t z, int) {
          auto each = make();
          for (std::int64_t x = 0; x < grid.x; ++x) {
            const ParticleRange row = cells.row(level, z, x);
            for (std::uint64_t i = row.begin; i < row.end; ++i) {
              const std::int64_t y = cells.y()[i];
              each(static_cast<std::uint32_t>(i),
                   static_cast<std::uint64_t>(((z * size.x + x) * size.y + y) * side),
                   static_cast<std::uint64_t>(extent(z, size.z) * extent(x, size.x) *
                                              extent(y, size.y)));
            }
          }
        });
    if (!done) return false;
  }
  return true;
}

void take_least(std::uint64_t& to, std::uint64_t value) {
  std::atomic_ref shared(to);
  std::uint64_t now = shared.load(std::memory_order_relaxed);
  while (value < now && !shared.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

// The first pixel of each basin: of all cells of its first place, which are in one piece with its
// first cell as soon as they enter.
Result<std::vector<std::uint64_t>> first_pixels(const LinearAccess& cells,
                                                std::span<const std::uint16_t> places,
                                                Growth& growth, const JobContext& context) {
  std::vector<std::uint64_t> first(growth.basins(), ~std::uint64_t{0});
  std::vector<std::uint16_t> birth;
  birth.reserve(first.size());
  for (const auto& part : growth.parts) {
    birth.insert(birth.end(), part.first_place.begin(), part.first_place.end());
  }
  const auto look = [&](std::uint32_t i, std::uint64_t pixel, std::uint64_t) {
    const std::uint32_t basin = growth.basin_of(i);
    if (places[i] == birth[basin]) take_least(first[basin], pixel);
  };
  const bool done = each_cell(cells, context, "positions", [&] { return look; });
  if (!done) return cancelled_error();
  return first;
}

// Pieces of a growth, with lives where they are wanted: positions() gives the first pixel of each
// basin, add_sizes(sizes) adds all cells.
template <class Positions, class AddSizes>
Status find_pieces(Growth growth, int levels, const LifeQuery& query, const JobContext& context,
                   const Positions& positions, const AddSizes& add_sizes, Components& out) {
  if (Status ok = number_basins(growth, context.part(0.0, 0.4)); !ok) return ok;
  if (query.most == 0) {
    growth.down = {};
    const auto sets = merge_basins(growth, levels, {}, false, context.part(0.4, 1.0));
    if (!sets) return sets.error();
    out.pieces = pieces_of(*sets);
    return {};
  }
  const Result<std::vector<std::uint64_t>> position = positions(growth);
  if (!position) return position.error();
  const auto sets = merge_basins(growth, levels, *position, true, context.part(0.4, 0.7));
  if (!sets) return sets.error();
  out.pieces = pieces_of(*sets);
  LifeSizes sizes(*sets);
  if (Status ok = add_sizes(growth, sizes, context.part(0.7, 1.0)); !ok) return ok;
  out.lives = lives_of(*sets, longest_lived(*sets, query.levels, *position, query.most), *position,
                       sizes.take());
  return {};
}

}  // namespace

template <class Place>
Result<Components> find_components(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                   Construction construction, const LifeQuery& query,
                                   const JobContext& context) {
  Components out;
  {
    auto sets = grow_pixels(size, levels, rows, rule_of_sets(construction), context.part(0.0, 0.3));
    if (!sets) return sets.error();
    const auto positions = [](const Growth& growth) {
      return Result<std::vector<std::uint64_t>>(first_cells(growth));
    };
    const auto add_sizes = [&](Growth& growth, LifeSizes& sizes, const JobContext& part) {
      return add_pixel_sizes(size, rows, growth, sizes, part);
    };
    if (Status ok = find_pieces(*std::move(sets), levels, query, context.part(0.3, 0.6), positions,
                                add_sizes, out);
        !ok) {
      return ok.error();
    }
  }
  auto rest = grow_pixels(size, levels, rows, rule_of_rest(construction), context.part(0.6, 0.8));
  if (!rest) return rest.error();
  auto enclosed = enclosed_in(*std::move(rest), levels, context.part(0.8, 1.0));
  if (!enclosed) return enclosed.error();
  out.enclosed = *std::move(enclosed);
  return out;
}

template Result<Components> find_components(const Size3&, int, const PlaceRows<std::uint8_t>&,
                                            Construction, const LifeQuery&, const JobContext&);
template Result<Components> find_components(const Size3&, int, const PlaceRows<std::uint16_t>&,
                                            Construction, const LifeQuery&, const JobContext&);

Result<Components> find_components(const AprAccess& access, std::span<const std::uint16_t> places,
                                   int levels, Construction construction, const LifeQuery& query,
                                   const JobContext& context) {
  auto grown = grow_particles(access, places, levels, construction, context.part(0.0, 0.5));
  if (!grown) return grown.error();
  const LinearAccess& cells = access.particles();
  const auto positions = [&](Growth& growth) {
    return first_pixels(cells, places, growth, context.part(0.5, 0.6));
  };
  const auto add_sizes = [&](Growth& growth, LifeSizes& sizes, const JobContext& part) -> Status {
    const auto add = [&] {
      return [&, adder = LifeSizes::Adder(sizes)](std::uint32_t i, std::uint64_t,
                                                  std::uint64_t pixels) mutable {
        adder.add(growth.basin_of(i), places[i], pixels);
      };
    };
    return each_cell(cells, part, "sizes", add) ? Status() : cancelled_error();
  };
  Components out;
  if (Status ok = find_pieces(std::move(grown->sets), levels, query, context.part(0.6, 0.8),
                              positions, add_sizes, out);
      !ok) {
    return ok.error();
  }
  auto enclosed = enclosed_in(std::move(grown->rest), levels, context.part(0.8, 1.0));
  if (!enclosed) return enclosed.error();
  out.enclosed = *std::move(enclosed);
  return out;
}

// Every seventh voxel of noise begins a basin where only faces join; particles grow both ways at
// once.
std::uint64_t pixel_component_bytes(std::uint64_t pixels, bool lives) {
  return pixels * (lives ? 16 : 12);
}
std::uint64_t particle_component_bytes(std::uint64_t particles, bool lives) {
  return particles * (lives ? 32 : 24);
}

}  // namespace aprscope

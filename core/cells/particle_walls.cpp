#include "core/cells/particle_walls.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "core/base/parallel.hpp"
#include "core/cells/particle_neighbours.hpp"

namespace aprscope {
namespace {

// Pairs of neighbouring pixels of a cell of this size and one as large, by a step. Along the axes
// of the step only the layers that face each other are neighbours; along the others a pixel of such
// a layer has one straight ahead and some aside.
std::size_t pixel_pairs(const Size3& n, const Step& step, int farthest) {
  const std::int64_t extent[] = {n.z, n.x, n.y};
  const int along[] = {step.z, step.x, step.y};
  int apart = 0;
  for (const int s : along) apart += s != 0 ? 1 : 0;
  std::int64_t pairs = 0;
  for (unsigned aside = 0; aside < 8; ++aside) {
    std::int64_t some = apart + std::popcount(aside) <= farthest ? 1 : 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool is_aside = (aside >> axis & 1U) != 0;
      if (along[axis] != 0) {
        some *= is_aside ? 0 : 1;
      } else {
        some *= is_aside ? 2 * (extent[axis] - 1) : extent[axis];
      }
    }
    pairs += some;
  }
  return static_cast<std::size_t>(pairs);
}

}  // namespace

WallSource particle_walls(const AprAccess& access, std::span<const float> values,
                          const Basins& basins, const BasinRule& rule) {
  const auto near = std::make_shared<const ParticleNeighbours>(access, rule.near);
  const int farthest = rule.near == Connectivity::faces   ? 1
                       : rule.near == Connectivity::edges ? 2
                                                          : 3;
  WallSource out;
  out.threads = near->threads();
  out.each = [&access, &basins, values, near, farthest, bright = rule.bright](
                 const JobContext& context, const WallSource::Visit& visit) {
    const LinearAccess& cells = access.particles();
    const Size3& size = cells.size();
    return near->each(context, "walls", [&](std::int64_t item, int thread) {
      const CellLayer& layer = near->layers()[static_cast<std::size_t>(item)];
      const LayerGeometry g(cells, layer);
      const std::int64_t deep = std::min(g.side, size.z - g.z * g.side);
      return [&, g, deep, thread](std::uint32_t i, const auto& round, std::uint32_t steps,
                                  std::int64_t x, std::int64_t y) {
        const std::uint32_t own = basins.labels[i];
        if (own == 0) return;
        const Size3 n{deep, std::min(g.side, size.x - x * g.side),
                      std::min(g.side, size.y - y * g.side)};
        for (; steps != 0; steps &= steps - 1) {
          const int step = std::countr_zero(steps);
          const std::uint32_t other = round.particle(step);
          // Pairs of the same side are visited from both particles: count them once.
          if ((round.same >> step & 1U) != 0 && other < i) continue;
          const std::uint32_t label = basins.labels[other];
          if (label == own || label == 0) continue;
          const float height =
              bright ? -std::min(values[i], values[other]) : std::max(values[i], values[other]);
          visit(own, label, height, pixel_pairs(n, kSteps.step[step], farthest), thread);
        }
      };
    });
  };
  return out;
}

template <class T>
Pixels<T> particle_rows(const AprAccess& access, std::span<const T> of_particles) {
  const LinearAccess& cells = access.particles();
  const Size3& size = cells.size();
  const std::vector<std::int64_t> rows = wall_signal_rows(size);
  Pixels<T> image(Size3{1, static_cast<std::int64_t>(rows.size()), size.y});
  const auto count = static_cast<std::int64_t>(rows.size());
  parallel_for(count, threads_for(count * size.y), [&](std::int64_t at) {
    const auto k = static_cast<std::size_t>(at);
    T* const to = image.values.data() + at * size.y;
    for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
      if (cells.level(level).empty()) continue;
      const int shift = cells.level_max() - level;
      const ParticleRange row =
          cells.row(level, rows[k] / size.x >> shift, rows[k] % size.x >> shift);
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const std::int64_t y = std::int64_t{cells.y()[i]} << shift;
        std::fill(to + y, to + std::min(size.y, y + (std::int64_t{1} << shift)), of_particles[i]);
      }
    }
  });
  return image;
}

template Pixels<float> particle_rows(const AprAccess&, std::span<const float>);
template Pixels<std::uint32_t> particle_rows(const AprAccess&, std::span<const std::uint32_t>);

WallSignal particle_signal(const AprAccess& access, std::span<const float> values) {
  return wall_signal(particle_rows(access, values));
}

std::vector<bool> particle_basins_at_border(const AprAccess& access, const Basins& basins) {
  const LinearAccess& cells = access.particles();
  std::vector<bool> out(basins.floors.size(), false);
  for (const CellLayer& layer : layers_of(cells)) {
    const LayerGeometry g(cells, layer);
    for (std::int64_t x = 0; x < g.grid.x; ++x) {
      const ParticleRange row = cells.row(layer.level, layer.z, x);
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const std::int64_t y = cells.y()[i];
        if (g.on_border(x, y, y)) out[basins.labels[i]] = true;
      }
    }
  }
  return out;
}

}  // namespace aprscope

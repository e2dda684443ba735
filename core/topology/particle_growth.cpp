#include "core/topology/particle_growth.hpp"

#include <algorithm>
#include <bit>

#include "core/base/parallel.hpp"
#include "core/topology/cell_reach.inl.hpp"
#include "core/topology/particle_round.hpp"
#include "core/topology/pixel_growth.hpp"

namespace aprscope {
namespace {

// Marks a cell of which no earlier neighbour is known yet.
constexpr std::uint32_t kAlone = ~std::uint32_t{0};

// A larger cell that enters after a smaller one beside it.
struct Late {
  std::uint32_t larger = 0;
  std::uint32_t smaller = 0;
};

// A layer of cells of one level.
struct Layer {
  int level = 0;
  std::int64_t z = 0;
};

class Grower {
 public:
  Grower(Growth& growth, const GrowthRule& rule, std::span<const std::uint16_t> places, int levels,
         bool flat)
      : growth_(growth),
        rule_(rule),
        places_(places),
        last_(levels - 1),
        wanted_(flat ? steps_along(0, 2, 2) : kEveryStep) {
    growth.has_exterior = rule.falling;
    growth.down.assign(places.size(), kAlone);
  }

  void begin(std::size_t parts) {
    growth_.parts.resize(parts);
    late_.resize(parts);
  }
  void add(std::uint32_t particle, const ParticleRound& round, std::size_t number);
  // Called after all particles: finds which cells the larger ones continue.
  void finish();
  void find_first(const ParticleRange& range, std::size_t number);

 private:
  [[nodiscard]] std::uint16_t enters(std::uint32_t particle) const {
    const int place = places_[particle];
    return static_cast<std::uint16_t>(rule_.falling ? last_ - place : place);
  }
  [[nodiscard]] std::uint32_t reach(std::uint32_t there) const {
    return rule_.near == &kByFaces ? reach_of<true>(there) : reach_of<false>(there);
  }
  void add_late(std::uint32_t particle, const ParticleRound& round, std::uint32_t later,
                std::uint32_t there, std::size_t number);

  Growth& growth_;
  GrowthRule rule_;
  std::span<const std::uint16_t> places_;
  int last_;
  std::uint32_t wanted_;
  std::vector<std::vector<Late>> late_;
};

void Grower::add(std::uint32_t particle, const ParticleRound& round, std::size_t number) {
  const std::uint32_t known = wanted_ & (round.same | round.larger);
  const std::uint32_t earlier = known & (rule_.falling ? ~round.earlier : round.earlier);
  const std::uint32_t outside = rule_.falling ? wanted_ & round.outside : 0U;
  const std::uint32_t there = earlier | outside;
  const std::uint32_t near = there & rule_.near->neighbours;
  if (near != 0) {
    const auto cell_at = [&](int step) {
      return (outside >> step & 1U) != 0 ? kExterior : round.particle(step);
    };
    const std::uint32_t first = cell_at(std::countr_zero(first_of(near)));
    growth_.down[particle] = first;
    // Most have but one piece round them.
    if ((near & ~reach(there)) != 0) {
      each_part(*rule_.near, there, [&](int step) {
        const std::uint32_t cell = cell_at(step);
        if (cell != first) growth_.parts[number].joints.push_back({first, cell, enters(particle)});
      });
    }
  }
  const std::uint32_t later = wanted_ & round.larger & ~earlier;
  if ((later & rule_.near->neighbours) != 0) add_late(particle, round, later, there, number);
}

// A larger neighbour does not see this particle, so that it is told of it: unless something that is
// earlier still lies between the two, as then that is told, or sees, and comes to the same.
void Grower::add_late(std::uint32_t particle, const ParticleRound& round, std::uint32_t later,
                      std::uint32_t there, std::size_t number) {
  std::uint32_t between = 0;
  for (std::uint32_t rest = there & rule_.near->neighbours; rest != 0; rest &= rest - 1) {
    between |= rule_.near->beside[std::countr_zero(rest)];
  }
  std::uint32_t steps = later & rule_.near->neighbours;
  while (steps != 0) {
    const std::uint32_t larger = round.particle(std::countr_zero(steps));
    bool known = false;
    for (std::uint32_t rest = later; rest != 0; rest &= rest - 1) {
      const int step = std::countr_zero(rest);
      if (round.particle(step) != larger) continue;
      steps &= ~(1U << step);
      known |= (between >> step & 1U) != 0;
    }
    if (!known) late_[number].push_back({larger, particle});
  }
}

void Grower::finish() {
  for (std::size_t number = 0; number < late_.size(); ++number) {
    for (const Late& late : late_[number]) {
      std::uint32_t& down = growth_.down[late.larger];
      if (down == kAlone) {
        down = late.smaller;
      } else {
        growth_.parts[number].joints.push_back({down, late.smaller, enters(late.larger)});
      }
    }
    late_[number] = {};
  }
}

void Grower::find_first(const ParticleRange& range, std::size_t number) {
  auto& part = growth_.parts[number];
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    if (growth_.down[i] != kAlone) continue;
    part.first.push_back(static_cast<std::uint32_t>(i));
    part.first_place.push_back(enters(part.first.back()));
  }
}

class ParticleWalk {
 public:
  ParticleWalk(const AprAccess& access, std::span<const std::uint16_t> places, Grower& sets,
               Grower& rest)
      : cells_(access.particles()), round_(access, places), sets_(sets), rest_(rest) {}

  void layer(const Layer& at, std::size_t number) {
    for (std::int64_t x = 0; x < cells_.grid(at.level).x; ++x) {
      const ParticleRange row = cells_.row(at.level, at.z, x);
      if (row.empty()) continue;
      round_.open_row(at.level, at.z, x);
      for (std::uint64_t i = row.begin; i < row.end; ++i) {
        const ParticleRound& round = round_.look(cells_.y()[i]);
        sets_.add(static_cast<std::uint32_t>(i), round, number);
        rest_.add(static_cast<std::uint32_t>(i), round, number);
      }
    }
  }

 private:
  const LinearAccess& cells_;
  RoundWalk round_;
  Grower& sets_;
  Grower& rest_;
};

// All particles of a layer.
ParticleRange range_of(const LinearAccess& cells, const Layer& layer) {
  return {cells.row(layer.level, layer.z, 0).begin,
          cells.row(layer.level, layer.z, cells.grid(layer.level).x - 1).end};
}

// Layers that one thread takes in one go: about as many particles each.
std::vector<std::vector<Layer>> parts_of(const LinearAccess& cells) {
  constexpr std::uint64_t kParts = 64;
  std::vector<std::vector<Layer>> parts(1);
  std::uint64_t held = 0;
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    if (cells.level(level).empty()) continue;
    for (std::int64_t z = 0; z < cells.grid(level).z; ++z) {
      if (held > cells.count() / kParts) {
        parts.emplace_back();
        held = 0;
      }
      parts.back().push_back({level, z});
      held += range_of(cells, {level, z}).count();
    }
  }
  return parts;
}

}  // namespace

Result<ParticleGrowth> grow_particles(const AprAccess& access,
                                      std::span<const std::uint16_t> places, int levels,
                                      Construction construction, const JobContext& context) {
  if (Status ok = check_cell_count(access.count()); !ok) return ok.error();
  ParticleGrowth out;
  const bool flat = access.size().z == 1;
  Grower sets(out.sets, rule_of_sets(construction), places, levels, flat);
  Grower rest(out.rest, rule_of_rest(construction), places, levels, flat);
  const LinearAccess& cells = access.particles();
  const std::vector<std::vector<Layer>> parts = parts_of(cells);
  sets.begin(parts.size());
  rest.begin(parts.size());
  const auto count = static_cast<std::int64_t>(parts.size());
  const int threads = growth_threads(access.count());
  const bool done = parallel_items(count, threads, context, "pieces", [&](std::int64_t i, int) {
    ParticleWalk walk(access, places, sets, rest);
    const auto number = static_cast<std::size_t>(i);
    for (const Layer& layer : parts[number]) walk.layer(layer, number);
  });
  if (!done) return cancelled_error();
  parallel_each(2, threads, [&](std::int64_t which, int) { (which == 0 ? sets : rest).finish(); });
  parallel_each(count, threads, [&](std::int64_t i, int) {
    const auto number = static_cast<std::size_t>(i);
    for (const Layer& layer : parts[number]) {
      sets.find_first(range_of(cells, layer), number);
      rest.find_first(range_of(cells, layer), number);
    }
  });
  return out;
}

}  // namespace aprscope

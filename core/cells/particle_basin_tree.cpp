#include "core/cells/particle_basin_tree.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/cells/particle_basins.hpp"
#include "core/cells/particle_neighbours.hpp"
#include "core/cells/pass_table.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {

Result<BasinTree> particle_basin_tree(const AprAccess& access, std::span<const float> values,
                                      const Basins& basins, const BasinRule& rule,
                                      const JobContext& context) {
  if (Status ok = check_particle_values(access, values); !ok) return ok.error();
  const ParticleNeighbours near(access, rule.near);
  std::vector<PassTable> tables(static_cast<std::size_t>(near.threads()));
  const bool done = near.each_pair(context, "passes", [&](std::int64_t, int thread) {
    PassTable& table = tables[static_cast<std::size_t>(thread)];
    return [&](std::uint32_t i, std::uint32_t other, bool same) {
      const std::uint32_t a = std::min(basins.labels[i], basins.labels[other]);
      const std::uint32_t b = std::max(basins.labels[i], basins.labels[other]);
      if (a == b || a == 0 || (same && other < i)) return;
      const float height = std::max(particle_height(values[i], rule.bright),
                                    particle_height(values[other], rule.bright));
      table.add(a, b, {height, a, b});
    };
  });
  if (!done) return cancelled_error();
  std::vector<BasinPass> all;
  for (PassTable& one : tables) one.append_to(all);
  std::sort(all.begin(), all.end(), [](const BasinPass& a, const BasinPass& b) {
    return std::tie(a.height, a.a, a.b) < std::tie(b.height, b.a, b.b);
  });
  BasinTree out;
  DisjointSets sets(basins.floors.size());
  for (const BasinPass& pass : all) {
    if (sets.unite(pass.a, pass.b)) out.passes.push_back(pass);
  }
  out.floors = basins.floors;
  out.sizes = basins.sizes;
  out.markers = basins.markers;
  return out;
}

}  // namespace aprscope

#include "core/projections/live_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/line_transforms.hpp"
#include "core/projections/tile_sums.hpp"

namespace aprscope {

namespace {

constexpr std::int64_t kMostFrequencies = 64;

// The central frequencies of a plan: a map of the same box in fewer, larger voxels.
InsertionPlan central(const InsertionPlan& full) {
  InsertionPlan part = full;
  const std::int64_t reach = std::min(full.tiles.reach(), kMostFrequencies);
  if (reach < full.tiles.reach()) part.tiles = FrequencyTiles(reach, full.tiles.side());
  const std::int64_t needed =
      reach >= full.padded / 2 ? full.padded : LineTransforms::good_length(2 * reach);
  part.padded = std::min(needed, full.padded);
  if (part.padded < full.padded) {
    const double shrink = static_cast<double>(part.padded) / static_cast<double>(full.padded);
    part.side = std::max<std::int64_t>(std::lround(shrink * static_cast<double>(full.side)), 2);
  }
  return part;
}

}  // namespace

Result<LiveMap> live_map(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                         Inserter& inserter, MapSolver& chosen, const JobContext& context) {
  const InsertionPlan& full = plan.insertion;
  const InsertionPlan part = central(full);
  const auto processor = make_cpu_solver();
  std::vector<std::int32_t> wanted;
  for (const auto& o : part.tiles.origins()) {
    wanted.push_back(
        static_cast<std::int32_t>(full.tiles.at(o[0], o[1], o[2]) / full.tiles.stride()));
  }
  // Halves are compared where they arrive; only their sum becomes a map.
  std::vector<std::vector<float>> halves;
  for (int half = 0; half < full.halves; ++half) {
    std::vector<float> values(static_cast<std::size_t>(part.tiles.floats()));
    if (Status ok = inserter.sums(half, wanted, values); !ok) return ok.error();
    average_pairs(part.tiles, values);
    if (plan.symmetry.aligned.size() > 1) {
      values = symmetrised(part.tiles, values, plan.symmetry.aligned);
    }
    halves.push_back(std::move(values));
    if (context.stop_requested()) return cancelled_error();
  }
  LiveMap live;
  live.side = part.side;
  live.pixel_size =
      full.pixel_size * static_cast<double>(full.padded) / static_cast<double>(part.padded);
  if (halves.size() == 2) {
    live.fsc =
        tile_correlation(part.tiles, halves[0], halves[1], settings.tau, part.padded, part.side);
    const auto count = static_cast<std::int64_t>(halves[0].size());
    parallel_for(count, threads_for(count), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      halves[0][at] += halves[1][at];
    });
    halves.pop_back();
  }
  std::vector<double> tau = shell_weights(part.tiles, halves[0]);
  for (double& t : tau) t *= settings.tau;
  MapSolver& solver = chosen.fits(part, Solve::division) ? chosen : *processor;
  auto held = solver.hold(part, std::move(halves[0]));
  if (!held) return held.error();
  auto map = solver.divided(part, **held, tau, true, context);
  if (!map) return map.error();
  live.map = std::move(*map);
  return live;
}

double expected_live_seconds(const InsertionPlan& plan) {
  // Seconds for a voxel of the padded box on a slow core.
  constexpr double kVoxel = 1e-7;
  const auto side =
      static_cast<double>(std::min(plan.padded, LineTransforms::good_length(2 * kMostFrequencies)));
  return kVoxel * side * side * side / std::max(1, thread_count());
}

}  // namespace aprscope

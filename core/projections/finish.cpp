#include "core/projections/finish.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/projections/least_squares.hpp"
#include "core/projections/shells.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"
#include "core/projections/weight_iterations.hpp"

namespace aprscope {

namespace {

using Sums = std::vector<std::unique_ptr<HeldSums>>;

std::vector<double> shares(const std::vector<double>& means, double share) {
  std::vector<double> tau(means);
  for (double& t : tau) t *= share;
  return tau;
}

// Multiplies with 1 inside, 0 outside, and a cosine of 6 voxels at the edge.
void mask_ball(std::vector<float>& map, std::int64_t side, double radius) {
  constexpr double kEdge = 6.0;
  const std::int64_t c = side / 2;
  std::size_t i = 0;
  for (std::int64_t z = -c; z < side - c; ++z) {
    for (std::int64_t y = -c; y < side - c; ++y) {
      for (std::int64_t x = -c; x < side - c; ++x, ++i) {
        const double r = std::sqrt(static_cast<double>(x * x + y * y + z * z));
        const double t = std::clamp((r - radius) / kEdge + 0.5, 0.0, 1.0);
        map[i] *= static_cast<float>(0.5 + 0.5 * std::cos(std::numbers::pi * t));
      }
    }
  }
}

// Makes one map of sums, which are used up.
Result<std::vector<float>> solve(const InsertionPlan& plan, const BackprojectSettings& settings,
                                 HeldSums& sums, const std::vector<double>& means,
                                 const std::vector<double>& tau, MapSolver& solver,
                                 const JobContext& context) {
  if (settings.solve == Solve::least_squares) {
    return solver.least_squares(plan, sums, means, tau, settings.iterations, context);
  }
  if (settings.solve == Solve::weights) {
    return solver.weight_iterations(plan, sums, tau, settings.iterations, context);
  }
  return solver.divided(plan, sums, tau, true, context);
}

// A map by division, for the correlation of the halves.
Result<std::vector<float>> plain_map(const InsertionPlan& plan, double share, HeldSums& sums,
                                     bool last, MapSolver& solver, const JobContext& context) {
  const auto means = solver.weights(plan, sums);
  if (!means) return means.error();
  return solver.divided(plan, sums, shares(*means, share), last, context);
}

// Moves sums from one solver to another.
Status move_sums(const InsertionPlan& plan, Sums& sums, MapSolver& from, MapSolver& to) {
  for (auto& half : sums) {
    auto values = from.let_go(std::move(half));
    if (!values) return values.error();
    auto held = to.hold(plan, *std::move(values));
    if (!held) return held.error();
    half = *std::move(held);
  }
  return {};
}

// The halves' maps and their correlation; returns that by division, which says how much is signal.
Result<std::vector<double>> halves(const ReconstructionPlan& plan,
                                   const BackprojectSettings& settings, const Sums& sums,
                                   MapSolver& solver, Reconstruction& out,
                                   const JobContext& context) {
  std::vector<std::vector<float>> maps;
  for (const auto& half : sums) {
    auto map = plain_map(plan.insertion, settings.tau, *half, false, solver, context);
    if (!map) return map.error();
    maps.push_back(std::move(*map));
  }
  auto fsc = map_shell_correlation(maps[0], maps[1], out.side, context);
  if (!fsc) return fsc.error();
  out.fsc = *fsc;
  if (settings.solve != Solve::division) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto means = solver.weights(plan.insertion, *sums[i]);
      if (!means) return means.error();
      // Solve::weights uses the same tau as a division does.
      const auto tau = settings.solve == Solve::weights
                           ? shares(*means, settings.tau)
                           : wiener_tau(plan.insertion, *means, *fsc, 0.0, 1.0);
      auto map = solve(plan.insertion, settings, *sums[i], *means, tau, solver, context);
      if (!map) return map.error();
      maps[i] = std::move(*map);
    }
    auto solved = map_shell_correlation(maps[0], maps[1], out.side, context);
    if (!solved) return solved.error();
    out.fsc = std::move(*solved);
  }
  out.half1 = std::move(maps[0]);
  out.half2 = std::move(maps[1]);
  return fsc;
}

}  // namespace

std::vector<double> wiener_tau(const InsertionPlan& plan, const std::vector<double>& means,
                               const std::vector<double>& fsc, double least, double parts) {
  // Largest (1 − F) ÷ F: with hardly any signal the correlation is mostly noise itself.
  constexpr double kMost = 1.0;
  std::vector<double> tau = shares(means, least);
  if (fsc.empty()) return tau;
  for (std::size_t s = 0; s < tau.size(); ++s) {
    const double k =
        static_cast<double>(s) * static_cast<double>(plan.side) / static_cast<double>(plan.padded);
    const auto i = std::min(static_cast<std::size_t>(k), fsc.size() - 1);
    const auto j = std::min(i + 1, fsc.size() - 1);
    const double t = k - std::floor(k);
    const double f = std::clamp((1.0 - t) * fsc[i] + t * fsc[j], 1e-3, 1.0);
    tau[s] = means[s] * std::max(least, std::min((1.0 - f) / (parts * f), kMost));
  }
  return tau;
}

Status finish_reconstruction(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                             Sums sums, MapSolver& chosen, Reconstruction& out,
                             const JobContext& context) {
  const InsertionPlan& insertion = plan.insertion;
  context.report(0.0, "Transform");
  const auto processor = make_cpu_solver();
  MapSolver* solver = &chosen;
  if (const Status fits = chosen.fits(insertion, settings.solve); !fits) {
    out.notes.push_back("The map was finished on the processor: " + fits.error().what + ".");
    solver = processor.get();
    if (Status ok = move_sums(insertion, sums, chosen, *solver); !ok) return ok;
  }
  for (const auto& half : sums) {
    Status ok = solver->complete(insertion, *half, plan.symmetry.aligned);
    if (!ok) return ok;
  }
  std::vector<double> signal;
  if (sums.size() == 2) {
    auto found = halves(plan, settings, sums, *solver, out, context.part(0.0, 0.6));
    if (!found) return found.error();
    signal = std::move(*found);
    if (Status ok = solver->add(*sums[0], *sums[1]); !ok) return ok;
    sums.pop_back();
  }
  const auto weights = solver->weights(insertion, *sums[0]);
  if (!weights) return weights.error();
  const std::vector<double>& means = *weights;
  const auto thin = solver->thin(insertion, *sums[0], means, 0.1);
  if (!thin) return thin.error();
  out.thin_share = *thin;
  out.shell_weight.resize(static_cast<std::size_t>(out.side / 2 + 1));
  for (std::size_t s = 0; s < out.shell_weight.size(); ++s) {
    const auto padded = static_cast<std::size_t>(
        std::lround(static_cast<double>(s) * static_cast<double>(insertion.padded) /
                    static_cast<double>(out.side)));
    out.shell_weight[s] = padded < means.size() ? means[padded] : 0.0;
  }
  const bool squares = settings.solve == Solve::least_squares;
  const auto tau = wiener_tau(insertion, means, signal, squares ? 0.0 : settings.tau, 2.0);
  auto map = solve(insertion, settings, *sums[0], means, tau, *solver, context.part(0.6, 1.0));
  if (!map) return map.error();
  out.map = std::move(*map);
  if (settings.mask_diameter > 0.0) {
    const double radius = 0.5 * settings.mask_diameter / insertion.pixel_size;
    for (auto* one : {&out.map, &out.half1, &out.half2}) {
      if (!one->empty()) mask_ball(*one, out.side, radius);
    }
  }
  return {};
}

std::uint64_t finish_bytes(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                           bool in_scratch) {
  const InsertionPlan& p = plan.insertion;
  const auto sums = static_cast<std::uint64_t>(p.tiles.floats()) * sizeof(float);
  const auto map = static_cast<std::uint64_t>(p.side * p.side * p.side) * sizeof(float);
  std::uint64_t work = tile_map_bytes(p.padded, p.side, p.tiles.reach());
  if (settings.solve == Solve::least_squares) work = std::max(work, least_squares_bytes(p));
  if (settings.solve == Solve::weights) work = std::max(work, weight_iterations_bytes(p));
  // The sums, a copy to divide or to permute, the maps and their transforms.
  const std::uint64_t copies = in_scratch ? 0 : static_cast<std::uint64_t>(p.halves) + 1;
  return copies * sums + work + 4 * map;
}

}  // namespace aprscope

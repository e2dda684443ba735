#include "core/projections/map_solver.hpp"

#include "core/projections/inserter.hpp"
#include "core/projections/least_squares.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"

namespace aprscope {

namespace {

class CpuSolver final : public MapSolver {
 public:
  [[nodiscard]] Status fits(const InsertionPlan& /*plan*/, Solve /*solve*/) const override {
    return {};
  }

  Result<std::vector<float>> divided(const InsertionPlan& plan, std::vector<float> sums,
                                     std::span<const double> tau,
                                     const JobContext& context) override {
    divide(plan.tiles, sums, tau);
    return tile_map(plan.tiles, sums, TileValue::complex, plan.padded, plan.side,
                    plan.tiles.reach(), plan.blob, context);
  }

  Result<std::vector<float>> least_squares(const InsertionPlan& plan, std::span<const float> sums,
                                           std::span<const double> means,
                                           std::span<const double> tau, int iterations,
                                           const JobContext& context) override {
    return aprscope::least_squares(plan, sums, means, tau, iterations, context);
  }
};

}  // namespace

std::unique_ptr<MapSolver> make_cpu_solver() { return std::make_unique<CpuSolver>(); }

std::unique_ptr<MapSolver> Inserter::solver() const { return make_cpu_solver(); }

}  // namespace aprscope

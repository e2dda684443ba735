#include "core/projections/map_solver.hpp"

#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/least_squares.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"
#include "core/projections/weight_iterations.hpp"

namespace aprscope {

namespace {

using Map = std::vector<float>;

struct SumsInMemory final : HeldSums {
  explicit SumsInMemory(std::vector<float> sums) : values(std::move(sums)) {}
  std::vector<float> values;
};

std::vector<float>& values_of(HeldSums& sums) { return static_cast<SumsInMemory&>(sums).values; }
const std::vector<float>& values_of(const HeldSums& sums) {
  return static_cast<const SumsInMemory&>(sums).values;
}

class CpuSolver final : public MapSolver {
 public:
  [[nodiscard]] Status fits(const InsertionPlan& /*plan*/, Solve /*solve*/) const override {
    return {};
  }

  [[nodiscard]] Status holds(const InsertionPlan& /*plan*/) const override { return {}; }
  Result<std::unique_ptr<HeldSums>> hold(const InsertionPlan& /*plan*/,
                                         std::vector<float> sums) override {
    return std::unique_ptr<HeldSums>(std::make_unique<SumsInMemory>(std::move(sums)));
  }
  Result<std::vector<float>> let_go(std::unique_ptr<HeldSums> sums) override {
    return std::move(values_of(*sums));
  }

  Status complete(const InsertionPlan& plan, HeldSums& sums,
                  std::span<const GridRotation> aligned) override {
    auto& values = values_of(sums);
    average_pairs(plan.tiles, values);
    if (aligned.size() > 1) values = symmetrised(plan.tiles, values, aligned);
    return {};
  }
  Status add(HeldSums& to, const HeldSums& more) override {
    auto& a = values_of(to);
    const auto& b = values_of(more);
    const auto count = static_cast<std::int64_t>(a.size());
    parallel_for(count, threads_for(count), [&](std::int64_t i) {
      a[static_cast<std::size_t>(i)] += b[static_cast<std::size_t>(i)];
    });
    return {};
  }
  Result<std::vector<double>> weights(const InsertionPlan& plan, const HeldSums& sums) override {
    return shell_weights(plan.tiles, values_of(sums));
  }
  Result<double> thin(const InsertionPlan& plan, const HeldSums& sums,
                      std::span<const double> means, double share) override {
    return thin_share(plan.tiles, values_of(sums), means, share);
  }

  Result<Map> divided(const InsertionPlan& plan, HeldSums& sums, std::span<const double> tau,
                      bool last, const JobContext& context) override {
    std::vector<float> used = last ? std::move(values_of(sums)) : values_of(sums);
    divide(plan.tiles, used, tau);
    return tile_map(plan.tiles, used, TileValue::complex, plan.padded, plan.side,
                    plan.tiles.reach(), plan.blob, context);
  }

  Result<Map> least_squares(const InsertionPlan& plan, const HeldSums& sums,
                            std::span<const double> means, std::span<const double> tau,
                            int iterations, const JobContext& context) override {
    return aprscope::least_squares(plan, values_of(sums), means, tau, iterations, context);
  }

  Result<Map> weight_iterations(const InsertionPlan& plan, const HeldSums& sums,
                                std::span<const double> tau, int iterations,
                                const JobContext& context) override {
    return aprscope::weight_iterations(plan, values_of(sums), tau, iterations, context);
  }
};

}  // namespace

Result<Map> MapSolver::weight_iterations(const InsertionPlan& /*plan*/, const HeldSums& /*sums*/,
                                         std::span<const double> /*tau*/, int /*iterations*/,
                                         const JobContext& /*context*/) {
  return Error{"weights are not iterated there", "a map of projections", "use the processor"};
}

std::unique_ptr<MapSolver> make_cpu_solver() { return std::make_unique<CpuSolver>(); }

std::unique_ptr<MapSolver> Inserter::solver() const { return make_cpu_solver(); }

Result<std::unique_ptr<HeldSums>> Inserter::hold(int half) {
  auto sums = take(half);
  if (!sums) return sums.error();
  return std::unique_ptr<HeldSums>(std::make_unique<SumsInMemory>(*std::move(sums)));
}

}  // namespace aprscope

#include "core/projections/map_solver.hpp"

#include <algorithm>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/projections/least_squares.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"
#include "core/projections/weight_iterations.hpp"

namespace aprscope {

namespace {

using Map = std::vector<float>;

// Sums on the host, in memory or in a file.
struct SumsOnHost final : HeldSums {
  explicit SumsOnHost(std::vector<float> sums) : values(std::move(sums)) {}
  explicit SumsOnHost(ScratchFloats sums) : scratch(std::move(sums)) {}

  [[nodiscard]] std::span<float> floats() {
    return scratch.values().empty() ? std::span<float>(values) : scratch.values();
  }
  [[nodiscard]] std::span<const float> floats() const {
    return scratch.values().empty() ? std::span<const float>(values) : scratch.values();
  }
  // New sums of the same size and place (memory or file), all zeros.
  [[nodiscard]] Result<std::unique_ptr<SumsOnHost>> alike() const {
    if (scratch.values().empty()) {
      return std::make_unique<SumsOnHost>(std::vector<float>(values.size()));
    }
    auto made = ScratchFloats::create(scratch.values().size());
    if (!made) return made.error();
    return std::make_unique<SumsOnHost>(*std::move(made));
  }
  void take(SumsOnHost& from) {
    values = std::move(from.values);
    scratch = std::move(from.scratch);
  }

  std::vector<float> values;
  ScratchFloats scratch;
};

SumsOnHost& on_host(HeldSums& sums) { return static_cast<SumsOnHost&>(sums); }
const SumsOnHost& on_host(const HeldSums& sums) { return static_cast<const SumsOnHost&>(sums); }

class CpuSolver final : public MapSolver {
 public:
  [[nodiscard]] Status fits(const InsertionPlan& /*plan*/, Solve /*solve*/) const override {
    return {};
  }

  [[nodiscard]] Status holds(const InsertionPlan& /*plan*/) const override { return {}; }
  Result<std::unique_ptr<HeldSums>> hold(const InsertionPlan& /*plan*/,
                                         std::vector<float>&& sums) override {
    return hold_in_memory(std::move(sums));
  }
  Result<std::vector<float>> let_go(std::unique_ptr<HeldSums> sums) override {
    SumsOnHost& held = on_host(*sums);
    if (held.scratch.values().empty()) return std::move(held.values);
    return std::vector<float>(held.floats().begin(), held.floats().end());
  }
  Result<std::unique_ptr<HeldSums>> joined(const InsertionPlan& plan,
                                           std::vector<std::unique_ptr<HeldSums>>& parts) override {
    Map all;
    all.reserve(static_cast<std::size_t>(plan.sum_floats()));
    for (auto& part : parts) {
      const auto some = on_host(*part).floats();
      all.insert(all.end(), some.begin(), some.end());
    }
    parts.clear();
    return hold_in_memory(std::move(all));
  }

  Status complete(const InsertionPlan& plan, HeldSums& sums,
                  std::span<const GridRotation> aligned) override {
    SumsOnHost& held = on_host(sums);
    average_pairs(plan.tiles, held.floats());
    if (aligned.size() <= 1) return {};
    const auto made = held.alike();
    if (!made) return made.error();
    symmetrise(plan.tiles, held.floats(), aligned, (*made)->floats());
    held.take(**made);
    return {};
  }
  Status add(HeldSums& to, const HeldSums& more) override {
    const std::span<float> a = on_host(to).floats();
    const std::span<const float> b = on_host(more).floats();
    const auto count = static_cast<std::int64_t>(a.size());
    parallel_for(count, threads_for(count), [&](std::int64_t i) {
      a[static_cast<std::size_t>(i)] += b[static_cast<std::size_t>(i)];
    });
    return {};
  }
  Result<std::vector<double>> weights(const InsertionPlan& plan, const HeldSums& sums) override {
    return shell_weights(plan.tiles, on_host(sums).floats());
  }
  Result<double> thin(const InsertionPlan& plan, const HeldSums& sums,
                      std::span<const double> means, double share) override {
    return thin_share(plan.tiles, on_host(sums).floats(), means, share);
  }

  Result<Map> divided(const InsertionPlan& plan, HeldSums& sums, std::span<const double> tau,
                      bool last, const JobContext& context) override {
    SumsOnHost& held = on_host(sums);
    std::unique_ptr<SumsOnHost> copy;
    if (!last) {
      auto made = held.alike();
      if (!made) return made.error();
      copy = *std::move(made);
      std::copy(held.floats().begin(), held.floats().end(), copy->floats().begin());
    }
    SumsOnHost& used = last ? held : *copy;
    divide(plan.tiles, used.floats(), tau);
    return tile_map(plan.tiles, used.floats(), TileValue::complex, plan.padded, plan.side,
                    plan.tiles.reach(), plan.blob, context);
  }

  Result<Map> least_squares(const InsertionPlan& plan, const HeldSums& sums,
                            std::span<const double> means, std::span<const double> tau,
                            int iterations, const JobContext& context) override {
    return aprscope::least_squares(plan, on_host(sums).floats(), means, tau, iterations, context);
  }

  Result<Map> weight_iterations(const InsertionPlan& plan, const HeldSums& sums,
                                std::span<const double> tau, int iterations,
                                const JobContext& context) override {
    return aprscope::weight_iterations(plan, on_host(sums).floats(), tau, iterations, context);
  }
};

}  // namespace

Result<std::unique_ptr<HeldSums>> MapSolver::joined(
    const InsertionPlan& /*plan*/, std::vector<std::unique_ptr<HeldSums>>& /*parts*/) {
  return Error{"sums of parts are put together on the host", "reconstruction", ""};
}

Result<Map> MapSolver::weight_iterations(const InsertionPlan& /*plan*/, const HeldSums& /*sums*/,
                                         std::span<const double> /*tau*/, int /*iterations*/,
                                         const JobContext& /*context*/) {
  return Error{"weights are not iterated there", "a map of projections", "use the processor"};
}

std::unique_ptr<MapSolver> make_cpu_solver() { return std::make_unique<CpuSolver>(); }

std::unique_ptr<HeldSums> hold_in_memory(std::vector<float> sums) {
  return std::make_unique<SumsOnHost>(std::move(sums));
}

std::unique_ptr<HeldSums> hold_scratch(ScratchFloats sums) {
  return std::make_unique<SumsOnHost>(std::move(sums));
}

}  // namespace aprscope

#pragma once

#include "core/projections/backproject_settings.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/reconstruction.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// A quick map of the central frequencies of what an inserter holds, by division, and the
/// correlation of its halves (see tile_correlation(): one transform, whatever the halves are).
/// Errors: device, no memory, cancelled.
Result<LiveMap> live_map(const ReconstructionPlan& plan, const BackprojectSettings& settings,
                         Inserter& inserter, MapSolver& solver, const JobContext& context);

/// When a map that grows may be looked at: the looks so far and the next one, which is expected to
/// take as long as the last, take no more than a share of the time since the beginning.
class LivePace {
 public:
  /// Largest share of the whole time that looks may take.
  static constexpr double kShare = 0.04;

  /// `between`: least seconds from one look to the next; 0: at every chance, whatever it takes.
  /// `first`: seconds that the first look is expected to take.
  LivePace(double between, double first) : between_(between), next_(first) {}

  /// Whether a look may be taken; `now`: seconds since the beginning.
  [[nodiscard]] bool due(double now) const {
    if (between_ <= 0.0) return true;
    return now - last_ >= between_ && spent_ + next_ <= kShare * now;
  }
  /// Reports that a look was taken from `begin` to `end`.
  void took(double begin, double end) {
    next_ = end - begin;
    spent_ += next_;
    last_ = end;
  }

 private:
  double between_;
  double next_;
  double spent_ = 0.0;
  double last_ = 0.0;
};

/// Seconds that the first look at a map of this plan is expected to take: more than was measured,
/// so that a short job is not made longer by looks.
double expected_live_seconds(const InsertionPlan& plan);

}  // namespace aprscope

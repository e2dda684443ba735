#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/base/scratch_floats.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/insertion_plan.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// The sums G and W of a half, where a solver works.
class HeldSums {
 public:
  virtual ~HeldSums() = default;
  HeldSums(const HeldSums&) = delete;
  HeldSums& operator=(const HeldSums&) = delete;

 protected:
  HeldSums() = default;
};

/// Makes maps of sums: side³ voxels, x fastest, the origin at ⌊side/2⌋. Sums given to it must be
/// held by a solver of the same place, for the same plan. One thread at a time. Errors of all
/// functions: device, no memory, and cancelled where there is a context.
class MapSolver {
 public:
  virtual ~MapSolver() = default;
  MapSolver(const MapSolver&) = delete;
  MapSolver& operator=(const MapSolver&) = delete;

  /// Why it has no room for maps of this plan, the sums not counted.
  [[nodiscard]] virtual Status fits(const InsertionPlan& plan, Solve solve) const = 0;

  /// Success, or why the solver has no room for the sums of one more half.
  [[nodiscard]] virtual Status holds(const InsertionPlan& plan) const = 0;
  /// Takes sums from the memory of the host (if that fails, the host keeps them); gives them
  /// back.
  virtual Result<std::unique_ptr<HeldSums>> hold(const InsertionPlan& plan,
                                                 std::vector<float>&& sums) = 0;
  virtual Result<std::vector<float>> let_go(std::unique_ptr<HeldSums> sums) = 0;
  /// Joins the sums of consecutive parts of the tiles into those of all, for this solver. The parts
  /// may be held by solvers of the same kind in other places. On failure it leaves them as they
  /// are. A solver that does not override this cannot do it.
  virtual Result<std::unique_ptr<HeldSums>> joined(const InsertionPlan& plan,
                                                   std::vector<std::unique_ptr<HeldSums>>& parts);

  /// average_pairs(), then symmetrised() by these rotations.
  virtual Status complete(const InsertionPlan& plan, HeldSums& sums,
                          std::span<const GridRotation> aligned) = 0;
  virtual Status add(HeldSums& to, const HeldSums& more) = 0;
  /// The same as shell_weights() and thin_share().
  virtual Result<std::vector<double>> weights(const InsertionPlan& plan, const HeldSums& sums) = 0;
  virtual Result<double> thin(const InsertionPlan& plan, const HeldSums& sums,
                              std::span<const double> means, double share) = 0;

  /// G ÷ (W + tau of the padded shell), transformed and divided by the kernel's window. `last`: the
  /// sums are not needed any more and may be used up.
  virtual Result<std::vector<float>> divided(const InsertionPlan& plan, HeldSums& sums,
                                             std::span<const double> tau, bool last,
                                             const JobContext& context) = 0;
  /// The map of least squares, see least_squares().
  virtual Result<std::vector<float>> least_squares(const InsertionPlan& plan, const HeldSums& sums,
                                                   std::span<const double> means,
                                                   std::span<const double> tau, int iterations,
                                                   const JobContext& context) = 0;
  /// The map of weight_iterations(). Only the processor can: fits() of other solvers says so.
  virtual Result<std::vector<float>> weight_iterations(const InsertionPlan& plan,
                                                       const HeldSums& sums,
                                                       std::span<const double> tau, int iterations,
                                                       const JobContext& context);

 protected:
  MapSolver() = default;
};

/// A solver on the processor, which takes every plan.
std::unique_ptr<MapSolver> make_cpu_solver();
/// Sums of a half in memory, for that solver.
std::unique_ptr<HeldSums> hold_in_memory(std::vector<float> sums);
/// Sums of a half in a file, for that solver, which keeps what it makes of them in files, too.
std::unique_ptr<HeldSums> hold_scratch(ScratchFloats sums);

}  // namespace aprscope

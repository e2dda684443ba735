#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/backproject.hpp"

namespace aprscope {

struct InsertionPlan;

/// Makes maps of the sums G and W of a plan: side³ voxels, x fastest, the origin at ⌊side/2⌋. One
/// thread at a time.
class MapSolver {
 public:
  virtual ~MapSolver() = default;
  MapSolver(const MapSolver&) = delete;
  MapSolver& operator=(const MapSolver&) = delete;

  /// Why it cannot work on this plan: too little memory of a device.
  [[nodiscard]] virtual Status fits(const InsertionPlan& plan, Solve solve) const = 0;
  /// G ÷ (W + tau of the padded shell), transformed and divided by the kernel's window. The sums
  /// are used up. Errors: device, no memory, cancelled.
  virtual Result<std::vector<float>> divided(const InsertionPlan& plan, std::vector<float> sums,
                                             std::span<const double> tau,
                                             const JobContext& context) = 0;
  /// That of least squares, see least_squares(). Errors: the same.
  virtual Result<std::vector<float>> least_squares(const InsertionPlan& plan,
                                                   std::span<const float> sums,
                                                   std::span<const double> means,
                                                   std::span<const double> tau, int iterations,
                                                   const JobContext& context) = 0;

 protected:
  MapSolver() = default;
};

/// On the processor, which takes every plan.
std::unique_ptr<MapSolver> make_cpu_solver();

}  // namespace aprscope

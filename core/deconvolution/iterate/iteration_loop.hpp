#pragma once

#include <functional>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/deconvolution/iterate/richardson_lucy_options.hpp"
#include "core/deconvolution/iterate/richardson_lucy_report.hpp"

namespace aprscope {

/// Iterations on any device, which run_iterations() drives.
class IteratedWork {
 public:
  virtual ~IteratedWork() = default;
  /// Runs one iteration; fills in `report`, the likelihood only where it is wanted.
  virtual Status step(bool wants_likelihood, RichardsonLucyReport& report) = 0;
  /// Calls back with the iterate in the unit of the image.
  virtual void show(const std::function<void(std::span<const float>)>& to) = 0;
  /// Around the time that a step needs what others use, too (a device); waiting is no part of the
  /// step's seconds.
  virtual void acquire_device() {}
  virtual void release_device() {}
};

/// Runs iterations until their number is reached, the change is small enough, or `hooks.keep` asks
/// to keep the iterate; tells observers and progress. The result's values are left to the caller.
/// Errors: those of a step; cancelled.
Result<Deconvolved> run_iterations(IteratedWork& work, const RichardsonLucyOptions& options,
                                   const RichardsonLucyHooks& hooks, const JobContext& context);

}  // namespace aprscope

#include "core/deconvolution/iterate/iteration_loop.hpp"

#include <chrono>
#include <string>

#include "core/deconvolution/iterate/held_out.hpp"

namespace aprscope {

Result<Deconvolved> run_iterations(IteratedWork& work, const RichardsonLucyOptions& options,
                                   const RichardsonLucyHooks& hooks, const JobContext& context) {
  Deconvolved out;
  HeldOutStop held_out;
  for (int i = 1; i <= options.iterations; ++i) {
    work.acquire_device();
    const auto start = std::chrono::steady_clock::now();
    RichardsonLucyReport report;
    report.iteration = i;
    if (Status done = work.step(static_cast<bool>(hooks.observer), report); !done) {
      return done.error();
    }
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.seconds += report.seconds;
    out.iterations = i;
    if (hooks.observer) {
      work.show([&](std::span<const float> iterate) { hooks.observer(report, iterate); });
    }
    work.release_device();
    context.report(static_cast<double>(i) / options.iterations,
                   "iteration " + std::to_string(i) + " of " + std::to_string(options.iterations));
    out.converged = report.change <= options.stop_change && options.stop_change > 0.0;
    if (out.converged) break;
    if (options.held_out) {
      const bool enough = held_out.enough(i, report.held_out);
      out.best = held_out.best();
      if (enough) break;
    }
    if (hooks.keep.stop_requested() && i < options.iterations) {
      out.partial = true;
      break;
    }
    if (context.stop_requested()) return cancelled_error();
  }
  return out;
}

}  // namespace aprscope

#include <utility>

#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "gpu/deconvolution/cuda_deconvolution.hpp"
#include "gpu/engines/engine.hpp"

namespace aprscope::gpu {
namespace {

std::uint64_t bytes_of_deconvolution(const EngineHost& host, const Operation& operation,
                                     const Dataset& input) {
  const auto plan = plan_deconvolution(operation, input.voxel(), input.size());
  if (!plan) return 0;
  if (!can_deconvolve(*plan, input)) return host.cpu->estimate_bytes(operation, input);
  return device_deconvolution_bytes(*plan, input);
}

Result<Data> run_deconvolution(const EngineHost& host, const Operation& asked, const Dataset& input,
                               const IterationHooks& hooks, const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  const Operation op = with_guesses(asked, input);
  const auto plan = plan_deconvolution(op, input.voxel(), input.size(), hooks.psf);
  if (!plan) return plan.error();
  const auto on_cpu = [&](const std::string& reason) {
    IterationHooks with_psf = hooks;
    with_psf.psf = std::make_shared<const Stencil>(plan->psf);
    return host.run_on_cpu(op, input, reason, with_psf, context);
  };
  if (!can_deconvolve(*plan, input)) {
    return on_cpu("the image has too few levels for a far part on the GPU");
  }
  if (Status ok = host.resident->make_room(device_deconvolution_bytes(*plan, input), input); !ok) {
    return on_cpu(ok.error().message());
  }
  return deconvolve_on_device(host.device, op, *plan, input, hooks, context, host.id());
}

}  // namespace

Engine deconvolution_engine() { return {bytes_of_deconvolution, run_deconvolution}; }

}  // namespace aprscope::gpu

#include "gpu/deconvolution/cuda_deconvolution.hpp"

#include <new>
#include <optional>
#include <utility>

#include "gpu/deconvolution/particle_deconvolution.hpp"
#include "gpu/deconvolution/pixel_deconvolution.hpp"

namespace aprscope::gpu {
namespace {

// The options as the iterations will have them, to estimate memory: the background image and the
// held-out pixels exist only once iterations begin, but need room as well.
RichardsonLucyOptions with_room_for_all(const DeconvolutionPlan& plan) {
  RichardsonLucyOptions options = plan.options;
  if (plan.background_file && !options.background.values) {
    options.background.values = std::make_shared<const std::vector<float>>();
  }
  if (plan.hold_out) options.held_out = std::make_shared<const std::vector<float>>();
  return options;
}

Result<DeviceResult> compute(const std::shared_ptr<GpuDevice>& device,
                             const DeconvolutionPlan& plan, const Dataset& data,
                             std::span<const float> given, const RichardsonLucyHooks& hooks,
                             const JobContext& context) {
  std::optional<BackProjectorScheme> scheme;
  if (plan.back_projector && plan.options.unmatched > 0) {
    auto made = back_projector_scheme(plan, data);
    if (!made) return made.error();
    scheme = *std::move(made);
  }
  const BackProjectorScheme* const back = scheme ? &*scheme : nullptr;
  if (!data.is_apr()) {
    return deconvolve_pixels(*device, data.size(), plan.psf, plan.boundary,
                             PixelBlurMethod::automatic, data.values().pixels().values,
                             plan.options, given, hooks, context, back);
  }
  if (has_far_part(plan)) {
    return deconvolve_particles_fully(device, data.apr().access, plan.psf, full_psf_options(plan),
                                      data.values().particles(), plan.options, given, hooks,
                                      context, back);
  }
  return deconvolve_particles(device, data.apr().access, plan.psf, StencilMode::restricted,
                              plan.boundary, data.values().particles(), plan.options, given, hooks,
                              context, back);
}

// Memory of the plan's back projector; 0: it has none.
std::uint64_t back_projector_bytes(const DeconvolutionPlan& plan, const Dataset& input) {
  if (!plan.back_projector || plan.options.unmatched == 0) return 0;
  const Size3 kernel = size_of_back_projector(plan, input);
  if (!input.is_apr()) {
    return pixel_back_projector_bytes(input.size(), kernel, plan.boundary,
                                      back_projector_method(plan));
  }
  if (plan.scheme == DeconvolutionScheme::truncated) return 0;
  return particle_back_projector_bytes(*input.apr().access, kernel,
                                       plan.scheme == DeconvolutionScheme::lean, plan.boundary);
}

}  // namespace

bool can_deconvolve(const DeconvolutionPlan& plan, const Dataset& input) {
  const bool far =
      has_far_part(plan) || (plan.back_projector && plan.scheme != DeconvolutionScheme::truncated);
  return !input.is_apr() || !far ||
         can_have_far_part(*input.apr().access, plan.scheme == DeconvolutionScheme::lean);
}

std::uint64_t device_deconvolution_bytes(const DeconvolutionPlan& plan, const Dataset& input) {
  const RichardsonLucyOptions options = with_room_for_all(plan);
  if (!input.is_apr()) {
    return pixel_deconvolution_bytes(input.size(), plan.psf, plan.boundary,
                                     PixelBlurMethod::automatic, options) +
           back_projector_bytes(plan, input);
  }
  const AprAccess& access = *input.apr().access;
  const std::uint64_t back = back_projector_bytes(plan, input);
  return back + (has_far_part(plan)
                     ? full_deconvolution_bytes(access, plan.psf, full_psf_options(plan), options)
                     : particle_deconvolution_bytes(access, plan.psf, plan.boundary, options));
}

Result<Data> deconvolve_on_device(const std::shared_ptr<GpuDevice>& device,
                                  const Operation& operation, const DeconvolutionPlan& plan,
                                  const Dataset& input, const IterationHooks& hooks,
                                  const JobContext& context, const std::string& id) {
  const auto engine = [&](const DeconvolutionPlan& begun, const Dataset& data,
                          std::span<const float> given, const RichardsonLucyHooks& inner,
                          const JobContext& job) -> Result<DeconvolutionOutcome> {
    auto done = compute(device, begun, data, given, inner, job);
    if (!done) return done.error();
    return DeconvolutionOutcome{std::move(done->result), std::move(done->description)};
  };
  try {
    auto outcome = deconvolve(plan, input, hooks, context, engine);
    if (!outcome) return outcome.error();
    return deconvolved_data(input, hooks, operation, plan, *std::move(outcome), id);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory for the result", input.name(),
                 "close other data first"};
  }
}

}  // namespace aprscope::gpu

#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/operations/deconvolve/deconvolution_models.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The plan of an operation whose offset is a number, see with_guesses(). `known_psf`: the result
/// of psf_of(), where it is known already. Errors: those of psf_of().
Result<DeconvolutionPlan> plan_deconvolution(const Operation& complete, const VoxelSize& voxel,
                                             const Size3& size,
                                             const std::shared_ptr<const Stencil>& known_psf = {});

/// How fine the detail is that two halves of the photons agree on, along each axis.
struct MeasuredResolution {
  /// Lengths along z, x, y; NaN where the image has no such axis, or is too small to tell.
  std::array<double, 3> length{std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::quiet_NaN()};
  /// Whether a length is two voxels, the finest possible: the halves agree on all detail.
  std::array<bool, 3> by_voxels{};
  std::string unit;
  friend bool operator==(const MeasuredResolution&, const MeasuredResolution&) = default;
};

/// The result of the iterations, and a description of the blur.
struct DeconvolutionOutcome {
  Deconvolved result;
  std::string description;
  std::optional<MeasuredResolution> resolution{};
};

/// Computes a plan on a device: Richardson–Lucy on the values of `input`, from `given` where the
/// plan's options say so; see richardson_lucy().
using DeconvolutionEngine = std::function<Result<DeconvolutionOutcome>(
    const DeconvolutionPlan& plan, const Dataset& input, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context)>;

/// The engine of the CPU.
Result<DeconvolutionOutcome> deconvolve_on_cpu(const DeconvolutionPlan& plan, const Dataset& input,
                                               std::span<const float> given,
                                               const RichardsonLucyHooks& hooks,
                                               const JobContext& context);

/// Runs a plan on the main field of an APR, or on an image. Errors: those of richardson_lucy(); a
/// truth of another size, a start or a background that does not fit, cannot be read or is not
/// there; a resolution to be measured without a photon gain, or when the iterations start from an
/// earlier result.
Result<DeconvolutionOutcome> deconvolve(const DeconvolutionPlan& plan, const Dataset& input,
                                        const IterationHooks& hooks, const JobContext& context,
                                        const DeconvolutionEngine& engine = deconvolve_on_cpu);

/// "deconvolve …, 50 iterations (13³, separable, on particles) [cpu]", for the history: nothing in
/// it differs from one run to the next.
std::string describe(const Operation& complete, const DeconvolutionPlan& plan,
                     const DeconvolutionOutcome& outcome, const std::string& backend);

/// The outcome in the place of the input's values, with describe() as its last line of history; of
/// a run that goes on, after the lines of what it goes on from.
Data deconvolved_data(const Dataset& input, const IterationHooks& hooks, const Operation& complete,
                      const DeconvolutionPlan& plan, DeconvolutionOutcome outcome,
                      const std::string& backend);

}  // namespace aprscope

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/deconvolution/iterate/held_out.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// How a PSF is applied to particles, see the parameter "scheme".
enum class DeconvolutionScheme { full, lean, truncated };

/// What a complete "deconvolve" operation comes down to on an image of one voxel size and extent.
struct DeconvolutionPlan {
  Stencil psf;
  Boundary boundary = Boundary::reflect;
  DeconvolutionScheme scheme = DeconvolutionScheme::full;
  /// Size of the near part; 0: chosen by its error.
  int near = 0;
  RichardsonLucyOptions options;
  /// Held-out photons decide how many iterations of all photons there are; none: `options` do.
  std::optional<HoldOutOptions> hold_out;
  /// The earlier result that a start "file" names.
  std::optional<std::string> start_file;
  /// The image of the background that it names; in `options` once iterations begin.
  std::optional<std::string> background_file;
};

/// Of an operation whose offset is a number, see with_guesses(). `known_psf`: what psf_of() gives,
/// where that is known already. Errors: those of psf_of().
Result<DeconvolutionPlan> plan_deconvolution(const Operation& complete, const VoxelSize& voxel,
                                             const Size3& size,
                                             const std::shared_ptr<const Stencil>& known_psf = {});

/// Whether particles are blurred by a near part and a Fourier transform: the schemes full and lean
/// with a PSF for which that costs less than a stencil.
bool has_far_part(const DeconvolutionPlan& plan);

/// How make_full_psf_blur() is asked to do that.
FullPsfOptions full_psf_options(const DeconvolutionPlan& plan);

/// The blur of pixels, or of the particles of an APR. Errors: no memory, of the models.
Result<std::unique_ptr<BlurModel>> make_blur(const DeconvolutionPlan& plan, const Dataset& input);

/// About what deconvolve() takes beyond the input.
std::uint64_t deconvolution_bytes(const DeconvolutionPlan& plan, const Dataset& input);

/// What the iterations gave, and by which blur.
struct DeconvolutionOutcome {
  Deconvolved result;
  std::string description;
};

/// What computes a plan on a device: Richardson–Lucy on the values of `input`, from `given` where
/// the plan's options say so; see richardson_lucy().
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
/// there.
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

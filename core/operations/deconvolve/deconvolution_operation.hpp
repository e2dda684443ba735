#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/deconvolution/iterate/richardson_lucy_report.hpp"
#include "core/operations/deconvolve/deconvolution_models.hpp"
#include "core/operations/deconvolve/deconvolution_outcome.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"
#include "core/operations/deconvolve/held_out_search.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The plan of an operation whose offset is a number, see with_guesses(). `known_psf`: the result
/// of psf_of(), where it is known already. Errors: those of psf_of().
Result<DeconvolutionPlan> plan_deconvolution(const Operation& complete, const VoxelSize& voxel,
                                             const Size3& size,
                                             const std::shared_ptr<const Stencil>& known_psf = {});

/// The report of an iteration for observers.
IterationReport told(const RichardsonLucyReport& done, const SearchPhase& phase);

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

/// The error of a process that would share a deconvolution of other data.
Error other_data(const std::string& name);

}  // namespace aprscope

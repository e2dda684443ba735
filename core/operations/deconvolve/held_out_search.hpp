#pragma once

#include "core/operations/deconvolve/deconvolution_operation.hpp"

namespace aprscope {

/// Which part of a deconvolution an iteration belongs to: it is number before + its own.
struct SearchPhase {
  int before = 0;
  /// How many there are to be at most, those before included.
  int of = 0;
  bool held_out = false;
  bool searching = false;
};

/// A deconvolution that knows when to stop: photons are held out of the image, the rest is iterated
/// on until what was held out is explained worse (see HeldOutStop), and then the whole image for as
/// many iterations as were best, at least one; all that are asked for where it was still rising.
/// `phase` is kept for whoever observes. A request to keep what there is ends the search, and once
/// it is over the iterations. Errors: no photon gain, too few photons, those of the engine.
Result<DeconvolutionOutcome> search_by_held_out(const DeconvolutionPlan& plan, const Dataset& input,
                                                std::span<const float> given,
                                                const RichardsonLucyHooks& hooks,
                                                const JobContext& context,
                                                const DeconvolutionEngine& engine,
                                                SearchPhase& phase);

}  // namespace aprscope

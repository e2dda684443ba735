#pragma once

#include "core/operations/deconvolve/deconvolution_outcome.hpp"

namespace aprscope {

/// Which part of a deconvolution an iteration belongs to: it is number before + its own.
struct SearchPhase {
  int before = 0;
  /// How many there are to be at most, those before included.
  int of = 0;
  bool held_out = false;
  bool searching = false;
};

/// A deconvolution that finds its number of iterations: photons are held out of the image, and the
/// rest is iterated on until it explains them worse (see HeldOutStop). Then the whole image gets
/// the best number of iterations, at least one, or all that were asked for if it still improved.
/// `phase` is updated for observers. A request to keep the result ends the search or, after it, the
/// iterations. Errors: no photon gain, too few photons, those of the engine.
Result<DeconvolutionOutcome> search_by_held_out(const DeconvolutionPlan& plan, const Dataset& input,
                                                std::span<const float> given,
                                                const RichardsonLucyHooks& hooks,
                                                const JobContext& context,
                                                const DeconvolutionEngine& engine,
                                                SearchPhase& phase);

}  // namespace aprscope

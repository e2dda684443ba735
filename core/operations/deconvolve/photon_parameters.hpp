#pragma once

#include <optional>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/deconvolution/iterate/held_out.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of operation "deconvolve" that are about its photons: stop, which ends it by
/// some that were held out; resolution, which is measured by halves of them; photon_gain and seed.
std::vector<ParameterSpec> photon_parameters();

/// True where a complete operation ends that way: it says so, or the gain is known, it starts from
/// the image or a constant, it is more than a handful of iterations (see is_unmatched_only()), and
/// it does not say otherwise.
bool ends_by_held_out(const Operation& complete);

/// How an operation ends by held-out photons; none if it ends otherwise. Gain 0: to be guessed.
std::optional<HoldOutOptions> hold_out_options(const Operation& complete);

/// How such an operation has its resolution measured; none where it does not ask for it. A gain of
/// 0 is yet to be guessed.
std::optional<HoldOutOptions> resolution_options(const Operation& complete);

/// True where the operation needs a gain that it does not have.
bool lacks_photon_gain(const Operation& complete);

/// A complete operation with the gain that guess_photon_gain() gives for pixels where it is needed
/// and not known; unchanged if there is no guess. If it does not end by held-out photons, its stop
/// is set to the change, since a known gain would turn them on. Throws std::bad_alloc.
Operation with_photon_gain(Operation complete, const Dataset& input);

/// An error that says what to do where a gain is needed, not known, and could not be guessed.
Status check_photon_gain(const HoldOutOptions& options, const Dataset& input);

}  // namespace aprscope

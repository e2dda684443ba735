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

/// What such an operation asks for; none where it ends otherwise. A gain of 0 is yet to be guessed.
std::optional<HoldOutOptions> hold_out_options(const Operation& complete);

/// How such an operation has its resolution measured; none where it does not ask for it. A gain of
/// 0 is yet to be guessed.
std::optional<HoldOutOptions> resolution_options(const Operation& complete);

/// True where the operation needs a gain that it does not have.
bool lacks_photon_gain(const Operation& complete);

/// A complete operation with the gain that guess_photon_gain() gives for pixels where it is needed
/// and not known; as it is where there is no guess. One that does not end by held-out photons is
/// told to end by the change, which a known gain would mean otherwise. Throws std::bad_alloc.
Operation with_photon_gain(Operation complete, const Dataset& input);

/// An error that says what to do where a gain is needed, not known, and could not be guessed.
Status check_photon_gain(const HoldOutOptions& options, const Dataset& input);

}  // namespace aprscope

#pragma once

#include <span>

#include "core/deconvolution/iterate/estimate_update.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"

namespace aprscope {

/// What every engine of Richardson–Lucy checks before it begins: lengths (`count` values), the
/// ranges of the options, and the background.
Status check_iterations(std::size_t count, std::span<const float> observed,
                        const RichardsonLucyOptions& options, std::span<const float> given);

/// An error if offset and background leave nothing of the image.
Status check_light(const ImageFacts& facts, std::size_t count,
                   const RichardsonLucyOptions& options);

/// An error with their number if values are not finite; `what` names them.
Status check_iterated_values(const ImageFacts& facts, const char* what);

}  // namespace aprscope

#pragma once

#include <span>

#include "core/deconvolution/iterate/estimate_update.hpp"
#include "core/deconvolution/iterate/richardson_lucy_options.hpp"

namespace aprscope {

/// The checks of every engine of Richardson–Lucy before it begins: lengths (`count` values), the
/// ranges of the options, and the background.
Status check_iterations(std::size_t count, std::span<const float> observed,
                        const RichardsonLucyOptions& options, std::span<const float> given);

/// An error if iterations project back by another kernel and there is none for `count` values.
Status check_back_projector(std::size_t count, const RichardsonLucyOptions& options);

/// An error if offset and background leave nothing of the image.
Status check_light(const ImageFacts& facts, std::size_t count,
                   const RichardsonLucyOptions& options);

/// An error with the number of values that are not finite, if any; `what` names the values.
Status check_iterated_values(const ImageFacts& facts, const char* what);

}  // namespace aprscope

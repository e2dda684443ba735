#pragma once

#include <cstdint>
#include <span>

#include "core/deconvolution/blur/blur_model.hpp"

namespace aprscope {

/// A guess at the camera's offset: the median of the darkest per cent of the pixels, i.e. the
/// smallest value that at least 0.5 % of them (one at least) do not exceed. So it is one of the
/// image's own values (whole if these are), robust against a few dead pixels and against the
/// brightness of the specimen, and the same each time. 0 where it would be negative. `weights`:
/// pixels that each value stands for, see BlurModel::weights(); none: one. Values that are not
/// finite are left out; 0 where there are no others. Where the darkest per cent is noise about the
/// offset with standard deviation σ the guess lies up to 2.6 σ below: too low is less harmful.
double guess_offset(std::span<const std::uint8_t> values);
double guess_offset(std::span<const std::uint16_t> values);
double guess_offset(std::span<const float> values, std::span<const WeightRun> weights = {});

}  // namespace aprscope

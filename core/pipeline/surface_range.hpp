#pragma once

#include <optional>

#include "core/dataset/dataset.hpp"
#include "core/image/level_set.hpp"

namespace aprscope {

/// Limits of the colours of a surface: between them lie all but 4 % of the values that `values` has
/// on it, in pixels of `shape` that belong to the level set and have a neighbour, across one of
/// their faces, that does not. Where `shape` is particles, or no such pixel was met, those of the
/// whole of `values`. `positive`: what is not above 0 is no value. Both must be of one size, and
/// `values` pixels. Of large data a quarter of a million pixels are looked at: it takes some
/// milliseconds. None: there is no value.
std::optional<Contrast> surface_range(const Dataset& shape, const LevelSet& set,
                                      const Dataset& values, bool positive);

}  // namespace aprscope

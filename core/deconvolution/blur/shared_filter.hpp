#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/deconvolution/blur/blur_shares.hpp"
#include "core/filter/repeated_filter.hpp"

namespace aprscope {

/// Fills the tree with means of x and filters both to y; where ranks share that, each its slices.
/// `tree` has one value a cell, `x` and `y` one a particle. Errors: cancelled; those of other
/// ranks.
Status filter_shared(const AprAccess& access, ParticleFilter& filter, BlurShares* shares,
                     std::span<const float> x, std::span<float> tree, std::span<float> y,
                     const JobContext& context);

/// The slices that a filter of this rank has to make; none: all.
inline std::optional<SliceSpan> own_slices(const BlurShares* shares) {
  return shares != nullptr ? std::optional(shares->slices()) : std::nullopt;
}

}  // namespace aprscope

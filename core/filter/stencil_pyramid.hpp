#pragma once

#include <vector>

#include "core/filter/stencil.hpp"

namespace aprscope {

/// What happens to a stencil on coarser levels. same: unchanged. restricted: averaged over all
/// positions inside a coarse cell, so that the result is consistent with pixels. rescaled: weights
/// × 2^−(level_max − level), same shape, for gradients.
enum class StencilMode { same, restricted, rescaled };

/// One stencil a level, built once.
class StencilPyramid {
 public:
  /// `normalize`: scale each level's stencil to sum 1 (only where the sum is not 0).
  static Result<StencilPyramid> create(const Stencil& stencil, StencilMode mode, bool normalize,
                                       int level_max);
  /// Independent stencils: stencils[i] for level i, 0 … level_max.
  static Result<StencilPyramid> from_levels(std::vector<Stencil> stencils);

  [[nodiscard]] const Stencil& at(int level) const {
    return stencils_[static_cast<std::size_t>(level)];
  }
  [[nodiscard]] int level_max() const { return static_cast<int>(stencils_.size()) - 1; }

 private:
  std::vector<Stencil> stencils_;
};

/// R_l K P_l: the stencil averaged over a cell of side 2^delta_level. Size per dimension
/// max(2·ceil(((n−1)/2)/s) + 1, 3), 1 stays 1.
Stencil restrict_stencil(const Stencil& stencil, int delta_level);

}  // namespace aprscope

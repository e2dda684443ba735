#pragma once

#include <span>
#include <vector>

#include "core/filter/stencil.hpp"

namespace aprscope::detail {

/// Dimensions in which a stencil is its own mirror image, to the bit: what is not quite symmetric
/// is not treated as if it were.
struct Mirrored {
  bool z = false, x = false, y = false;
};
Mirrored mirrored_dimensions(const Size3& size, std::span<const float> weights);

/// Number of weights left in each dimension: n / 2 + 1 of n where it is mirrored.
Size3 folded_size(const Size3& size, const Mirrored& mirrored);

/// One weight for all positions that are mirror images of each other. The values at these positions
/// are added before they are multiplied.
struct FoldedStencil {
  Size3 size;  // of the whole stencil
  Mirrored mirrored;
  Size3 terms;                 // weights that are left
  std::vector<float> weights;  // (z, x, y) of terms; from the middle outwards where mirrored

  FoldedStencil(const Size3& size, std::span<const float> weights);
};

/// Whether folding saves enough products to pay for adding what is folded; by measurements.
bool folding_pays(const Size3& size, const Mirrored& mirrored);

}  // namespace aprscope::detail

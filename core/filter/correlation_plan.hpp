#pragma once

#include "core/filter/stencil.hpp"

namespace aprscope {

/// How the native filters apply a stencil. passes: one dimension after the other. folded: cells
/// that are mirror images of each other are added, then multiplied once. taps: only the weights
/// that are not 0. dense: all weights.
enum class CorrelationScheme { dense, taps, folded, passes };

struct CorrelationPlan {
  CorrelationScheme scheme = CorrelationScheme::dense;
  /// Multiply–adds a value. For a folded stencil only products count; its additions (less than half
  /// as many) and sums beyond the ends of runs do not.
  std::int64_t products = 0;
};

/// The scheme of a stencil, whatever it is applied to.
CorrelationPlan plan_correlation(const Stencil& stencil);

}  // namespace aprscope

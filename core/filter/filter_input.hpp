#pragma once

#include <span>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// Beyond the grid of each level: cells reflected about the edge cell (… 2 1 0 1 2 …), or zero.
enum class Boundary { reflect, zero };

/// Functions of a neighbourhood that are no convolution.
enum class LocalStatistic { mean, standard_deviation, median, min, max };

/// Input of every native filter: a structure, values of its particles and the means of its interior
/// cells (fill_tree with Reduction::mean).
struct FilterInput {
  const AprAccess* access = nullptr;
  std::span<const float> particles;
  std::span<const float> tree;
};

}  // namespace aprscope

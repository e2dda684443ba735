#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aprscope {

/// A mask from squares of distances (in voxels) to an object: 1 up to `extend` voxels from it, then
/// a raised cosine down to 0 over `edge` voxels (0: a step).
std::vector<float> soft_mask(std::span<const float> squared_distances, double extend, double edge);

/// Facts about a mask, from its values.
struct MaskFacts {
  /// Width of its edge in voxels if it is a raised cosine: π/2 ÷ the steepest step between
  /// neighbours, at least 1; infinite if nothing changes.
  double edge = 0.0;
  /// Whether it is above a hundredth somewhere on the border of the box.
  bool touches_border = false;
  /// Mean value: the share of the box inside.
  double share = 0.0;
  float lowest = 0.0F;
  float highest = 0.0F;
};

/// The facts about a mask of `side`³ values.
MaskFacts mask_facts(std::span<const float> mask, std::int64_t side);

/// Narrower edges make the correlation of masked maps look better than it is.
constexpr double kNarrowEdge = 3.0;

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/projections/group_noise.hpp"
#include "core/projections/insertion_plan.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// All decisions that are made before the first image is read.
struct ReconstructionPlan {
  InsertionPlan insertion;
  SymmetryGroup symmetry;
  /// Rows of the table that are inserted, in this order, and the half of each (0 or 1; 0 without
  /// halves). Halves take turns, so that the first rows have images of both.
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> halves;
  std::int64_t left_out = 0;
  /// Noise by group, if weights follow it; measured after everything else is decided.
  std::vector<NoisePower> noise;
  std::vector<std::string> notes;
};

/// Note about a map whose images are all of one half.
inline constexpr const char* kNoHalves =
    "only one half has images: there are no half maps and no correlation";

}  // namespace aprscope

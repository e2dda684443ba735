#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/measurement.hpp"
#include "core/maps/fsc_curves.hpp"
#include "core/maps/soft_mask.hpp"

namespace aprscope {

/// Side of a map and its voxel, in Å, or 1 "px" where nothing is known of its size.
struct MapScale {
  std::int64_t side = 0;
  double voxel = 1.0;
  std::string unit = "Å";
};

/// The curves over spatial frequency with marks where the main curve crosses .5 and .143, a table
/// of shells, and notes: crossings of all curves, and reasons for doubt. `mask`: of the mask that
/// was used, ignored where the curves have none.
Measurement fsc_measurement(const FscCurves& curves, const MapScale& scale, const MaskFacts& mask);

}  // namespace aprscope

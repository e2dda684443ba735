#pragma once

#include <array>
#include <optional>

#include "core/cells/wall_signal.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// How much is smoothed before water rises (σ, in the unit of the voxel size), how deep a cell must
/// be, and how strong its walls (in grey values, of distances in the unit of the voxel size).
struct FloodLevels {
  double smooth = 0.0;
  double depth = 0.0;
  double merge = 0.0;
};

/// Levels as a complete watershed asks for them: a depth of 0, and others below 0, mean that they
/// are chosen.
FloodLevels asked_levels(const Operation& operation);

/// Whether nothing is to be chosen from the image.
bool are_given(const FloodLevels& levels);

/// The noise and contrast of an image, or of particles.
WallSignal wall_signal_of(const Dataset& input);

/// Levels with all numbers chosen for this data. `of_distance`: water rises in distances. `known`:
/// the signal of the input, where it was found before.
FloodLevels chosen_levels(const FloodLevels& asked, bool of_distance, const Dataset& input,
                          const std::optional<WallSignal>& known = {});

/// A standard deviation in pixels along z, x and y: nothing is smoothed along a dimension of one.
std::array<double, 3> sigma_in_pixels(double sigma, const Dataset& input);

}  // namespace aprscope

#pragma once

#include <optional>

#include "core/apr/raycast.hpp"
#include "core/dataset/dataset.hpp"

namespace aprscope {

/// The first pixel (in memory order) with the largest value that is a number, of an image or of the
/// constant reconstruction of particles (there: the first pixel of the cell). None where there is
/// no value. Errors: cancelled.
Result<std::optional<Index3>> brightest(const Dataset& data, const JobContext& context = {});

/// The pixel that a projection shows at a place of its picture: the first one with the largest
/// value along the ray. `u`, `v`: from the middle of the picture to the right and up, in heights of
/// the picture. None where the ray misses the image or meets no number.
std::optional<Index3> brightest_along(const Dataset& data, const RayCamera& camera, double u,
                                      double v);

}  // namespace aprscope

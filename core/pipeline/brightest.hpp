#pragma once

#include <optional>

#include "core/apr/raycast/raycast.hpp"
#include "core/dataset/dataset.hpp"
#include "core/image/level_set.hpp"

namespace aprscope {

/// The first pixel (in memory order) with the largest value that is a number, of an image or of the
/// constant reconstruction of particles (there: the first pixel of the cell). None where there is
/// no value. Errors: cancelled.
Result<std::optional<Index3>> brightest(const Dataset& data, const JobContext& context = {});

/// The pixel that a projection shows at a place of its picture: the first one with the largest
/// value along the ray. `u`, `v`: from the middle of the picture to the right and up, in heights of
/// the picture. None where the ray misses what the camera sees of the image or meets no number.
std::optional<Index3> brightest_along(const Dataset& data, const RayCamera& camera, double u,
                                      double v);

/// The pixel of a surface that is seen at a place of its picture: the first one along the ray that
/// belongs to the level set; see brightest_along().
std::optional<Index3> first_along(const Dataset& data, const RayCamera& camera, double u, double v,
                                  const LevelSet& set);

/// A pixel of translucent matter, and how bright the picture is there: from 0 to 1.
struct SeenMatter {
  Index3 pixel;
  float brightness = 0.0F;
};
/// The pixel of translucent matter that is seen at a place of its picture: from the front, the one
/// with which half of the brightness is reached; see brightest_along(). None where it is dark.
std::optional<SeenMatter> seen_along(const Dataset& data, const RayCamera& camera, double u,
                                     double v, const Translucency& translucency);

}  // namespace aprscope

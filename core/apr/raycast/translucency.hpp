#pragma once

#include <algorithm>
#include <cmath>

#include "core/image/contrast.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// Matter that glows and lets light through (emission and absorption, Max 1995, IEEE Trans. Vis.
/// Comput. Graph. 1(2)): a cell of brightness b, 0 to 1 in `contrast`, absorbs a / depth of the
/// light behind it per unit of length and puts its own in the place of that; a rises from 0 at the
/// brightness 1 / 32 to 1 with the curve of the contrast's gamma. What is darker is not there:
/// contrasts begin below most backgrounds, which would be a fog before all else.
struct Translucency {
  Contrast contrast;
  /// How far light comes through the brightest matter until 1/e of it is left, in the unit of the
  /// voxel size. Not above 0, or no number: nothing shines through.
  double depth = 1.0;
  friend bool operator==(const Translucency&, const Translucency&) = default;
};

/// The side of a cube as large as a volume, in the unit of the voxel size: what depths are measured
/// by.
double mean_side(const Size3& size, const VoxelSize& voxel);
/// The depth that shows the insides of most volumes, as a share of mean_side().
constexpr double kUsualDepth = 0.005;

namespace detail {

/// Translucency as rays use it, here and on devices.
struct RayMatter {
  /// Cells that are not above it are not seen.
  float floor = 0.0F;
  float low = 0.0F;
  float range = 1.0F;
  float inverse_range = 1.0F;
  float gamma = 1.0F;
  /// 1 / depth.
  double per_length = 1.0;
};
RayMatter matter_of(const Translucency& translucency);

/// The brightness up to which there is no matter.
constexpr float kFog = 1.0F / 32.0F;

/// Rays end where less than this comes through: less than a step of a screen.
constexpr float kDark = 1.0F / 512.0F;

/// What a ray has collected from the front to the back.
struct RayLight {
  float brightness = 0.0F;
  float through = 1.0F;

  /// A cell of a value above matter.floor, through which the ray runs for `length` · per_length;
  /// returns what that adds to the brightness.
  float add(const RayMatter& matter, float value, float length) {
    const float share = std::min((value - matter.low) * matter.inverse_range, 1.0F);
    const float above = std::max((share - kFog) / (1.0F - kFog), 0.0F);
    const float dense = matter.gamma == 1.0F ? above : std::pow(above, matter.gamma);
    const float left = std::exp(-dense * length);
    const float more = share * through * (1.0F - left);
    brightness += more;
    through *= left;
    return more;
  }
  /// The value that is drawn as this brightness.
  [[nodiscard]] float value(const RayMatter& matter) const {
    return matter.low + brightness * matter.range;
  }
};

}  // namespace detail
}  // namespace aprscope

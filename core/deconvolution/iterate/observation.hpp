#pragma once

#include <memory>
#include <span>
#include <vector>

namespace aprscope {

/// Light in an image that is not the specimen's and lies evenly, or smoothly, below it: b of the
/// model d ~ Poisson(Hu + b) + offset, in grey values above the camera's offset.
struct BackgroundLight {
  /// Background that is the same everywhere; at least 0.
  float level = 0.0F;
  /// A background for each value of the image, at least 0, used instead of `level`; null: `level`.
  std::shared_ptr<const std::vector<float>> values;

  [[nodiscard]] bool none() const { return !values && level == 0.0F; }
};

/// The data that a blurred estimate is compared with: d⁺ = max(image − offset, 0), explained by the
/// blurred estimate and the background together. Everything is multiplied by `scale` first.
struct Observation {
  std::span<const float> image{};
  float offset = 0.0F;
  float scale = 1.0F;
  /// Blurred estimates up to this count as no light.
  float floor = 0.0F;
  /// Background light, see BackgroundLight; empty: `level` everywhere.
  std::span<const float> background{};
  float level = 0.0F;

  [[nodiscard]] bool has_background() const { return !background.empty() || level != 0.0F; }
};

}  // namespace aprscope

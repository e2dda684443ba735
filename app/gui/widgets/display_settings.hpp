#pragma once

#include <string>

#include "core/image/colormap.hpp"

namespace aprscope::gui {

/// How a data set is drawn in the slices. For pixel images every mode is `pixel`.
enum class ShowMode {
  /// The image that the particles were made from (or the pixels of a pixel image).
  pixel,
  /// Each cell has its particle's value.
  constant,
  /// Interpolated between particles.
  smooth,
  /// The level of the particle as a colour.
  level,
  /// One dot a particle.
  dots,
};

/// What the display panel edits.
struct DisplaySettings {
  ShowMode mode = ShowMode::constant;
  Contrast contrast;
  std::string colormap = "grey";
  bool scale_bar = true;
  bool crosshair = true;

  friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

}  // namespace aprscope::gui

#pragma once

#include <QString>
#include <memory>

#include "core/image/contrast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// What colours a surface: the values of another volume at the place of the surface.
struct SurfacePaint {
  std::shared_ptr<const Volume> values;
  /// The colours range between these values.
  Contrast limits;
  /// Values of 0 or less count as missing.
  bool positive = false;
  /// The unit of the values, for the legend; empty: they are numbers.
  QString unit;
};

}  // namespace aprscope

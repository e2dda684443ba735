#pragma once

#include <QString>
#include <memory>

#include "core/image/contrast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// What a surface is coloured by: the values that another volume has where it lies.
struct SurfacePaint {
  std::shared_ptr<const Volume> values;
  /// Between which values the colours change.
  Contrast limits;
  /// What is not above 0 is no value.
  bool positive = false;
  /// Of the values, for the legend; empty: they are numbers.
  QString unit;
};

}  // namespace aprscope

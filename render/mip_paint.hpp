#pragma once

#include <QString>
#include <memory>

#include "core/image/contrast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

class MipView;

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

/// Colours of the surface in a 3-D view, by another volume, with a legend.
class MipPaint {
 public:
  explicit MipPaint(MipView& view) : view_(view) {}

  /// Counts while a surface is shown of data of the same size; null: it has one colour. Where there
  /// is no value that colour stays.
  void set(std::shared_ptr<const SurfacePaint> paint);
  /// What the picture on screen is coloured by; null: it is no such picture.
  [[nodiscard]] std::shared_ptr<const SurfacePaint> shown() const;

 private:
  MipView& view_;
};

}  // namespace aprscope

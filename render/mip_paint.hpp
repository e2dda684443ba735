#pragma once

#include <QString>
#include <memory>

#include "core/image/contrast.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

class MipView;

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

/// Colours the surface in a 3-D view by the values of another volume, with a legend.
class MipPaint {
 public:
  explicit MipPaint(MipView& view) : view_(view) {}

  /// The colouring of the surface; null: one colour. Has an effect while a surface of data of the
  /// same size is shown. Where there is no value the surface keeps its own colour.
  void set(std::shared_ptr<const SurfacePaint> paint);
  /// The colouring of the picture on screen; null: the picture has none.
  [[nodiscard]] std::shared_ptr<const SurfacePaint> shown() const;

 private:
  MipView& view_;
};

}  // namespace aprscope

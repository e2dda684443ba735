#pragma once

#include <memory>

#include "render/surface_paint.hpp"

namespace aprscope {

class MipView;

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

#pragma once

#include <QPointF>
#include <QSizeF>

#include "core/image/plane_axes.hpp"
#include "render/slice_camera.hpp"

namespace aprscope {

/// Converts pixels of a plane to widget positions and back, with the physical aspect of the pixels.
/// All lengths in the widget are logical pixels.
class SliceTransform {
 public:
  /// Shape of the plane (pixels) and distance of its rows and columns (physical).
  void set_plane(double rows, double cols, double row_step, double col_step);
  void set_widget(QSizeF size);
  [[nodiscard]] QSizeF widget() const { return widget_; }

  void fit();
  [[nodiscard]] bool fitted() const { return fitted_; }

  [[nodiscard]] const SliceCamera& camera() const { return camera_; }
  void set_camera(const SliceCamera& camera);
  void zoom_at(double factor, const QPointF& anchor);
  void pan(const QPointF& by);

  /// Widget pixels per pixel of the plane, along its finer dimension.
  [[nodiscard]] double zoom() const;

  [[nodiscard]] QPointF to_widget(double row, double col) const;
  /// Converts a widget position to a fractional column, x(), and row, y().
  [[nodiscard]] QPointF to_plane(const QPointF& position) const;

 private:
  [[nodiscard]] double fit_scale() const;
  [[nodiscard]] double limited(double scale) const;
  void limit_center();

  double rows_ = 1.0;
  double cols_ = 1.0;
  double row_step_ = 1.0;
  double col_step_ = 1.0;
  QSizeF widget_{1.0, 1.0};
  SliceCamera camera_;
  bool fitted_ = true;
};

}  // namespace aprscope

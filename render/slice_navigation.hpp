#pragma once

#include <QPointF>

namespace aprscope {

/// Where a slice view looks: the point at its centre (fractional pixels of the plane) and logical
/// screen pixels per unit of the voxel size.
struct SliceCamera {
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
};

class SliceView;

/// Where a slice view looks, and how closely.
class SliceNavigation {
 public:
  explicit SliceNavigation(SliceView& view) : view_(view) {}

  void fit();
  /// Scales by `factor`, keeping the point under `anchor` (logical widget pixels) where it is.
  void zoom_at(double factor, const QPointF& anchor);
  /// Zoom in screen pixels per pixel of the image (along its finer dimension).
  [[nodiscard]] double zoom() const;
  [[nodiscard]] SliceCamera camera() const;
  /// Whether the whole slice is shown as fit() does, and will be after a change of size.
  [[nodiscard]] bool fitted() const;
  void set_camera(const SliceCamera& camera);

 private:
  SliceView& view_;
};

}  // namespace aprscope

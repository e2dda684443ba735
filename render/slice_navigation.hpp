#pragma once

#include <QPointF>

#include "render/slice_camera.hpp"
#include "render/slice_detail.hpp"

namespace aprscope {

class SliceView;

/// The position and the zoom of a slice view.
class SliceNavigation {
 public:
  explicit SliceNavigation(SliceView& view) : view_(view) {}

  void fit();
  /// Scales by `factor`, keeping the point under `anchor` (logical widget pixels) where it is.
  void zoom_at(double factor, const QPointF& anchor);
  /// Zoom in screen pixels per pixel of the image (along its finer dimension).
  [[nodiscard]] double zoom() const;
  [[nodiscard]] SliceCamera camera() const;
  /// Whether the whole slice is shown, as after fit(). If so, it still is after a change of size.
  [[nodiscard]] bool fitted() const;
  void set_camera(const SliceCamera& camera);

  /// Lets the wheel and Page Up and Down step through the slices of a finer image. Captions count
  /// these.
  void set_fine_steps(const FineSteps& steps);
  /// The slice of the finer image that is looked at, see fine_slice().
  [[nodiscard]] std::int64_t fine_index() const;

 private:
  SliceView& view_;
};

}  // namespace aprscope

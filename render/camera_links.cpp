#include "render/camera_links.hpp"

#include <QSignalBlocker>

#include <vtkCamera.h>

namespace aprscope {

void copy_camera(const MipView& from, MipView& to) {
  const QSignalBlocker quiet(&to);
  to.camera()->DeepCopy(from.camera());
  to.camera_edited();
}

void copy_camera(const SliceView& from, SliceView& to) {
  const QSignalBlocker quiet(&to);
  to.set_camera(from.camera());
}

void link_cameras(MipView& a, MipView& b) {
  QObject::connect(&a, &MipView::camera_changed, &b, [&a, &b] { copy_camera(a, b); });
  QObject::connect(&b, &MipView::camera_changed, &a, [&a, &b] { copy_camera(b, a); });
}

void link_cameras(SliceView& a, SliceView& b) {
  QObject::connect(&a, &SliceView::camera_changed, &b, [&a, &b] { copy_camera(a, b); });
  QObject::connect(&b, &SliceView::camera_changed, &a, [&a, &b] { copy_camera(b, a); });
}

}  // namespace aprscope

#include "app/gui/views/slice_cameras.hpp"

namespace aprscope::gui {

std::array<WorkspaceCamera, 3> slice_cameras(ViewsArea& views) {
  std::array<WorkspaceCamera, 3> out;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const SliceNavigation& navigation = views.slice(axis).navigation();
    const SliceCamera c = navigation.camera();
    out[static_cast<std::size_t>(axis)] = {navigation.fitted(), c.row, c.col, c.scale};
  }
  return out;
}

void set_slice_cameras(ViewsArea& views, const std::array<WorkspaceCamera, 3>& cameras) {
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const WorkspaceCamera& c = cameras[static_cast<std::size_t>(axis)];
    SliceNavigation& navigation = views.slice(axis).navigation();
    if (c.fitted) {
      navigation.fit();
    } else {
      navigation.set_camera({c.row, c.col, c.scale});
    }
  }
}

}  // namespace aprscope::gui

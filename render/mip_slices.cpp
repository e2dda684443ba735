#include "render/mip_slices.hpp"

#include <utility>

#include <vtkRenderer.h>

#include "render/mip_view_state.hpp"

namespace aprscope {

void MipSlices::set_shown(bool shown) {
  if (shown == view_.impl_->slices->shown()) return;
  view_.impl_->slices->set_shown(shown);
  if (shown) {
    view_.impl_->worker->cancel();
    view_.impl_->rest.stop();
    view_.impl_->has_picture = false;
    view_.impl_->frame = {};
    view_.renderer()->TexturedBackgroundOff();
  } else {
    view_.request_picture(true);
  }
  view_.update();
}

bool MipSlices::shown() const { return view_.impl_->slices->shown(); }

void MipSlices::set(Axis axis, std::int64_t index, ColouredSlice slice) {
  view_.impl_->slices->set(axis, index, std::move(slice));
  view_.update();
}

std::optional<Index3> MipSlices::at(double u, double v) const {
  if (!shown()) return std::nullopt;
  return view_.impl_->slices->met(view_.navigation().ray_camera(), u, v);
}

}  // namespace aprscope

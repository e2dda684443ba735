#include "render/slice_navigation.hpp"

#include "render/slice_view_state.hpp"

namespace aprscope {

void SliceNavigation::fit() {
  view_.impl_->transform.set_widget(view_.size());
  view_.impl_->transform.fit();
  view_.update();
  emit view_.camera_changed(camera());
}

void SliceNavigation::zoom_at(double factor, const QPointF& anchor) {
  view_.impl_->transform.set_widget(view_.size());
  view_.impl_->transform.zoom_at(factor, anchor);
  view_.update();
  emit view_.camera_changed(camera());
}

double SliceNavigation::zoom() const { return view_.impl_->transform.zoom(); }

SliceCamera SliceNavigation::camera() const { return view_.impl_->transform.camera(); }

bool SliceNavigation::fitted() const { return view_.impl_->transform.fitted(); }

void SliceNavigation::set_camera(const SliceCamera& camera) {
  view_.impl_->transform.set_widget(view_.size());
  view_.impl_->transform.set_camera(camera);
  view_.update();
  emit view_.camera_changed(this->camera());
}

}  // namespace aprscope

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

void SliceNavigation::set_fine_steps(const FineSteps& steps) {
  if (steps == view_.impl_->fine) return;
  // A place that was stepped to is one in the finer image, whatever the length of a step.
  if (steps.in_slice != view_.impl_->fine.in_slice) view_.impl_->fine_last = -1;
  view_.impl_->fine = steps;
  view_.update();
}

std::int64_t SliceNavigation::fine_index() const {
  return fine_slice(view_.impl_->fine, view_.impl_->index, view_.impl_->fine_last);
}

}  // namespace aprscope

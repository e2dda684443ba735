#include "render/slice_marks.hpp"

#include <utility>

#include "render/slice_view_state.hpp"

namespace aprscope {

void SliceMarks::set_level_set(const std::optional<LevelSet>& set) {
  if (set == view_.impl_->level_set) return;
  view_.impl_->level_set = set;
  view_.impl_->colors_stale = true;
  view_.update();
}

const std::optional<LevelSet>& SliceMarks::level_set() const { return view_.impl_->level_set; }

void SliceMarks::set_labels(LabelPlane labels) {
  if (labels.values.empty() && view_.impl_->labels.values.empty()) return;
  view_.impl_->labels = std::move(labels);
  view_.impl_->colors_stale = true;
  view_.update();
}

const LabelPlane& SliceMarks::labels() const { return view_.impl_->labels; }

ColouredSlice SliceMarks::coloured() const {
  const SliceView::Impl& view = *view_.impl_;
  if (view.content != SliceView::Impl::Content::plane) return {};
  return {view.colours(view.plane, view.channels.others), view.rows, view.cols};
}

void SliceMarks::set_label_marks(const LabelMarks& marks) {
  view_.impl_->label_marks = marks;
  if (view_.impl_->labels.values.empty()) return;
  view_.impl_->colors_stale = true;
  view_.update();
}

}  // namespace aprscope

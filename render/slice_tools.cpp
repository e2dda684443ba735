#include "render/slice_tools.hpp"

#include "render/slice_view_state.hpp"

namespace aprscope {

void SliceTools::set_line_tool(bool on) {
  auto& state = *view_.impl_;
  if (state.line.tool && !on) {
    // A drag of it ends with it.
    if (state.drag == SliceView::Impl::Drag::line) {
      state.drag = SliceView::Impl::Drag::none;
      state.pressed.reset();
    }
    if (state.drag == SliceView::Impl::Drag::none && !state.space_held) {
      view_.setCursor(Qt::CrossCursor);
    }
  }
  state.line.tool = on;
}

bool SliceTools::line_tool() const { return view_.impl_->line.tool; }

void SliceTools::set_line(const std::optional<PlaneLine>& line) {
  view_.impl_->line.line = line;
  view_.update();
}

const std::optional<PlaneLine>& SliceTools::line() const { return view_.impl_->line.line; }

void SliceTools::set_box(const std::optional<Region>& box) {
  view_.impl_->box.region = box;
  if (!box && view_.impl_->drag == SliceView::Impl::Drag::none && !view_.impl_->space_held) {
    view_.setCursor(Qt::CrossCursor);
  }
  view_.update();
}

void SliceTools::set_box_by_edges(bool on) { view_.impl_->box.by_edges = on; }

const std::optional<Region>& SliceTools::box() const { return view_.impl_->box.region; }

void SliceTools::set_brush(bool on) { view_.impl_->brush = on; }

}  // namespace aprscope

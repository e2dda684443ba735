#include "app/gui/panels/line_tool.hpp"

#include <utility>

#include "app/gui/views/views_area.hpp"
#include "core/image/extent.hpp"
#include "core/image/plane_axes.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array kLineAxes{Axis::z, Axis::x, Axis::y};

}  // namespace

LineTool::LineTool(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views) {
  for (const Axis axis : kLineAxes) {
    connect(&view(axis), &SliceView::line_drawn, this, [this, axis](const PlaneLine& line) {
      if (shown_ && operation_) move_to({axis, view(axis).index(), line});
    });
  }
  connect(&document.view(), &ViewState::crosshair_changed, this, &LineTool::follow_crosshair);
  connect(&document.items(), &ItemList::data_changed, this, &LineTool::follow_size);
}

SliceView& LineTool::view(Axis axis) const { return views_.slice(axis); }

void LineTool::follow(const Operation& operation) {
  shown_ = true;
  set_operation(operation);
}

void LineTool::hide() {
  shown_ = false;
  show();
}

void LineTool::set_operation(const Operation& operation) {
  operation_.reset();
  line_.reset();
  if (operation.id == kLineProfile) {
    operation_ = operation;
    line_ = line_of(operation);
  }
  if (const Item* item = document_.items().current(); item != nullptr && line_) {
    size_ = item->dataset->size();
    voxel_ = item->dataset->voxel();
  }
  show();
}

void LineTool::show() {
  for (const Axis axis : kLineAxes) {
    view(axis).tools().set_line_tool(shown_ && operation_);
    const bool here = shown_ && line_ && line_->axis == axis;
    view(axis).tools().set_line(here ? std::optional(line_->line) : std::nullopt);
  }
}

void LineTool::move_to(const LineInSlice& line) {
  const Operation moved_operation = with_line(*operation_, line);
  set_operation(moved_operation);
  emit moved(moved_operation);
}

void LineTool::go_to_slice() {
  if (!line_) return;
  Index3 place = document_.view().crosshair();
  component(place, line_->axis) = line_->index;
  document_.view().set_crosshair(place);
}

void LineTool::follow_crosshair() {
  if (!line_ || document_.items().current() == nullptr) return;
  LineInSlice line = *line_;
  line.index = component(document_.view().crosshair(), line.axis);
  if (line != *line_) move_to(line);
}

// Finer pixels of the same box, as those of a file whose overview was shown: the line stays where
// it is in it.
void LineTool::follow_size(std::uint64_t id) {
  const Item* item = document_.items().current();
  if (!line_ || item == nullptr || item->id != id) return;
  const Dataset& now = *item->dataset;
  const Size3 before = std::exchange(size_, now.size());
  const VoxelSize voxel = std::exchange(voxel_, now.voxel());
  if (before == now.size() || !same_extent(before, voxel, now.size(), now.voxel())) return;
  LineInSlice line = *line_;
  for (PlanePoint* end : {&line.line.from, &line.line.to}) {
    end->row *= component(voxel, row_axis(line.axis)) / component(now.voxel(), row_axis(line.axis));
    end->col *= component(voxel, col_axis(line.axis)) / component(now.voxel(), col_axis(line.axis));
  }
  line.index = component(document_.view().crosshair(), line.axis);
  move_to(line);
}

}  // namespace aprscope::gui

#include "render/slice_overlays.hpp"

#include <utility>

#include "render/slice_view_state.hpp"

namespace aprscope {

void SliceOverlays::set_caption(const SliceCaption& caption) {
  view_.impl_->caption = caption;
  view_.update();
}

const SliceCaption& SliceOverlays::caption() const { return view_.impl_->caption; }

void SliceOverlays::set_detail(SliceDetail detail) {
  if (detail.plane.values.empty() && view_.impl_->detail.plane.values.empty()) return;
  view_.impl_->detail = std::move(detail);
  view_.impl_->colors_stale = true;
  view_.update();
}

const SliceDetail& SliceOverlays::detail() const { return view_.impl_->detail; }

std::optional<SliceOverlays::DetailValue> SliceOverlays::detail_under_pointer() const {
  const SliceView::Impl& impl = *view_.impl_;
  if (!impl.hovering || !impl.detailed()) return std::nullopt;
  const QPointF at = impl.transform.to_plane(impl.last_mouse);
  const SliceDetail& shown = impl.detail;
  const double row = (at.y() - shown.row) / shown.rows;
  const double col = (at.x() - shown.col) / shown.cols;
  if (row < 0.0 || col < 0.0 || row >= 1.0 || col >= 1.0) return std::nullopt;
  const auto r = static_cast<std::int64_t>(row * static_cast<double>(shown.plane.rows));
  const auto c = static_cast<std::int64_t>(col * static_cast<double>(shown.plane.cols));
  const auto i = static_cast<std::size_t>(r * shown.plane.cols + c);
  DetailValue out{at.y(), at.x(), shown.plane.values[i], {}};
  for (const ChannelPlane& other : shown.others) out.others[other.channel] = other.plane.values[i];
  return out;
}

void SliceOverlays::set_legend(std::vector<LegendEntry> legend) {
  if (legend == view_.impl_->legend) return;
  view_.impl_->set_legend(std::move(legend));
  view_.update();
}

const std::vector<LegendEntry>& SliceOverlays::legend() const { return view_.impl_->legend; }

QRectF SliceOverlays::legend_swatch(std::size_t entry) const {
  return entry < view_.impl_->legend.size() ? view_.impl_->legend_swatch(view_.size(), entry)
                                            : QRectF();
}

void SliceOverlays::set_crosshair_visible(bool visible) {
  if (visible == view_.impl_->crosshair_visible) return;
  view_.impl_->crosshair_visible = visible;
  view_.update();
}

void SliceOverlays::set_scale_bar_visible(bool visible) {
  if (visible == view_.impl_->scale_bar_visible) return;
  view_.impl_->scale_bar_visible = visible;
  view_.update();
}

void SliceOverlays::set_captions_visible(bool visible) {
  if (visible == view_.impl_->captions_visible) return;
  view_.impl_->captions_visible = visible;
  view_.update();
}

void SliceOverlays::set_columns_are_x(bool on) {
  view_.impl_->columns_are_x = on;
  view_.update();
}

SliceScaleBar SliceOverlays::scale_bar() const { return view_.impl_->scale_bar(); }

}  // namespace aprscope

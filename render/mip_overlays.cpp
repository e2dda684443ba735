#include "render/mip_overlays.hpp"

#include "render/mip_view_state.hpp"

namespace aprscope {

void MipOverlays::set_caption(const QString& caption) {
  view_.impl_->caption = caption;
  view_.update();
}

void MipOverlays::set_note(const QString& note) {
  view_.impl_->note = note;
  view_.update();
}

const QString& MipOverlays::note() const { return view_.impl_->note; }

void MipOverlays::set_info(const MipInfo& info) {
  if (info == view_.impl_->info) return;
  view_.impl_->info = info;
  view_.update();
}

const MipInfo& MipOverlays::info() const { return view_.impl_->info; }

void MipOverlays::set_planes_visible(bool visible) {
  view_.impl_->planes = visible;
  view_.impl_->show_outlines();
  view_.update();
}

void MipOverlays::set_box_visible(bool visible) {
  view_.impl_->box = visible;
  view_.impl_->show_outlines();
  view_.update();
}

void MipOverlays::set_part(const std::optional<Region>& part) {
  view_.impl_->outlines->set_part(part);
  view_.update();
}

void MipOverlays::set_hud_visible(bool visible) {
  view_.impl_->hud = visible;
  view_.update();
}

void MipOverlays::set_hud_collapsed(bool collapsed) {
  view_.impl_->hud_collapsed = collapsed;
  view_.update();
}

QRectF MipOverlays::hud_rect() const { return view_.impl_->hud ? view_.impl_->hud_rect : QRectF(); }

}  // namespace aprscope

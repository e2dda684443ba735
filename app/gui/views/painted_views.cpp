#include "app/gui/views/painted_views.hpp"

#include <QWindow>

namespace aprscope::gui {

PaintedViews::PaintedViews(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent),
      document_(document),
      views_(views),
      volume_preview_(*views.findChild<VolumePreview*>()) {
  connect(&views.feed(), &SliceFeed::picture_ready, this, [this](const SlicePicture& picture) {
    SliceView& view = views_.slice(picture.axis);
    frames_before_[static_cast<std::size_t>(picture.axis)] = view.frame_count();
    // Also where the picture is the same.
    view.update();
  });
  connect(&views.mip(), &MipView::frame_shown, this, [this] { painted_ = volume(); });
}

std::shared_ptr<const Raycaster> PaintedViews::volume() const {
  if (auto preview = volume_preview_.raycaster()) return preview;
  const Item* item = document_.items().current();
  return item != nullptr ? item->raycaster : nullptr;
}

bool PaintedViews::all() const {
  // What nobody sees is not drawn.
  const QWindow* shown_in = views_.window()->windowHandle();
  if (shown_in == nullptr || !shown_in->isExposed()) return true;
  if (views_.feed().busy() || views_.detail().busy()) return false;
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const SliceView& view = views_.slice(axis);
    if (!view.isVisible() || !views_.feed().seen(axis)) continue;
    if (view.frame_count() <= frames_before_[static_cast<std::size_t>(axis)]) return false;
  }
  return volume_painted();
}

bool PaintedViews::volume_painted() const {
  const bool projects = views_.mip().isVisible() && !views_.mip().slices().shown();
  if (!projects || document_.items().current() == nullptr) return true;
  if (volume_preview_.busy()) return false;
  const auto now = volume();
  // Where it cannot be prepared there is nothing to wait for.
  return now ? painted_.lock() == now : !document_.background().busy();
}

}  // namespace aprscope::gui

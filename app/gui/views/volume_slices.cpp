#include "app/gui/views/volume_slices.hpp"

#include <QEvent>
#include <utility>

namespace aprscope::gui {

VolumeSlices::VolumeSlices(ViewState& state, const std::array<SliceView*, 3>& slices, MipView& mip,
                           QObject* parent)
    : QObject(parent), state_(state), slices_(slices), mip_(mip) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &VolumeSlices::give);
  mip_.installEventFilter(this);
  connect(&state, &ViewState::options_changed, this, &VolumeSlices::follow_options);
  follow_options();
}

void VolumeSlices::renew() {
  stale_.fill(true);
  if (mip_.slices().shown()) soon_.start();
}

void VolumeSlices::renew(Axis axis) {
  stale_[static_cast<std::size_t>(axis)] = true;
  if (mip_.slices().shown()) soon_.start();
}

bool VolumeSlices::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show && mip_.slices().shown()) soon_.start();
  return QObject::eventFilter(watched, event);
}

void VolumeSlices::follow_options() {
  if (state_.options().slices == mip_.slices().shown()) return;
  mip_.slices().set_shown(state_.options().slices);
  renew();
}

void VolumeSlices::give() {
  if (!mip_.slices().shown() || !mip_.isVisible()) return;
  for (SliceView* view : slices_) {
    if (!std::exchange(stale_[static_cast<std::size_t>(view->axis())], false)) continue;
    mip_.slices().set(view->axis(), view->index(), view->marks().coloured());
  }
}

}  // namespace aprscope::gui

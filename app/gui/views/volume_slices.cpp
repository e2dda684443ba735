#include "app/gui/views/volume_slices.hpp"

namespace aprscope::gui {

VolumeSlices::VolumeSlices(ViewState& state, const std::array<SliceView*, 3>& slices, MipView& mip,
                           QObject* parent)
    : QObject(parent), state_(state), slices_(slices), mip_(mip) {
  soon_.setSingleShot(true);
  soon_.setInterval(0);
  connect(&soon_, &QTimer::timeout, this, &VolumeSlices::give);
  connect(&state, &ViewState::options_changed, this, &VolumeSlices::follow_options);
  follow_options();
}

void VolumeSlices::renew() {
  if (mip_.slices().shown()) soon_.start();
}

void VolumeSlices::follow_options() {
  if (state_.options().slices == mip_.slices().shown()) return;
  mip_.slices().set_shown(state_.options().slices);
  renew();
}

void VolumeSlices::give() {
  if (!mip_.slices().shown()) return;
  for (SliceView* view : slices_) {
    mip_.slices().set(view->axis(), view->index(), view->marks().coloured());
  }
}

}  // namespace aprscope::gui

#include "app/gui/views/clip_box.hpp"

namespace aprscope::gui {
namespace {

// The middle half of a dimension; all of what has few pixels.
void take_middle(std::int64_t n, std::int64_t& begin, std::int64_t& end) {
  constexpr std::int64_t kFew = 4;
  begin = n > kFew ? n / 4 : 0;
  end = n > kFew ? n - n / 4 : n;
}

}  // namespace

ClipBox::ClipBox(ViewState& state, const std::array<SliceView*, 3>& slices, MipView& mip,
                 QObject* parent)
    : QObject(parent), state_(state), slices_(slices), mip_(mip) {
  for (SliceView* view : slices_) {
    connect(view, &SliceView::box_dragged, this, [this](const Region& box) {
      if (!instead_) state_.set_clip(box);
    });
  }
  connect(&state, &ViewState::clip_changed, this, &ClipBox::show);
  show();
}

void ClipBox::set_on(bool on, const Size3& size) {
  if (!on) return state_.set_clip(std::nullopt);
  Region box;
  take_middle(size.z, box.begin.z, box.end.z);
  take_middle(size.x, box.begin.x, box.end.x);
  take_middle(size.y, box.begin.y, box.end.y);
  state_.set_clip(instead_.value_or(box));
}

void ClipBox::show_instead(const std::optional<Region>& box) {
  instead_ = box;
  if (box && state_.clip()) state_.set_clip(box);
  show();
}

void ClipBox::show() {
  const std::optional<Region>& drawn = instead_ ? instead_ : state_.clip();
  for (SliceView* view : slices_) {
    view->tools().set_box_by_edges(!instead_);
    view->tools().set_box(drawn);
  }
  mip_.navigation().set_only(state_.clip());
  mip_.overlays().set_part(drawn);
}

}  // namespace aprscope::gui

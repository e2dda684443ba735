#include "app/gui/window/crop_box.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "app/gui/window/crop_dialog.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array kSliceAxes{Axis::z, Axis::x, Axis::y};
constexpr std::array kDimensions{&Size3::z, &Size3::x, &Size3::y};

}  // namespace

CropBox::CropBox(ViewsArea& views, CropDialog& dialog, const Size3& shown, const Size3& size)
    : QObject(&dialog), views_(views), dialog_(dialog), shown_(shown), size_(size) {
  for (const auto d : kDimensions) {
    while (shown.*d * side_.*d < size.*d) side_.*d *= 2;
  }
  connect(&dialog, &CropDialog::box_changed, this, &CropBox::show_box);
  for (const Axis axis : kSliceAxes) {
    connect(&views.slice(axis), &SliceView::box_dragged, this, &CropBox::take_box);
  }
  // Not in a destructor: the views may be gone before the dialog.
  connect(&dialog, &QDialog::finished, this,
          [this] { views_.clip_box().show_instead(std::nullopt); });
  show_box(dialog.box());
}

Region CropBox::to_shown(const Region& box) const {
  Region out;
  for (const auto d : kDimensions) {
    out.begin.*d = box.begin.*d / (side_.*d);
    out.end.*d = std::min((box.end.*d + side_.*d - 1) / (side_.*d), shown_.*d);
  }
  return out;
}

Region CropBox::to_cut(const Region& box) const {
  Region out;
  for (const auto d : kDimensions) {
    out.begin.*d = std::min(box.begin.*d * (side_.*d), size_.*d - 1);
    out.end.*d = std::min(box.end.*d * (side_.*d), size_.*d);
  }
  return out;
}

void CropBox::take_box(const Region& box) {
  const Region before = dialog_.box();
  const Region drawn = to_shown(before);
  Region cut = to_cut(box);
  for (const auto d : kDimensions) {
    // Ends that did not move stay as exact as they were typed.
    if (box.begin.*d == drawn.begin.*d) cut.begin.*d = before.begin.*d;
    if (box.end.*d == drawn.end.*d) cut.end.*d = before.end.*d;
  }
  dialog_.set_box(cut);
}

void CropBox::show_box(const Region& box) { views_.clip_box().show_instead(to_shown(box)); }

}  // namespace aprscope::gui

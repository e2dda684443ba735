#pragma once

#include <QObject>

#include "app/gui/views/views_area.hpp"
#include "core/image/region.hpp"

namespace aprscope::gui {

class CropDialog;

/// Draws the box of a crop dialog in the slices and the 3-D view, and puts what is dragged there
/// into the dialog, which owns it. The slices may show a coarser level of the image that the dialog
/// cuts.
class CropBox : public QObject {
  Q_OBJECT

 public:
  /// `shown`: size of the image in the slices; `size`: of the one that is cut. Both in pixels.
  CropBox(ViewsArea& views, CropDialog& dialog, const Size3& shown, const Size3& size);

  /// The box in pixels of the slices, all that it touches; and back.
  [[nodiscard]] Region to_shown(const Region& box) const;
  [[nodiscard]] Region to_cut(const Region& box) const;

 private:
  void take_box(const Region& box);
  void show_box(const Region& box);

  ViewsArea& views_;
  CropDialog& dialog_;
  Size3 shown_;
  Size3 size_;
  /// Pixels of the image that is cut along a side of a pixel of the slices.
  Size3 side_{1, 1, 1};
};

}  // namespace aprscope::gui

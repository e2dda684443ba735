#pragma once

#include <QObject>
#include <array>
#include <optional>

#include "app/gui/document/view_state.hpp"
#include "core/image/region.hpp"
#include "render/mip_view.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// Draws the clipping box of the document in the slices, where drags change it, and has the 3-D
/// view show what is in it. While another box is drawn in the slices, as that of a crop, the
/// clipping box follows it.
class ClipBox : public QObject {
  Q_OBJECT

 public:
  ClipBox(ViewState& state, const std::array<SliceView*, 3>& slices, MipView& mip, QObject* parent);

  /// Turns the box on, around the middle of an image of `size`, or off.
  void set_on(bool on, const Size3& size);
  /// Another box to draw instead, in pixels of the slices; none: the clipping box again. Whoever
  /// shows it listens to SliceView::box_dragged.
  void show_instead(const std::optional<Region>& box);

 private:
  void show();

  ViewState& state_;
  std::array<SliceView*, 3> slices_;
  MipView& mip_;
  std::optional<Region> instead_;
};

}  // namespace aprscope::gui

#pragma once

#include <QObject>
#include <QTimer>
#include <array>

#include "app/gui/document/view_state.hpp"
#include "render/mip_view.hpp"
#include "render/slice_view.hpp"

namespace aprscope::gui {

/// Gives the 3-D view the slices as the slice views show them, while it shows slices in place of
/// the projection.
class VolumeSlices : public QObject {
  Q_OBJECT

 public:
  VolumeSlices(ViewState& state, const std::array<SliceView*, 3>& slices, MipView& mip,
               QObject* parent);

  /// Slice views show something else, or in other colours: all of them, or one. Cheap: slices are
  /// given once for all that changes together, and only while somebody sees them.
  void renew();
  void renew(Axis axis);
  [[nodiscard]] bool busy() const { return soon_.isActive(); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow_options();
  void give();

  ViewState& state_;
  std::array<SliceView*, 3> slices_;
  MipView& mip_;
  QTimer soon_;
  std::array<bool, 3> stale_{};
};

}  // namespace aprscope::gui

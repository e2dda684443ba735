#pragma once

#include <QRectF>
#include <QString>
#include <optional>

#include "core/image/region.hpp"
#include "render/mip_info.hpp"

namespace aprscope {

class MipView;

/// Texts and drawings over the picture of a 3-D view.
class MipOverlays {
 public:
  explicit MipOverlays(MipView& view) : view_(view) {}

  /// A name at the lower edge / a note in the middle: what cannot be shown and why. Empty: none.
  void set_caption(const QString& caption);
  void set_note(const QString& note);
  [[nodiscard]] const QString& note() const;

  void set_info(const MipInfo& info);
  [[nodiscard]] const MipInfo& info() const;

  void set_planes_visible(bool visible);
  void set_box_visible(bool visible);
  /// A part of the volume, in pixels, whose outline is drawn; none: none is.
  void set_part(const std::optional<Region>& part);
  void set_hud_visible(bool visible);
  void set_hud_collapsed(bool collapsed);

  /// Where the heads-up panel lies, logical widget pixels; empty when hidden.
  [[nodiscard]] QRectF hud_rect() const;

 private:
  MipView& view_;
};

}  // namespace aprscope

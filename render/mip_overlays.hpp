#pragma once

#include <QRectF>
#include <QString>
#include <cstdint>

namespace aprscope {

/// Facts about the data for the heads-up panel; the panel finds all others itself.
struct MipInfo {
  QString name;
  /// 0 for a pixel image.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// Bytes of the data, and of everything derived from it.
  std::uint64_t bytes = 0;
  /// "CPU, 2 threads".
  QString backend;
  bool preview = false;
  friend bool operator==(const MipInfo&, const MipInfo&) = default;
};

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

  void set_planes_visible(bool visible);
  void set_box_visible(bool visible);
  void set_hud_visible(bool visible);
  void set_hud_collapsed(bool collapsed);

  /// Where the heads-up panel lies, logical widget pixels; empty when hidden.
  [[nodiscard]] QRectF hud_rect() const;

 private:
  MipView& view_;
};

}  // namespace aprscope

#pragma once

#include <QRectF>
#include <QString>
#include <cstdint>

namespace aprscope {

/// What the heads-up panel says about the data; the rest it knows itself.
struct MipInfo {
  QString name;
  /// 0 for a pixel image.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// Bytes of the data and what is derived from it.
  std::uint64_t bytes = 0;
  /// "CPU, 2 threads".
  QString backend;
  bool preview = false;
  friend bool operator==(const MipInfo&, const MipInfo&) = default;
};

class MipView;

/// What a 3-D view writes and draws over its picture.
class MipOverlays {
 public:
  explicit MipOverlays(MipView& view) : view_(view) {}

  /// A name at the lower edge, and what cannot be shown and why in the middle; empty: none.
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

#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "render/slice_detail.hpp"

namespace aprscope {

/// Texts about the picture in the corners of a view.
struct SliceCaption {
  /// "particles, constant", "pixels", "levels", …
  QString mode;
  /// "level ≤ 8", "filtered: gaussian σ = 2"; empty: nothing.
  QString detail;
  enum class Badge { none, preview, final_result } badge = Badge::none;
};

/// One colour of a picture and what it stands for.
struct LegendEntry {
  QColor color;
  QString label;
  friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// The scale bar as drawn: length in logical screen pixels and what its label says.
struct SliceScaleBar {
  double pixels = 0.0;
  double length = 0.0;
  QString label;
};

class SliceView;

/// Texts and drawings over the picture of a slice view.
class SliceOverlays {
 public:
  explicit SliceOverlays(SliceView& view) : view_(view) {}

  void set_caption(const SliceCaption& caption);
  [[nodiscard]] const SliceCaption& caption() const;
  /// A finer picture over a part of the slice; an empty one removes it. It goes with the slice:
  /// when another one is shown, with set_dots() and clear(). Not drawn while two slices share the
  /// view, nor over labels.
  void set_detail(SliceDetail detail);
  [[nodiscard]] const SliceDetail& detail() const;
  /// What the finer picture shows under the pointer: where, in fractional pixels of the view's
  /// slice, its value, and those of other channels that it has. None: the pointer is elsewhere, or
  /// it is not drawn there.
  struct DetailValue {
    double row = 0.0;
    double col = 0.0;
    float value = 0.0F;
    std::map<int, float> others;
  };
  [[nodiscard]] std::optional<DetailValue> detail_under_pointer() const;
  /// Lists colours beside the picture, from top to bottom; none: no list. Left out while captions
  /// are off or the view is too small for all of it.
  void set_legend(std::vector<LegendEntry> legend);
  [[nodiscard]] const std::vector<LegendEntry>& legend() const;
  /// The rectangle of an entry's colour, in logical pixels; empty while the list is not drawn.
  [[nodiscard]] QRectF legend_swatch(std::size_t entry) const;

  void set_crosshair_visible(bool visible);
  void set_scale_bar_visible(bool visible);
  /// Corner texts on or off (off for bare screenshots).
  void set_captions_visible(bool visible);
  /// Whether captions call columns x and rows y, rather than rows x and columns y as in APR files.
  void set_columns_are_x(bool on);

  /// The scale bar as drawn.
  [[nodiscard]] SliceScaleBar scale_bar() const;

 private:
  SliceView& view_;
};

}  // namespace aprscope

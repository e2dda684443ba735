#include <QFont>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/image/scale_bar.hpp"
#include "render/overlay_sizes.hpp"
#include "render/slice_view_state.hpp"
#include "render/slice_words.hpp"

namespace aprscope {
namespace {

constexpr double kFocus = 2.0;     // frame of the view with the keyboard
constexpr double kBarShare = .25;  // of the view's width at most
constexpr double kBarMost = 180.0;
constexpr double kButton = 50.0;
constexpr double kBesideButton = 36.0;
constexpr double kBold = 1.15;      // factor: bold letters are wider
constexpr double kNameShare = .75;  // share of the room that leaves none for others
constexpr double kLine = 18.0;      // height of a line of the legend
constexpr double kGap = 8.0;
constexpr double kBelowLegend = 34.0;  // room for the zoom

QColor with_alpha(QColor color, int alpha) {
  color.setAlpha(alpha);
  return color;
}

QFontMetricsF text_metrics(double scale) {
  QFont font(QStringLiteral("DejaVu Sans"));
  font.setPixelSize(static_cast<int>(std::lround(overlay::kTextHeight * scale)));
  return QFontMetricsF(font);
}

// Draws a thin line between two dark edges, so that it is visible on dark and on bright data.
void draw_edged(Overlay& overlay, const QRectF& core, bool upright, const QColor& color) {
  const QPointF aside = upright ? QPointF(1, 0) : QPointF(0, 1);
  overlay.rect(core.translated(-aside), ViewTheme::line_edge());
  overlay.rect(core.translated(aside), ViewTheme::line_edge());
  overlay.rect(core, color);
}

}  // namespace

void SliceView::Impl::set_index(std::int64_t shown) {
  index = shown;
  if (wanted_index == shown) wanted_index.reset();
}

Index3 SliceView::Impl::inside(const Index3& p) const {
  const auto in = [](std::int64_t i, std::int64_t n) {
    return std::clamp<std::int64_t>(i, 0, std::max<std::int64_t>(n - 1, 0));
  };
  return {in(p.z, size.z), in(p.x, size.x), in(p.y, size.y)};
}

Index3 SliceView::Impl::voxel_of(const QPointF& at) const {
  const auto whole = [](double v) {
    return static_cast<std::int64_t>(std::floor(std::clamp(v, -1e9, 1e9)));
  };
  Index3 p{index, index, index};
  component(p, row_axis(axis)) = whole(at.y());
  component(p, col_axis(axis)) = whole(at.x());
  return inside(p);
}

SliceScaleBar SliceView::Impl::scale_bar() const {
  const double scale = transform.camera().scale;
  const double room = std::min(kBarMost, kBarShare * transform.widget().width());
  if (!(scale > 0.0)) return {};
  const NiceLength nice = nice_length(room / scale, voxel.unit);
  return {nice.length * scale, nice.length, QString::fromStdString(nice.label)};
}

void SliceView::Impl::draw_overlay(QSize widget, double ratio) {
  overlay.begin(widget, ratio);
  if (content != Content::nothing) {
    if (box.region) draw_box();
    if (crosshair_visible) draw_crosshair(widget);
    if (scale_bar_visible) draw_scale_bar(widget);
    if (line.line) draw_line();
    if (parted()) draw_reveal(widget);
  }
  if (captions_visible) draw_captions(widget);
  if (captions_visible && content != Content::nothing) draw_legend(widget);
  const QRectF all(QPointF(0, 0), QSizeF(widget));
  if (focused) {
    overlay.frame(all, kFocus, theme.focus);
  } else {
    overlay.frame(all, 1.0, with_alpha(theme.axis_color(axis), 90));
  }
  overlay.end();
}

void SliceView::Impl::draw_crosshair(QSize widget) {
  const QPointF at =
      transform.to_widget(static_cast<double>(component(crosshair, row_axis(axis))) + 0.5,
                          static_cast<double>(component(crosshair, col_axis(axis))) + 0.5);
  // The crosshair is open in the middle, so that the voxel itself remains visible.
  const double gap = std::clamp(0.5 * transform.zoom() + 3.0, 6.0, 40.0);
  const QColor row_color = theme.line_color(row_axis(axis));
  const QColor col_color = theme.line_color(col_axis(axis));
  const double w = widget.width();
  const double h = widget.height();
  const double x = std::floor(at.x());
  const double y = std::floor(at.y());
  const auto along_row = [&](double from, double to) {
    if (to > from) draw_edged(overlay, {from, y, to - from, 1}, false, row_color);
  };
  const auto along_column = [&](double from, double to) {
    if (to > from) draw_edged(overlay, {x, from, 1, to - from}, true, col_color);
  };
  if (y >= 0 && y < h) {
    along_row(0, std::min(at.x() - gap, w));
    along_row(std::max(0.0, at.x() + gap), w);
  }
  if (x >= 0 && x < w) {
    along_column(0, std::min(at.y() - gap, h));
    along_column(std::max(0.0, at.y() + gap), h);
  }
}

void SliceView::Impl::draw_scale_bar(QSize widget) {
  const SliceScaleBar bar = scale_bar();
  if (!(bar.pixels >= 1.0)) return;
  const TextStyle style{theme.text, Qt::transparent, overlay::kTextHeight * theme.text_scale,
                        false};
  const double bottom = widget.height() - overlay::kBorder;
  const double thick = 3.0;
  // The backdrop is at least as wide as the bar, and wider where the label is.
  const double label_room = 8.0 * theme.text_scale * static_cast<double>(bar.label.size());
  const double width = std::max(bar.pixels, label_room);
  const double label = 22.0 * theme.text_scale;
  overlay.rect({overlay::kBorder - 5, bottom - thick - label, width + 10, thick + label + 5},
               theme.text_backdrop);
  const double left = overlay::kBorder + 0.5 * (width - bar.pixels);
  overlay.rect({left, bottom - thick, bar.pixels, thick}, theme.text);
  overlay.text(bar.label, {overlay::kBorder + 0.5 * width, bottom - thick - 3},
               Qt::AlignHCenter | Qt::AlignBottom, style);
}

void SliceView::Impl::draw_captions(QSize widget) {
  const TextStyle pill{theme.background, theme.axis_color(axis),
                       overlay::kTextHeight * theme.text_scale, true};
  const QRectF name =
      overlay.text(plane_name(axis, columns_are_x), {overlay::kBorder, overlay::kBorder},
                   Qt::AlignLeft | Qt::AlignTop, pill);
  if (content == Content::nothing) return;

  const TextStyle plain{theme.text, theme.text_backdrop, overlay::kTextHeight * theme.text_scale,
                        false};
  const TextStyle muted{theme.muted_text, theme.text_backdrop,
                        overlay::kTextHeight * theme.text_scale, false};
  // The room up to the badge, or if there is none up to the maximise button.
  const QFontMetricsF letters = text_metrics(theme.text_scale);
  const double beside =
      caption.badge == SliceCaption::Badge::none
          ? kBesideButton
          : letters.horizontalAdvance(QStringLiteral("preview")) * kBold + 3 * overlay::kBorder;
  const double free = widget.width() - beside - name.right() - 2 * overlay::kBorder;
  Size3 among = size;
  VoxelSize distance = voxel;
  if (fine.any()) {
    component(among, axis) = fine.count;
    (axis == Axis::z   ? distance.z
     : axis == Axis::x ? distance.x
                       : distance.y) /= static_cast<double>(fine.in_slice);
  }
  const std::int64_t place_in = fine.any() ? fine_slice(fine, index, fine_last) : index;
  const auto words = slice_words(axis, place_in, among, distance, columns_are_x);
  const auto fits = [&](const QString& text) { return letters.horizontalAdvance(text) <= free; };
  const QString& where = fits(words[0]) ? words[0] : fits(words[1]) ? words[1] : words[2];
  const QRectF place = overlay.text(where, {name.right() + 1, overlay::kBorder},
                                    Qt::AlignLeft | Qt::AlignTop, plain);

  // A narrow view shows only the most important: where the slice is, and whether it is a preview.
  const double right = widget.width() - overlay::kBorder;
  double lines_right = right;
  if (caption.badge != SliceCaption::Badge::none) {
    const bool preview = caption.badge == SliceCaption::Badge::preview;
    const TextStyle badge = preview ? TextStyle{theme.background, theme.preview_badge,
                                                overlay::kTextHeight * theme.text_scale, true}
                                    : muted;
    const QRectF at = overlay.text(preview ? QStringLiteral("preview") : QStringLiteral("final"),
                                   {right, overlay::kBorder}, Qt::AlignRight | Qt::AlignTop, badge);
    lines_right = at.left();
  }
  if (widget.height() < 140 || lines_right < place.left()) return;
  QString what = caption.mode;
  if (!caption.detail.isEmpty()) what += (what.isEmpty() ? "" : " · ") + caption.detail;
  // The maximise button is to the right. A long name keeps both ends, a longer one its beginning.
  const double room = widget.width() - overlay::kBorder - kButton;
  const QFontMetricsF metrics = text_metrics(theme.text_scale);
  what = metrics.horizontalAdvance(caption.mode) > kNameShare * room
             ? metrics.elidedText(caption.mode, Qt::ElideMiddle, room)
             : metrics.elidedText(what, Qt::ElideRight, room);
  overlay.text(what, {overlay::kBorder, place.bottom() + 2}, Qt::AlignLeft | Qt::AlignTop, muted);
  if (widget.width() >= 260) {
    // Of pixels of the finer image, where there is one.
    const double percent = transform.zoom() * 100.0 / static_cast<double>(fine.in_slice);
    overlay.text(QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0),
                 {right, widget.height() - overlay::kBorder}, Qt::AlignRight | Qt::AlignBottom,
                 muted);
  }
}

void SliceView::Impl::set_legend(std::vector<LegendEntry> entries) {
  legend = std::move(entries);
  double longest = 0.0;
  for (const LegendEntry& e : legend) {
    longest = std::max(longest, text_metrics(theme.text_scale).horizontalAdvance(e.label));
  }
  legend_width = overlay::kSwatch + kGap + longest;
}

// The legend is at the right, above the zoom.
QRectF SliceView::Impl::legend_swatch(QSize widget, std::size_t entry) const {
  const double step = kLine * theme.text_scale;
  const double height = step * static_cast<double>(legend.size());
  if (!captions_visible ||
      widget.height() < (overlay::kAboveLegend + kBelowLegend) * theme.text_scale + height ||
      widget.width() < legend_width + 4 * overlay::kBorder) {
    return {};
  }
  const double top = widget.height() - kBelowLegend * theme.text_scale - height;
  return {widget.width() - overlay::kBorder - legend_width,
          top + step * static_cast<double>(entry) + 0.5 * (step - overlay::kSwatch),
          overlay::kSwatch, overlay::kSwatch};
}

void SliceView::Impl::draw_legend(QSize widget) {
  if (legend.empty() || legend_swatch(widget, 0).isEmpty()) return;
  const QRectF first = legend_swatch(widget, 0);
  const QRectF last = legend_swatch(widget, legend.size() - 1);
  overlay.rect(
      {first.left() - 6, first.top() - 6, legend_width + 12, last.bottom() - first.top() + 12},
      theme.text_backdrop);
  const TextStyle style{theme.text, Qt::transparent, overlay::kTextHeight * theme.text_scale,
                        false};
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const QRectF swatch = legend_swatch(widget, i);
    overlay.rect(swatch, legend[i].color);
    // A frame around the swatch, so that dark colours are visible on the dark backdrop.
    overlay.frame(swatch, 1.0, with_alpha(theme.text, 120));
    overlay.text(legend[i].label, {swatch.right() + kGap, swatch.center().y()},
                 Qt::AlignLeft | Qt::AlignVCenter, style);
  }
}

}  // namespace aprscope

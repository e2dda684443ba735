#include "app/gui/widgets/level_stencils_view.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/stencil_tint.hpp"

namespace aprscope::gui {
namespace {

constexpr int kSide = 46;
constexpr int kGap = 8;
constexpr int kText = 28;

}  // namespace

LevelStencilsView::LevelStencilsView(QWidget* parent) : QWidget(parent) {
  setToolTip(
      tr("The stencil that is applied on each level, finest first (middle slice, rows x, "
         "columns y)"));
}

void LevelStencilsView::set_stencils(std::vector<Stencil> of_levels, int level_min) {
  stencils_ = std::move(of_levels);
  level_min_ = std::clamp(level_min, 0, std::max(0, level_max()));
  updateGeometry();
  update();
}

void LevelStencilsView::clear() {
  stencils_.clear();
  updateGeometry();
  update();
}

QSize LevelStencilsView::sizeHint() const {
  const int count = stencils_.empty() ? 3 : level_max() - level_min_ + 1;
  return {count * (kSide + kGap) + kGap, kSide + kText + 2 * kGap};
}

void LevelStencilsView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QColor base = palette().color(QPalette::Base);
  painter.fillRect(rect(), base);
  if (stencils_.empty()) return;
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.5));
  painter.setFont(small);
  int left = kGap;
  for (int level = level_max(); level >= level_min_; --level) {
    const Stencil& s = stencils_[static_cast<std::size_t>(level)];
    const double scale = largest_weight(s);
    const auto largest = static_cast<double>(std::max(s.size.x, s.size.y));
    const double cell = kSide / std::max(3.0, largest);
    const double top = kGap + (kSide - cell * static_cast<double>(s.size.x)) / 2.0;
    const double start = left + (kSide - cell * static_cast<double>(s.size.y)) / 2.0;
    // Draws only some weights of a wide stencil: 601 × 601 rectangles would take long to draw.
    const auto step = static_cast<std::int64_t>(std::ceil(largest / (2.0 * kSide)));
    const double side = std::max(1.0, cell * static_cast<double>(step) - 1.0);
    for (std::int64_t x = s.size.x / 2 % step; x < s.size.x; x += step) {
      for (std::int64_t y = s.size.y / 2 % step; y < s.size.y; y += step) {
        const double w = s.weight(s.size.z / 2, x, y);
        const QRectF at(start + static_cast<double>(y) * cell, top + static_cast<double>(x) * cell,
                        side, side);
        painter.fillRect(at, stencil_tint(w, scale, palette().color(QPalette::AlternateBase)));
      }
    }
    painter.setPen(palette().color(QPalette::Text));
    const QRect text(left - kGap / 2, kGap + kSide + 2, kSide + kGap, kText);
    painter.drawText(text, Qt::AlignHCenter | Qt::AlignTop,
                     tr("level %1\n%2×%3×%4").arg(level).arg(s.size.z).arg(s.size.x).arg(s.size.y));
    left += kSide + kGap;
  }
}

}  // namespace aprscope::gui

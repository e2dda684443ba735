#include "app/gui/widgets/direction_map.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/image/colormap.hpp"

namespace aprscope::gui {
namespace {

constexpr int kHeight = 112;
constexpr int kMargin = 1;

}  // namespace

DirectionMap::DirectionMap(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("direction_map"));
  setAccessibleName(tr("Viewing directions"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFixedHeight(kHeight);
}

QSize DirectionMap::sizeHint() const { return {2 * kHeight, kHeight}; }

void DirectionMap::set_directions(DirectionHistogram directions) {
  directions_ = std::move(directions);
  update();
}

QRectF DirectionMap::area() const {
  return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
}

void DirectionMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRectF all = area();
  if (directions_.counts.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(all, Qt::AlignCenter, tr("Viewing directions"));
    return;
  }
  const double most = *std::max_element(directions_.counts.begin(), directions_.counts.end());
  const ColorTable& colours = colormap("viridis");
  const double height = all.height() / directions_.rows;
  const double width = all.width() / directions_.columns;
  for (int row = 0; row < directions_.rows; ++row) {
    for (int column = 0; column < directions_.columns; ++column) {
      const double count =
          directions_.counts[static_cast<std::size_t>(row * directions_.columns + column)];
      const double share = most > 0.0 ? std::sqrt(count / most) : 0.0;
      const auto& c = colours[static_cast<std::size_t>(std::lround(255.0 * share))];
      // Cells reach into the next one: no gaps where sides are no whole pixels.
      painter.fillRect(
          QRectF(all.left() + column * width, all.top() + row * height, width + 0.5, height + 0.5)
              .intersected(all),
          QColor(c[0], c[1], c[2]));
    }
  }
}

bool DirectionMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || directions_.counts.empty()) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF all = area();
  const double across = (help->pos().x() - all.left()) / all.width();
  const double down = (help->pos().y() - all.top()) / all.height();
  const int column =
      std::clamp(static_cast<int>(across * directions_.columns), 0, directions_.columns - 1);
  const int row = std::clamp(static_cast<int>(down * directions_.rows), 0, directions_.rows - 1);
  const double rot = (column + 0.5) * 360.0 / directions_.columns - 180.0;
  const double tilt =
      std::acos(1.0 - (2.0 * row + 1.0) / directions_.rows) * 180.0 / std::numbers::pi;
  const double count =
      directions_.counts[static_cast<std::size_t>(row * directions_.columns + column)];
  QToolTip::showText(help->globalPos(),
                     tr("rot %1°, tilt %2°: %L3 views")
                         .arg(std::lround(rot))
                         .arg(std::lround(tilt))
                         .arg(std::llround(count)),
                     this);
  return true;
}

}  // namespace aprscope::gui

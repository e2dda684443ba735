#include "app/gui/widgets/direction_map.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/image/colormap.hpp"
#include "core/projections/asymmetric_unit.hpp"

namespace aprscope::gui {
namespace {

constexpr int kHeight = 112;
constexpr int kMargin = 1;

// A grid to find the asymmetric unit: finer than the screen's pixels, for a smooth border.
constexpr int kUnitRows = 256;
constexpr int kUnitColumns = 720;

// Lines between cells inside and cells outside, in fractions of the map's size; lines in a row are
// joined. There are none at the border of the map.
std::vector<QLineF> border_of(const std::vector<bool>& inside) {
  std::vector<QLineF> lines;
  const auto differ = [&](int row, int column, int other_row, int other_column) {
    return inside[static_cast<std::size_t>(row * kUnitColumns + column)] !=
           inside[static_cast<std::size_t>(other_row * kUnitColumns + other_column)];
  };
  for (int row = 0; row + 1 < kUnitRows; ++row) {
    const double y = (row + 1.0) / kUnitRows;
    for (int column = 0; column < kUnitColumns; ++column) {
      const int first = column;
      while (column < kUnitColumns && differ(row, column, row + 1, column)) ++column;
      if (column == first) continue;
      lines.emplace_back(static_cast<double>(first) / kUnitColumns, y,
                         static_cast<double>(column) / kUnitColumns, y);
    }
  }
  for (int column = 0; column + 1 < kUnitColumns; ++column) {
    const double x = (column + 1.0) / kUnitColumns;
    for (int row = 0; row < kUnitRows; ++row) {
      const int first = row;
      while (row < kUnitRows && differ(row, column, row, column + 1)) ++row;
      if (row == first) continue;
      lines.emplace_back(x, static_cast<double>(first) / kUnitRows, x,
                         static_cast<double>(row) / kUnitRows);
    }
  }
  return lines;
}

}  // namespace

DirectionMap::DirectionMap(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("direction_map"));
  setAccessibleName(tr("Viewing directions"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFixedHeight(kHeight);
}

QSize DirectionMap::sizeHint() const { return {2 * kHeight, kHeight}; }

void DirectionMap::set_directions(DirectionHistogram directions, const SymmetryGroup& group) {
  directions_ = std::move(directions);
  const QString symmetry = QString::fromStdString(group.name);
  if (symmetry != symmetry_) {
    symmetry_ = symmetry;
    outline_ = group.rotations.size() > 1
                   ? border_of(asymmetric_unit(group, kUnitRows, kUnitColumns))
                   : std::vector<QLineF>();
  }
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
      // Cells overlap a little, as their sides may not be whole pixels and gaps would be visible.
      painter.fillRect(
          QRectF(all.left() + column * width, all.top() + row * height, width + 0.5, height + 0.5)
              .intersected(all),
          QColor(c[0], c[1], c[2]));
    }
  }
  draw_outline(painter);
}

// Draws the outline light on dark, so that it is visible on all colours of the table.
void DirectionMap::draw_outline(QPainter& painter) const {
  if (outline_.empty()) return;
  const QRectF all = area();
  const auto place = [&](const QPointF& share) {
    return QPointF(all.left() + share.x() * all.width(), all.top() + share.y() * all.height());
  };
  QPainterPath path;
  for (const QLineF& line : outline_) {
    path.moveTo(place(line.p1()));
    path.lineTo(place(line.p2()));
  }
  painter.save();
  painter.setClipRect(all);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.strokePath(path, QPen(QColor(0, 0, 0), 3.5, Qt::SolidLine, Qt::RoundCap));
  painter.strokePath(path, QPen(QColor(255, 255, 255), 1.5, Qt::SolidLine, Qt::RoundCap));
  painter.restore();
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
  QString text = tr("rot %1°, tilt %2°: %L3 views")
                     .arg(std::lround(rot))
                     .arg(std::lround(tilt))
                     .arg(std::llround(count));
  if (!outline_.empty()) {
    text += QStringLiteral("\n") + tr("Outlined: one asymmetric unit of %1").arg(symmetry_);
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace aprscope::gui

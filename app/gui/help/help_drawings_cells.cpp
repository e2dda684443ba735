// Pictures of one small image: its pixels, its particles, their levels.
#include <QLocale>
#include <QObject>
#include <array>
#include <cmath>

#include "app/gui/help/help_drawings.hpp"
#include "app/gui/help/help_sample.hpp"
#include "app/gui/widgets/level_legend.hpp"

namespace aprscope::gui {
namespace {

constexpr double kRange = 200.0;  // grey values, of the strongest colours of a difference
constexpr double kNoise = 40.0;

QString with_count(const QString& text, qulonglong count) {
  return text.arg(QLocale().toString(count));
}

// Writes a name and an explanation under a picture.
void caption(HelpCanvas& canvas, const QRectF& picture, const QString& name, const QString& text) {
  const QRectF first(picture.left() - 6, picture.bottom() + 5, picture.width() + 12, 17);
  canvas.label(first, name, canvas.text(), true);
  canvas.label(first.translated(0, 17), text, canvas.muted());
}

// The rectangle of square `index` of a row of equal squares over the width of the page.
QRectF column(int index, int count, double side) {
  const double gap = (kHelpWidth - 2 - count * side) / std::max(1, count - 1);
  return {1 + index * (side + gap), 4, side, side};
}

}  // namespace

void draw_particles_picture(HelpCanvas& canvas) {
  const HelpSample sample(0.0);
  if (!sample.made()) return;
  constexpr double kSide = 198;
  QPainter& painter = canvas.painter();
  const std::array<QRectF, 3> at{column(0, 3, kSide), column(1, 3, kSide), column(2, 3, kSide)};
  painter.drawImage(at[0], grey_image(sample.pixel_plane()));
  painter.drawImage(at[1], grey_image(sample.plane(ReconstructionMode::constant)));
  draw_cells(canvas, sample, at[1], mixed(canvas.accent(), canvas.base(), 0.2));
  draw_dots(canvas, sample, at[2]);
  for (const QRectF& place : at) canvas.frame(place);
  caption(canvas, at[0], QObject::tr("Pixels"),
          with_count(QObject::tr("%1, all of one size"), sample.pixels()));
  caption(canvas, at[1], QObject::tr("Cells"), QObject::tr("large where nothing happens"));
  caption(canvas, at[2], QObject::tr("Particles"),
          with_count(QObject::tr("%1: CR %2"), sample.particles())
              .arg(sample.access().computational_ratio(), 0, 'f', 1));
}

void draw_levels_picture(HelpCanvas& canvas) {
  const HelpSample sample(0.0);
  if (!sample.made()) return;
  QPainter& painter = canvas.painter();
  const QRectF map(1, 4, 226, 226);
  painter.drawImage(map, level_image(sample.plane(ReconstructionMode::level), sample.access()));
  draw_cells(canvas, sample, map, QColor(0, 0, 0, 90));
  canvas.frame(map);
  // A legend: for each level its colour, and a cell of it in true size.
  const std::vector<LegendEntry> legend = level_legend(sample.access(), {});
  const double unit = map.width() / 64.0;
  double top = 12;
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const auto side = std::ldexp(unit, static_cast<int>(i));
    const double height = std::max(side, 22.0) + 9;
    const QRectF cell(300 - side / 2, top + (height - side) / 2, side, side);
    painter.fillRect(cell, legend[i].color);
    canvas.frame(cell);
    const QString text =
        i == 0 ? QObject::tr("%1: the finest, a pixel").arg(legend[i].label) : legend[i].label;
    canvas.label({350, top, kHelpWidth - 350, height}, text, canvas.text(), i == 0,
                 Qt::AlignLeft | Qt::AlignVCenter);
    top += height;
  }
}

void draw_display_picture(HelpCanvas& canvas) {
  const HelpSample sample(0.0);
  if (!sample.made()) return;
  constexpr double kSide = 148;
  QPainter& painter = canvas.painter();
  const std::array<QRectF, 4> at{column(0, 4, kSide), column(1, 4, kSide), column(2, 4, kSide),
                                 column(3, 4, kSide)};
  painter.drawImage(at[0], grey_image(sample.plane(ReconstructionMode::constant)));
  painter.drawImage(at[1], grey_image(sample.plane(ReconstructionMode::smooth)));
  painter.drawImage(at[2], level_image(sample.plane(ReconstructionMode::level), sample.access()));
  draw_dots(canvas, sample, at[3]);
  const std::array names{QObject::tr("constant"), QObject::tr("smooth"), QObject::tr("levels"),
                         QObject::tr("dots")};
  for (std::size_t i = 0; i < at.size(); ++i) {
    canvas.frame(at[i]);
    canvas.label({at[i].left(), at[i].bottom() + 6, kSide, 18}, names[i], canvas.text(), true);
  }
}

void draw_compare_picture(HelpCanvas& canvas) {
  const HelpSample sample(kNoise);
  if (!sample.made()) return;
  constexpr double kSide = 198;
  QPainter& painter = canvas.painter();
  const std::array<QRectF, 3> at{column(0, 3, kSide), column(1, 3, kSide), column(2, 3, kSide)};
  const Plane pixels = sample.pixel_plane();
  const Plane particles = sample.plane(ReconstructionMode::constant);
  const QImage a = grey_image(pixels);
  const QImage b = grey_image(particles);
  painter.drawImage(at[0], a);
  painter.drawImage(at[1], b);
  const double half = kSide / 2;
  painter.drawImage(QRectF(at[1].left(), at[1].top(), half, kSide), a,
                    QRectF(0, 0, a.width() / 2.0, a.height()));
  painter.drawImage(at[2], difference_image(pixels, particles, kRange));
  for (const QRectF& place : at) canvas.frame(place);
  // The handle of reveal.
  const QPointF middle(at[1].center());
  painter.setPen(QPen(canvas.accent(), 2.0));
  painter.drawLine(QPointF(middle.x(), at[1].top()), QPointF(middle.x(), at[1].bottom()));
  painter.setBrush(canvas.accent());
  painter.drawEllipse(middle, 7, 7);
  painter.setBrush(Qt::NoBrush);
  caption(canvas, at[0], QObject::tr("A: pixels"), QObject::tr("the reference"));
  caption(canvas, at[1], QObject::tr("Reveal"), QObject::tr("A left, B right of the handle"));
  caption(canvas, at[2], QObject::tr("B − A"), QObject::tr("red: B is brighter"));
}

}  // namespace aprscope::gui

// A stencil on the finest level, and the stencil that the program makes of it for the next coarser
// level.
#include <QObject>

#include "app/gui/help/help_drawings.hpp"
#include "app/gui/widgets/stencil_tint.hpp"
#include "core/filter/stencil.hpp"
#include "core/operations/filter/level_stencils.hpp"

namespace aprscope::gui {
namespace {

constexpr double kPixel = 19.0;

QString number(double weight) {
  if (weight == 0.0) return QStringLiteral("0");
  const QString sign = weight < 0.0 ? QStringLiteral("−") : QString();
  const double size = weight < 0.0 ? -weight : weight;
  if (size == 0.5) return sign + QStringLiteral("½");
  if (size == 0.25) return sign + QStringLiteral("¼");
  return sign + QString::number(size, 'g', 2);
}

// A stencil whose cells are `pixels` pixels wide, around `centre`.
void draw_stencil(HelpCanvas& canvas, const Stencil& stencil, int pixels, const QPointF& centre,
                  bool numbers) {
  QPainter& painter = canvas.painter();
  const double side = pixels * kPixel;
  const double scale = 0.5;  // the same for all stencils, so that weights can be compared
  const QPointF corner(centre.x() - side * static_cast<double>(stencil.size.y) / 2.0,
                       centre.y() - side * static_cast<double>(stencil.size.x) / 2.0);
  for (std::int64_t x = 0; x < stencil.size.x; ++x) {
    for (std::int64_t y = 0; y < stencil.size.y; ++y) {
      const double w = stencil.weight(0, x, y);
      const QRectF cell(corner.x() + static_cast<double>(y) * side,
                        corner.y() + static_cast<double>(x) * side, side, side);
      painter.fillRect(cell, stencil_tint(w, scale, canvas.base()));
      // The pixels that a coarse cell stands for.
      painter.setPen(QPen(mixed(canvas.line(), canvas.base(), 0.6), 0.8));
      for (int i = 1; i < pixels; ++i) {
        painter.drawLine(QPointF(cell.left() + i * kPixel, cell.top()),
                         QPointF(cell.left() + i * kPixel, cell.bottom()));
        painter.drawLine(QPointF(cell.left(), cell.top() + i * kPixel),
                         QPointF(cell.right(), cell.top() + i * kPixel));
      }
      painter.setPen(QPen(canvas.muted(), 1.2));
      painter.drawRect(cell);
      if (!numbers) continue;
      canvas.label({cell.left() - 6, cell.bottom() + 2, side + 12, 18}, number(w), canvas.text());
    }
  }
}

// Outlines the extent of the finest level's stencil.
void draw_reach(HelpCanvas& canvas, const Stencil& stencil, const QPointF& centre) {
  const double height = kPixel * static_cast<double>(stencil.size.x);
  const double width = kPixel * static_cast<double>(stencil.size.y);
  canvas.painter().setPen(QPen(canvas.second(), 2.0, Qt::DashLine));
  canvas.painter().setBrush(Qt::NoBrush);
  canvas.painter().drawRect(QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height));
}

Stencil coarser(const Stencil& stencil, const char* mode) {
  const auto levels = level_stencils(stencil, mode, false, 1);
  return levels ? levels->front() : stencil;
}

}  // namespace

void draw_stencils_picture(HelpCanvas& canvas) {
  constexpr double kFine = 72;
  constexpr double kSame = 288;
  constexpr double kChanged = 528;
  constexpr double kGaussian = 144;
  constexpr double kGradient = 328;
  const auto head = [&](double centre, double top, const QString& title, const QString& text) {
    canvas.label({centre - 115, top, 230, 17}, title, canvas.text(), true);
    canvas.label({centre - 115, top + 17, 230, 17}, text, canvas.muted());
  };
  const Stencil gaussian = gaussian_stencil({0, 1, 1}, {1, 5, 5});
  head(kFine, 2, QObject::tr("Finest level"), QObject::tr("a Gaussian, 5 × 5"));
  head(kSame, 2, QObject::tr("One coarser: same"), QObject::tr("reaches twice as far"));
  head(kChanged, 2, QObject::tr("One coarser: restricted"), QObject::tr("averaged over each cell"));
  draw_stencil(canvas, gaussian, 1, {kFine, kGaussian}, false);
  draw_stencil(canvas, coarser(gaussian, "same"), 2, {kSame, kGaussian}, false);
  draw_stencil(canvas, coarser(gaussian, "restricted"), 2, {kChanged, kGaussian}, false);
  for (const double at : {kSame, kChanged}) draw_reach(canvas, gaussian, {at, kGaussian});

  const Stencil gradient = central_difference_stencil(Axis::y);
  head(kFine, 262, QObject::tr("Finest level"), QObject::tr("a derivative"));
  head(kSame, 262, QObject::tr("One coarser: same"), QObject::tr("twice too large"));
  head(kChanged, 262, QObject::tr("One coarser: rescaled"), QObject::tr("÷ 2, as cells are 2 px"));
  draw_stencil(canvas, gradient, 1, {kFine, kGradient}, true);
  draw_stencil(canvas, coarser(gradient, "same"), 2, {kSame, kGradient}, true);
  draw_stencil(canvas, coarser(gradient, "rescaled"), 2, {kChanged, kGradient}, true);
}

}  // namespace aprscope::gui

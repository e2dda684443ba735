// A picture of where data is: in the window only, or in files that keep it.
#include <QObject>

#include "app/gui/help/help_drawings.hpp"

namespace aprscope::gui {
namespace {

void box(HelpCanvas& canvas, const QRectF& place, const QString& name, const QString& text,
         const QColor& color) {
  QPainter& painter = canvas.painter();
  painter.setPen(QPen(color, 1.5));
  painter.setBrush(mixed(canvas.base(), color, 0.14));
  painter.drawRoundedRect(place, 7, 7);
  painter.setBrush(Qt::NoBrush);
  canvas.label(place.adjusted(6, 7, -6, 0), name, canvas.text(), true);
  canvas.label(place.adjusted(6, 25, -6, 0), text, canvas.muted());
}

}  // namespace

void draw_keeping_picture(HelpCanvas& canvas) {
  QPainter& painter = canvas.painter();
  // In the window.
  const QRectF window(1, 24, kHelpWidth - 2, 76);
  painter.setPen(QPen(canvas.line(), 1.2, Qt::DashLine));
  painter.drawRoundedRect(window, 9, 9);
  canvas.label({2, 3, 400, 18}, QObject::tr("In the window: the data list"), canvas.muted(), false,
               Qt::AlignLeft | Qt::AlignVCenter);
  const QRectF image(16, 36, 130, 52);
  const QRectF particles(244, 36, 150, 52);
  const QRectF result(492, 36, 134, 52);
  box(canvas, image, QObject::tr("image"), QObject::tr("pixels"), canvas.accent());
  box(canvas, particles, QObject::tr("particles"), QObject::tr("an APR"), canvas.accent());
  box(canvas, result, QObject::tr("result"), QObject::tr("particles"), canvas.accent());
  canvas.arrow({image.right() + 5, 62}, {particles.left() - 5, 62}, canvas.muted());
  canvas.arrow({particles.right() + 5, 62}, {result.left() - 5, 62}, canvas.muted());
  canvas.label({image.right(), 42, particles.left() - image.right(), 18}, QObject::tr("convert"),
               canvas.muted());
  canvas.label({particles.right(), 42, result.left() - particles.right(), 18},
               QObject::tr("filter …"), canvas.muted());
  // In files.
  canvas.label({124, 112, 180, 18}, QObject::tr("In files: what you save"), canvas.muted(), false,
               Qt::AlignLeft | Qt::AlignVCenter);
  const QRectF workspace(16, 140, 190, 56);
  const QRectF recipe(225, 140, 190, 56);
  const QRectF data(434, 140, 192, 56);
  box(canvas, workspace, QObject::tr("workspace"), QObject::tr("paths, steps and views"),
      canvas.second());
  box(canvas, recipe, QObject::tr("recipe (.json)"), QObject::tr("the steps of one result"),
      canvas.second());
  box(canvas, data, QObject::tr(".apr, .tif"), QObject::tr("the data itself"), canvas.second());
  for (const QRectF& file : {workspace, recipe, data}) {
    canvas.arrow({file.center().x(), window.bottom() + 3}, {file.center().x(), file.top() - 4},
                 canvas.muted());
  }
}

}  // namespace aprscope::gui

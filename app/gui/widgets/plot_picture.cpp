#include "app/gui/widgets/plot_picture.hpp"

#include <QBuffer>
#include <QByteArray>
#include <QFileInfo>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <string>
#include <string_view>

#include <qcustomplot.h>

#include "core/base/atomic_file.hpp"

namespace aprscope::gui {
namespace {

// As it is on the screen, in the bytes of a file.
QByteArray picture(QCustomPlot& plot, const QString& ending) {
  const QSize size = plot.size();
  QBuffer bytes;
  if (!bytes.open(QIODevice::WriteOnly)) return {};
  const auto paint = [&](QPaintDevice& on) {
    QCPPainter painter(&on);
    if (!painter.isActive()) return false;
    painter.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&painter, size.width(), size.height());
    return painter.end();
  };
  bool done = false;
  if (ending == QStringLiteral("png")) {
    constexpr double kSharper = 2.0;
    done = plot.toPixmap(size.width(), size.height(), kSharper).save(&bytes, "PNG");
  } else if (ending == QStringLiteral("svg")) {
    QSvgGenerator drawing;
    drawing.setOutputDevice(&bytes);
    drawing.setSize(size);
    drawing.setViewBox(QRect(QPoint(), size));
    done = paint(drawing);
  } else if (ending == QStringLiteral("pdf")) {
    constexpr int kPointsAnInch = 72;
    QPdfWriter page(&bytes);
    page.setResolution(kPointsAnInch);
    page.setPageSize(QPageSize(QSizeF(size), QPageSize::Point));
    page.setPageMargins(QMarginsF());
    done = paint(page);
  }
  return done ? bytes.data() : QByteArray();
}

}  // namespace

Status write_plot_picture(QCustomPlot& plot, bool legend, const QString& path) {
  const QString ending = QFileInfo(path).suffix().toLower();
  const std::string file = path.toStdString();
  if (ending != QStringLiteral("png") && ending != QStringLiteral("svg") &&
      ending != QStringLiteral("pdf")) {
    return Error{"is no kind of picture that a plot is written as", file,
                 "end the name in .png, .svg or .pdf"};
  }
  plot.legend->setVisible(legend);
  const QByteArray bytes = picture(plot, ending);
  plot.legend->setVisible(false);
  plot.replot(QCustomPlot::rpQueuedReplot);
  if (bytes.isEmpty()) {
    return Error{"the plot cannot be drawn", file, "make the window larger"};
  }
  return write_text_atomically(
      file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace aprscope::gui

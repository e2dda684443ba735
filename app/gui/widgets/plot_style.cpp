#include "app/gui/widgets/plot_style.hpp"

#include <QLabel>
#include <QPixmap>
#include <algorithm>
#include <array>

#include <qcustomplot.h>

namespace aprscope::gui {

QColor line_color(std::size_t line) {
  static const std::array colors{QColor(0x56, 0xb4, 0xe9), QColor(0xe6, 0x9f, 0x00),
                                 QColor(0x00, 0x9e, 0x73), QColor(0xcc, 0x79, 0xa7),
                                 QColor(0xd5, 0x5e, 0x00), QColor(0x00, 0x72, 0xb2)};
  return colors[line % colors.size()];
}

QLabel* make_swatch(const QColor& color, QWidget* parent) {
  constexpr int kLength = 16;
  constexpr int kThickness = 3;
  auto* swatch = new QLabel(parent);
  QPixmap line(kLength, kThickness);
  line.fill(color);
  swatch->setPixmap(line);
  return swatch;
}

void style_plot(QCustomPlot& plot, const QWidget& like) {
  const QColor text = like.palette().color(QPalette::Text);
  QColor line = text;
  line.setAlpha(110);
  QColor faint = text;
  faint.setAlpha(35);
  QFont small = like.font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.0));
  plot.setBackground(like.palette().color(QPalette::Base));
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.yAxis2}) {
    axis->setBasePen(QPen(line));
    axis->setTickPen(QPen(line));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setTickLabelFont(small);
    axis->setLabelFont(small);
    axis->grid()->setPen(QPen(faint));
    axis->grid()->setZeroLinePen(QPen(faint));
  }
  plot.legend->setBrush(like.palette().color(QPalette::Base));
  plot.legend->setBorderPen(QPen(faint));
  plot.legend->setTextColor(text);
  plot.legend->setFont(small);
}

}  // namespace aprscope::gui

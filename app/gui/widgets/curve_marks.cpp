#include "app/gui/widgets/curve_marks.hpp"

#include <QFontMetrics>
#include <algorithm>
#include <limits>

#include <qcustomplot.h>

namespace aprscope::gui {

void draw_level(QCustomPlot& plot, const CurveLevel& level, double y, const QColor& color) {
  auto* line = new QCPItemStraightLine(&plot);
  line->setPen(QPen(color, 1.0, Qt::DotLine));
  line->point1->setCoords(0.0, y);
  line->point2->setCoords(1.0, y);
  auto* words = new QCPItemText(&plot);
  words->setText(QString::fromStdString(level.words));
  words->setColor(color);
  words->setFont(plot.xAxis->tickLabelFont());
  words->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  words->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  words->position->setTypeY(QCPItemPosition::ptPlotCoords);
  words->position->setCoords(0.0, y);
  words->setPadding(QMargins(4, 0, 0, 0));
}

void draw_curve_marks(QCustomPlot& plot, std::vector<CurveMark> marks, const QColor& color) {
  double height = 0.03;
  double last = -std::numeric_limits<double>::infinity();
  const QFontMetrics metrics(plot.xAxis->tickLabelFont());
  std::sort(marks.begin(), marks.end(),
            [](const CurveMark& a, const CurveMark& b) { return a.x < b.x; });
  for (const CurveMark& mark : marks) {
    auto* line = new QCPItemStraightLine(&plot);
    line->setPen(QPen(color, 1.0, Qt::DashLine));
    line->point1->setCoords(mark.x, 1.0);
    line->point2->setCoords(mark.x, 2.0);
    // Where marks stand close their words take turns in height.
    const double pixel = plot.xAxis->coordToPixel(mark.x);
    height = pixel < last ? height + 0.12 : 0.03;
    const double width = metrics.horizontalAdvance(QString::fromStdString(mark.words)) + 8;
    // Those at the right border stand on the other side of their line.
    const bool turned = pixel + width > plot.axisRect()->right() && pixel > width;
    last = pixel + (turned ? 0.0 : width);
    auto* words = new QCPItemText(&plot);
    words->setText(QString::fromStdString(mark.words));
    words->setColor(color);
    words->setFont(plot.xAxis->tickLabelFont());
    words->setPositionAlignment((turned ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    words->position->setTypeX(QCPItemPosition::ptPlotCoords);
    words->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    words->position->setCoords(mark.x, height);
    words->setPadding(QMargins(4, 0, 4, 0));
  }
}

}  // namespace aprscope::gui

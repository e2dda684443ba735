#include "app/gui/widgets/histogram_widget.hpp"

#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

namespace aprscope::gui {
namespace {

constexpr double kGripPixels = 6.0;
const QColor kLowColor(0x4f, 0x9d, 0xff);
const QColor kHighColor(0xff, 0xb3, 0x4f);

QCPItemStraightLine* make_line(QCustomPlot* plot, const QColor& color) {
  auto* line = new QCPItemStraightLine(plot);
  line->setPen(QPen(color, 2));
  line->setSelectable(false);
  line->point1->setTypeX(QCPItemPosition::ptPlotCoords);
  line->point1->setTypeY(QCPItemPosition::ptAxisRectRatio);
  line->point2->setTypeX(QCPItemPosition::ptPlotCoords);
  line->point2->setTypeY(QCPItemPosition::ptAxisRectRatio);
  return line;
}

}  // namespace

HistogramWidget::HistogramWidget(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);

  graph_ = plot_->addGraph();
  graph_->setLineStyle(QCPGraph::lsStepCenter);
  plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot_->yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
  plot_->yAxis->setVisible(false);
  plot_->xAxis->grid()->setVisible(false);
  plot_->yAxis->grid()->setVisible(false);
  plot_->xAxis->ticker()->setTickCount(4);
  plot_->xAxis->setNumberFormat("g");
  plot_->axisRect()->setAutoMargins(QCP::msBottom);
  plot_->axisRect()->setMargins(QMargins(6, 6, 10, 0));

  low_ = make_line(plot_, kLowColor);
  high_ = make_line(plot_, kHighColor);
  plot_->installEventFilter(this);
  plot_->setMouseTracking(true);
  setToolTip(
      tr("Drag the lines to set the darkest and brightest grey value; double click for "
         "automatic contrast"));
  setAccessibleName(tr("Histogram"));
  apply_palette();
  place_lines();
}

void HistogramWidget::set_histogram(const Histogram& histogram) {
  QVector<double> keys;
  QVector<double> counts;
  const auto n = static_cast<double>(histogram.bins.size());
  const double width = (histogram.maximum - histogram.minimum) / std::max(1.0, n);
  for (std::size_t b = 0; b < histogram.bins.size(); ++b) {
    keys.push_back(histogram.minimum + (static_cast<double>(b) + 0.5) * width);
    // Empty bins count as one half, as 0 has no logarithm.
    counts.push_back(std::max(0.5, static_cast<double>(histogram.bins[b])));
  }
  graph_->setData(keys, counts, true);
  const double most = counts.isEmpty() ? 1.0 : *std::max_element(counts.begin(), counts.end());
  const double margin = std::max(0.02 * (histogram.maximum - histogram.minimum), 1e-9);
  plot_->xAxis->setRange(histogram.minimum - margin, histogram.maximum + margin);
  plot_->yAxis->setRange(0.5, most * 1.5);
  place_lines();
}

void HistogramWidget::set_contrast(const Contrast& contrast) {
  contrast_ = contrast;
  place_lines();
}

double HistogramWidget::position_of(double value) const {
  return plot_->x() + plot_->xAxis->coordToPixel(value);
}

void HistogramWidget::place_lines() {
  for (auto [line, value] : {std::pair(low_, contrast_.low), std::pair(high_, contrast_.high)}) {
    line->point1->setCoords(value, 0.0);
    line->point2->setCoords(value, 1.0);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

HistogramWidget::Grip HistogramWidget::grip_at(double x) const {
  const double to_low = std::abs(x - plot_->xAxis->coordToPixel(contrast_.low));
  const double to_high = std::abs(x - plot_->xAxis->coordToPixel(contrast_.high));
  if (std::min(to_low, to_high) > kGripPixels) return Grip::none;
  return to_low < to_high ? Grip::low : Grip::high;
}

bool HistogramWidget::eventFilter(QObject* watched, QEvent* event) {
  if (watched != plot_) return QWidget::eventFilter(watched, event);
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      const double x = mouse->position().x();
      dragged_ = grip_at(x);
      if (dragged_ == Grip::none) {  // anywhere else: the nearer limit comes to the mouse
        const double middle = plot_->xAxis->coordToPixel((contrast_.low + contrast_.high) / 2.0);
        dragged_ = x < middle ? Grip::low : Grip::high;
      }
      break;
    }
    case QEvent::MouseMove: {
      const double x = static_cast<QMouseEvent*>(event)->position().x();
      if (dragged_ == Grip::none) {
        plot_->setCursor(grip_at(x) == Grip::none ? Qt::ArrowCursor : Qt::SizeHorCursor);
        break;
      }
      const double value = plot_->xAxis->pixelToCoord(x);
      if (dragged_ == Grip::low) contrast_.low = std::min(value, contrast_.high);
      if (dragged_ == Grip::high) contrast_.high = std::max(value, contrast_.low);
      place_lines();
      emit contrast_edited(contrast_);
      break;
    }
    case QEvent::MouseButtonRelease:
      dragged_ = Grip::none;
      break;
    case QEvent::MouseButtonDblClick:
      dragged_ = Grip::none;
      emit automatic_requested();
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void HistogramWidget::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    apply_palette();
  }
  QWidget::changeEvent(event);
}

void HistogramWidget::apply_palette() {
  const QColor text = palette().color(QPalette::Text);
  QColor fill = palette().color(QPalette::Highlight);
  plot_->setBackground(palette().color(QPalette::Base));
  graph_->setPen(QPen(fill, 1));
  fill.setAlpha(90);
  graph_->setBrush(fill);
  QColor line = text;
  line.setAlpha(110);
  plot_->xAxis->setBasePen(QPen(line));
  plot_->xAxis->setTickPen(QPen(line));
  plot_->xAxis->setSubTickPen(Qt::NoPen);
  plot_->xAxis->setTickLabelColor(text);
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.5));
  plot_->xAxis->setTickLabelFont(small);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace aprscope::gui

#include "app/gui/profile_plot.hpp"

#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

namespace aprscope::gui {
namespace {

// Told apart by those who see colours differently, too (Okabe and Ito), on dark and on light.
const QColor kA(0x56, 0xb4, 0xe9);
const QColor kB(0xe6, 0x9f, 0x00);

QVector<double> as_vector(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

QString number(double value) { return QString::number(value, 'g', 5); }

}  // namespace

ProfilePlot::ProfilePlot(QWidget* parent)
    : QWidget(parent), plot_(new QCustomPlot(this)), reading_(new QLabel(this)) {
  setObjectName(QStringLiteral("profile_plot"));
  setMinimumHeight(150);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(plot_, 1);
  graph_a_ = plot_->addGraph();
  graph_b_ = plot_->addGraph();
  graph_a_->setPen(QPen(kA, 2));
  graph_b_->setPen(QPen(kB, 2));
  plot_->legend->setVisible(true);
  plot_->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignRight | Qt::AlignTop);
  plot_->yAxis->setLabel(tr("grey value"));
  plot_->yAxis->ticker()->setTickCount(4);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->setAccessibleName(tr("Values of both sides along the line"));
  // Above the plot, where the axes leave room.
  reading_->setParent(plot_);
  reading_->move(70, 2);
  reading_->setAttribute(Qt::WA_TransparentForMouseEvents);
  apply_palette();
}

void ProfilePlot::set_names(const QString& a, const QString& b) {
  graph_a_->setName(QStringLiteral("A  ") + a);
  graph_b_->setName(QStringLiteral("B  ") + b);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ProfilePlot::set_profiles(const LineProfile& a, const LineProfile& b, const QString& unit) {
  a_ = a;
  b_ = b;
  unit_ = unit;
  graph_a_->setData(as_vector(a.distance), as_vector(a.values), true);
  graph_b_->setData(as_vector(b.distance), as_vector(b.values), true);
  plot_->xAxis->setLabel(tr("distance / %1").arg(unit));
  plot_->rescaleAxes();
  const QCPRange range = plot_->yAxis->range();
  const double margin = std::max(0.06 * range.size(), 1e-9);
  plot_->yAxis->setRange(range.lower - margin, range.upper + margin);
  reading_->hide();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ProfilePlot::clear() { set_profiles({}, {}, unit_); }

void ProfilePlot::read_at(double x) {
  if (a_.distance.empty()) return;
  const double at = plot_->xAxis->pixelToCoord(x);
  const auto nearest = [at](const LineProfile& profile) -> std::optional<std::size_t> {
    if (profile.distance.empty()) return std::nullopt;
    const auto found =
        std::min_element(profile.distance.begin(), profile.distance.end(),
                         [at](double p, double q) { return std::abs(p - at) < std::abs(q - at); });
    return static_cast<std::size_t>(found - profile.distance.begin());
  };
  const auto i = nearest(a_);
  const auto k = nearest(b_);
  QString text = QStringLiteral("%1 %2").arg(number(a_.distance[*i]), unit_);
  text += QStringLiteral("   A %1").arg(number(a_.values[*i]));
  if (k) {
    text += QStringLiteral("   B %1   B − A %2")
                .arg(number(b_.values[*k]), number(b_.values[*k] - a_.values[*i]));
  }
  reading_->setText(text);
  reading_->adjustSize();
  reading_->show();
}

bool ProfilePlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_ && event->type() == QEvent::MouseMove) {
    read_at(static_cast<QMouseEvent*>(event)->position().x());
  }
  if (watched == plot_ && event->type() == QEvent::Leave) reading_->hide();
  return QWidget::eventFilter(watched, event);
}

void ProfilePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) apply_palette();
  QWidget::changeEvent(event);
}

void ProfilePlot::apply_palette() {
  const QColor text = palette().color(QPalette::Text);
  QColor line = text;
  line.setAlpha(110);
  QColor faint = text;
  faint.setAlpha(35);
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 1.0));
  plot_->setBackground(palette().color(QPalette::Base));
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
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
  QColor behind = palette().color(QPalette::Base);
  behind.setAlpha(200);
  plot_->legend->setBrush(behind);
  plot_->legend->setBorderPen(Qt::NoPen);
  plot_->legend->setTextColor(text);
  plot_->legend->setFont(small);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace aprscope::gui

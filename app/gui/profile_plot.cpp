#include "app/gui/profile_plot.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include <qcustomplot.h>

#include "app/gui/elided_label.hpp"
#include "app/gui/plot_style.hpp"

namespace aprscope::gui {
namespace {

QVector<double> as_vector(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

QString number(double value) { return QString::number(value, 'g', 5); }

}  // namespace

ProfilePlot::ProfilePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  setObjectName(QStringLiteral("profile_plot"));
  setMinimumHeight(150);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(build_legend());
  layout->addWidget(plot_, 1);
  graph_a_ = plot_->addGraph();
  graph_b_ = plot_->addGraph();
  graph_a_->setPen(QPen(line_color(0), 2));
  graph_b_->setPen(QPen(line_color(1), 2));
  plot_->yAxis->setLabel(tr("grey value"));
  plot_->yAxis->ticker()->setTickCount(4);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  plot_->setAccessibleName(tr("Values of both sides along the line"));
  apply_palette();
}

QWidget* ProfilePlot::build_legend() {
  auto* row = new QWidget(this);
  row->setObjectName(QStringLiteral("profile_legend"));
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(10, 3, 10, 1);
  const auto add = [&](const QColor& color, const char* name) {
    auto* label = new ElidedLabel(row);
    label->setObjectName(QLatin1String(name));
    layout->addWidget(make_swatch(color, row));
    layout->addWidget(label);
    layout->addSpacing(10);
    return label;
  };
  name_a_ = add(line_color(0), "profile_name_a");
  name_b_ = add(line_color(1), "profile_name_b");
  reading_ = new ElidedLabel(row);
  reading_->setObjectName(QStringLiteral("profile_reading"));
  reading_->setProperty("muted", true);
  reading_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  layout->addWidget(reading_, 1);
  return row;
}

void ProfilePlot::set_names(const QString& a, const QString& b) {
  name_a_->setText(QStringLiteral("A  ") + a);
  name_b_->setText(QStringLiteral("B  ") + b);
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
  reading_->clear();
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
}

bool ProfilePlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_ && event->type() == QEvent::MouseMove) {
    read_at(static_cast<QMouseEvent*>(event)->position().x());
  }
  if (watched == plot_ && event->type() == QEvent::Leave) reading_->clear();
  return QWidget::eventFilter(watched, event);
}

void ProfilePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    apply_palette();
  }
  QWidget::changeEvent(event);
}

void ProfilePlot::apply_palette() {
  style_plot(*plot_, *this);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace aprscope::gui

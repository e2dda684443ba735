#include "app/gui/widgets/convergence_plot.hpp"

#include <QVBoxLayout>
#include <algorithm>
#include <string>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_view.hpp"

namespace aprscope::gui {
namespace {

// Width of the axis numbers, equal in all plots, so that iterations are aligned among plots.
constexpr int kNumbers = 66;
constexpr int kNoNumbers = 10;

void add_line(Curve& curve, const NamedFigure& figure,
              const std::vector<IterationReport>& reports) {
  CurveLine line{figure.id, figure.label, figure.unit, {}};
  line.values.reserve(reports.size());
  for (const IterationReport& report : reports) {
    // NaN makes a gap if this report does not have the figure.
    line.values.push_back(report.figure(figure.id).value_or(NamedFigure().value));
  }
  curve.ys.push_back(std::move(line));
}

// The curve of figure `place` over all reports, and the figures to show on its right.
Curve course(const std::vector<IterationReport>& reports, std::size_t place,
             std::vector<std::string>& right) {
  const IterationReport& first = reports.front();
  Curve curve;
  curve.id = first.figures[place].id;
  curve.label = first.figures[place].label;
  curve.scale = first.figures[place].scale;
  curve.x = {"iteration", "Iteration", "", {}};
  for (const IterationReport& report : reports) curve.x.values.push_back(report.iteration);
  add_line(curve, first.figures[place], reports);
  const bool last = place + 1 == first.figures.size();
  for (std::size_t i = place; i < first.against_truth.size() && (i == place || last); ++i) {
    add_line(curve, first.against_truth[i], reports);
    right.push_back(first.against_truth[i].id);
  }
  return curve;
}

}  // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("convergence_plot"));
  setAccessibleName(tr("Convergence"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
}

void ConvergencePlot::need_views(std::size_t count) {
  while (views_.size() < count) {
    auto* view = new CurveView(this, QStringLiteral("convergence_%1").arg(views_.size()));
    view->set_bare();
    view->plot().axisRect()->setAutoMargins(QCP::msTop | QCP::msBottom);
    layout()->addWidget(view);
    views_.push_back(view);
  }
  for (std::size_t i = 0; i < views_.size(); ++i) views_[i]->setVisible(i < count);
}

void ConvergencePlot::set_reports(const std::vector<IterationReport>& reports, int iterations) {
  if (reports.empty()) {
    need_views(0);
    return;
  }
  const std::size_t count = reports.front().figures.size();
  need_views(count);
  // Leaves room for iterations to come, also at the beginning of a long run.
  const auto done = static_cast<int>(reports.size());
  const int end = std::max(2, std::min(iterations, std::max(10, done + done / 3)));
  const bool judged = !reports.front().against_truth.empty();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> right;
    const Curve curve = course(reports, i, right);
    CurveView& view = *views_[i];
    view.set_right(std::move(right));
    view.set_curve(curve);
    QCustomPlot& plot = view.plot();
    plot.axisRect()->setMargins(QMargins(kNumbers, 0, judged ? kNumbers : kNoNumbers, 0));
    plot.xAxis->setLabel(QString());
    plot.xAxis->setTickLabels(i + 1 == count);
    const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setTickStep(1.0);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot.xAxis->setTicker(whole);
    plot.xAxis->setRange(0.5, end + 0.5);
  }
}

int ConvergencePlot::shown() const {
  if (views_.empty() || views_.front()->isHidden()) return 0;
  return views_.front()->plot().graph(0)->dataCount();
}

}  // namespace aprscope::gui

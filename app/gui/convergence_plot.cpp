#include "app/gui/convergence_plot.hpp"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include <qcustomplot.h>

namespace aprscope::gui {
namespace {

const QColor kTruthColor(0xf0, 0xa0, 0x30);

// The range of a graph's values with some air.
void fit(QCPAxis* axis, const QVector<double>& values) {
  if (values.isEmpty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double air = std::max(0.08 * (*most - *least), 1e-6 * std::abs(*most) + 1e-12);
  axis->setRange(*least - air, *most + air);
}

// Marks of a short logarithmic axis: few enough for their numbers to have room.
class FewDecades : public QCPAxisTicker {
 protected:
  QVector<double> createTickVector(double /*step*/, const QCPRange& range) override {
    constexpr qsizetype kMost = 3;
    QVector<double> marks;
    for (const std::initializer_list<double> factors :
         {std::initializer_list<double>{1, 2, 5}, std::initializer_list<double>{1, 3},
          std::initializer_list<double>{1}}) {
      marks.clear();
      for (int k = lowest(range); std::pow(10.0, k) <= range.upper; ++k) {
        for (const double f : factors) {
          const double mark = f * std::pow(10.0, k);
          if (mark >= range.lower && mark <= range.upper) marks.push_back(mark);
        }
      }
      if (marks.size() <= kMost) return marks;
    }
    QVector<double> some;
    const qsizetype step = (marks.size() + kMost - 1) / kMost;
    for (qsizetype i = 0; i < marks.size(); i += step) some.push_back(marks[i]);
    return some;
  }

 private:
  static int lowest(const QCPRange& range) {
    return static_cast<int>(std::floor(std::log10(std::max(range.lower, 1e-12))));
  }
};

}  // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  setObjectName(QStringLiteral("convergence_plot"));
  setAccessibleName(tr("Convergence"));
  setToolTip(
      tr("Above: log-likelihood of the image under the estimate; it rises. Below: how much each "
         "iteration changes the estimate. With a ground truth: PSNR and SSIM against it, right."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  plot_->plotLayout()->clear();
  plot_->plotLayout()->setRowSpacing(0);
  upper_ = new QCPAxisRect(plot_);
  lower_ = new QCPAxisRect(plot_);
  plot_->plotLayout()->addElement(0, 0, upper_);
  plot_->plotLayout()->addElement(1, 0, lower_);
  auto* margins = new QCPMarginGroup(plot_);
  for (QCPAxisRect* rect : {upper_, lower_}) {
    rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    rect->setMinimumMargins(QMargins(4, 4, 8, 2));
    rect->axis(QCPAxis::atRight)->setVisible(true);
    rect->axis(QCPAxis::atRight)->setTickLabels(false);
    rect->axis(QCPAxis::atRight)->setTicks(false);
    for (QCPAxis* axis : rect->axes()) axis->setLayer(QStringLiteral("axes"));
  }
  upper_->axis(QCPAxis::atBottom)->setTickLabels(false);
  upper_->axis(QCPAxis::atLeft)->setLabel(tr("likelihood"));
  lower_->axis(QCPAxis::atLeft)->setLabel(tr("change"));
  lower_->axis(QCPAxis::atLeft)->setScaleType(QCPAxis::stLogarithmic);
  lower_->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<FewDecades>::create());
  lower_->axis(QCPAxis::atLeft)->setNumberFormat("gb");
  lower_->axis(QCPAxis::atLeft)->setNumberPrecision(2);
  for (QCPAxisRect* rect : {upper_, lower_}) {
    rect->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
    rect->axis(QCPAxis::atRight)->ticker()->setTickCount(3);
  }
  const auto graph = [this](QCPAxisRect* rect, QCPAxis::AxisType side) {
    return plot_->addGraph(rect->axis(QCPAxis::atBottom), rect->axis(side));
  };
  likelihood_ = graph(upper_, QCPAxis::atLeft);
  psnr_ = graph(upper_, QCPAxis::atRight);
  change_ = graph(lower_, QCPAxis::atLeft);
  ssim_ = graph(lower_, QCPAxis::atRight);
  apply_palette();
}

void ConvergencePlot::set_reports(const std::vector<IterationReport>& reports, int iterations) {
  QVector<double> at;
  QVector<double> likelihood;
  QVector<double> change;
  QVector<double> truth_at;
  QVector<double> psnr;
  QVector<double> ssim;
  for (const IterationReport& r : reports) {
    at.push_back(r.iteration);
    likelihood.push_back(r.likelihood);
    change.push_back(std::max(r.change, 1e-9));
    if (!r.psnr || !r.ssim || !std::isfinite(*r.psnr)) continue;
    truth_at.push_back(r.iteration);
    psnr.push_back(*r.psnr);
    ssim.push_back(*r.ssim);
  }
  likelihood_->setData(at, likelihood, true);
  change_->setData(at, change, true);
  psnr_->setData(truth_at, psnr, true);
  ssim_->setData(truth_at, ssim, true);
  fit(upper_->axis(QCPAxis::atLeft), likelihood);
  fit(upper_->axis(QCPAxis::atRight), psnr);
  fit(lower_->axis(QCPAxis::atRight), ssim);
  if (!change.isEmpty()) {
    const auto [least, most] = std::minmax_element(change.begin(), change.end());
    lower_->axis(QCPAxis::atLeft)->setRange(*least / 1.6, *most * 1.6);
  }
  // Without a curve there is nothing to read.
  for (const auto& [rect, side] : {std::pair{upper_, QCPAxis::atLeft},
                                   {lower_, QCPAxis::atLeft},
                                   {lower_, QCPAxis::atBottom}}) {
    rect->axis(side)->setTickLabels(!reports.empty());
  }
  const bool judged = !truth_at.isEmpty();
  for (QCPAxisRect* rect : {upper_, lower_}) {
    // Room for what comes next, so that the beginning of a long run is seen too.
    const auto done = static_cast<int>(reports.size());
    const int last = std::min(iterations, std::max(10, done + done / 3));
    rect->axis(QCPAxis::atBottom)->setRange(0.5, std::max(last, 2) + 0.5);
    rect->axis(QCPAxis::atRight)->setTickLabels(judged);
    rect->axis(QCPAxis::atRight)->setTicks(judged);
  }
  upper_->axis(QCPAxis::atRight)->setLabel(judged ? tr("PSNR (dB)") : QString());
  lower_->axis(QCPAxis::atRight)->setLabel(judged ? tr("SSIM") : QString());
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

int ConvergencePlot::shown() const { return change_->dataCount(); }

void ConvergencePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    apply_palette();
  }
  QWidget::changeEvent(event);
}

void ConvergencePlot::apply_palette() {
  if (ssim_ == nullptr) return;
  const QColor text = palette().color(QPalette::Text);
  const QColor accent = palette().color(QPalette::Highlight);
  QColor line = text;
  line.setAlpha(90);
  QColor faint = text;
  faint.setAlpha(28);
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 2.0));
  plot_->setBackground(palette().color(QPalette::Base));
  for (QCPAxisRect* rect : {upper_, lower_}) {
    for (QCPAxis* axis : rect->axes()) {
      axis->setBasePen(QPen(line));
      axis->setTickPen(QPen(line));
      axis->setSubTickPen(Qt::NoPen);
      axis->setTickLabelFont(small);
      axis->setLabelFont(small);
      const bool truth = axis->axisType() == QCPAxis::atRight;
      const bool own = axis->axisType() == QCPAxis::atLeft;
      axis->setTickLabelColor(truth ? kTruthColor : text);
      axis->setLabelColor(truth ? kTruthColor : own ? accent : text);
      axis->setTickLabelPadding(3);
      axis->setLabelPadding(2);
      axis->grid()->setPen(QPen(faint));
      axis->grid()->setZeroLinePen(Qt::NoPen);
    }
  }
  for (QCPGraph* graph : {likelihood_, change_}) graph->setPen(QPen(accent, 1.6));
  for (QCPGraph* graph : {psnr_, ssim_}) graph->setPen(QPen(kTruthColor, 1.6));
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace aprscope::gui

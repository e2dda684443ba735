#include "app/gui/widgets/curve_view.hpp"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <qcustomplot.h>

#include "app/gui/widgets/curve_head.hpp"
#include "app/gui/widgets/curve_marks.hpp"
#include "app/gui/widgets/curve_reading.hpp"
#include "app/gui/widgets/plot_picture.hpp"
#include "app/gui/widgets/plot_style.hpp"
#include "app/gui/widgets/plot_tickers.hpp"
#include "app/gui/widgets/threshold_line.hpp"
#include "render/view_theme.hpp"

namespace aprscope::gui {

CurveView::CurveView(QWidget* parent, const QString& name)
    : QWidget(parent), plot_(new QCustomPlot(this)) {
  setObjectName(name + QStringLiteral("_view"));
  setMinimumHeight(120);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  head_ = new CurveHead(name, this);
  connect(head_, &CurveHead::scale_chosen, this, &CurveView::set_scale);
  column->addWidget(head_);
  column->addWidget(plot_, 1);
  auto* save = new QAction(tr("Save picture …"), this);
  save->setObjectName(name + QStringLiteral("_save"));
  connect(save, &QAction::triggered, this, &CurveView::save_picture);
  // The plot lets no mouse event through to this.
  plot_->addAction(save);
  plot_->setContextMenuPolicy(Qt::ActionsContextMenu);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->axisRect()->setRangeZoomFactor(0.8);
  plot_->axisRect()->setRangeZoom(Qt::Horizontal);
  plot_->axisRect()->setRangeDrag(Qt::Horizontal);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  // Sees events before the view does.
  threshold_ = new ThresholdLine(*plot_);
  connect(plot_->selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& rect) {
    const double one = plot_->xAxis->pixelToCoord(rect.left());
    const double other = plot_->xAxis->pixelToCoord(rect.left() + rect.width());
    emit brushed(std::min(one, other), std::max(one, other));
  });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] {
    fit();
    plot_->replot(QCustomPlot::rpQueuedReplot);
  });
  apply_palette();
}

void CurveView::set_brush(bool on) {
  plot_->setSelectionRectMode(on ? QCP::srmCustom : QCP::srmNone);
  plot_->selectionRect()->setPen(QPen(palette().color(QPalette::Highlight)));
  QColor fill = palette().color(QPalette::Highlight);
  fill.setAlpha(50);
  plot_->selectionRect()->setBrush(fill);
}

void CurveView::set_bare() {
  bare_ = true;
  head_->hide();
  setMinimumHeight(0);
  plot_->axisRect()->setMinimumMargins(QMargins(4, 4, 8, 2));
  constexpr int kLeast = 20;
  plot_->axisRect()->setMinimumSize(kLeast, kLeast);
  make_small();
}

// Words that fit beside a low plot.
void CurveView::make_small() {
  QFont small = font();
  small.setPointSizeF(std::max(7.0, small.pointSizeF() - 2.0));
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis, plot_->yAxis2}) {
    axis->setTickLabelFont(small);
    axis->setLabelFont(small);
    axis->setLabelPadding(2);
  }
}

bool CurveView::is_right(std::size_t line) const {
  return std::find(right_.begin(), right_.end(), curve_.ys[line].id) != right_.end();
}

void CurveView::set_curve(const Curve& curve) {
  // Their labels stay where they have nothing else to say: a curve that grows does not flicker.
  const bool same_names = std::equal(curve.ys.begin(), curve.ys.end(), curve_.ys.begin(),
                                     curve_.ys.end(), [](const CurveLine& a, const CurveLine& b) {
                                       return a.id == b.id && line_words(a) == line_words(b);
                                     });
  curve_ = curve;
  has_two_sides_ = has_two_sides();
  plot_->clearGraphs();
  graphs_.clear();
  const auto style = curve.shape == CurveShape::steps          ? QCPGraph::lsStepLeft
                     : curve.shape == CurveShape::steps_before ? QCPGraph::lsStepRight
                                                               : QCPGraph::lsLine;
  for (std::size_t i = 0; i < curve.ys.size(); ++i) {
    QCPGraph* graph = plot_->addGraph(plot_->xAxis, is_right(i) ? plot_->yAxis2 : plot_->yAxis);
    graph->setPen(QPen(line_color(i), 1.6));
    graph->setLineStyle(style);
    if (curve.ys.size() == 1 && !bare_) {
      QColor fill = line_color(i);
      fill.setAlpha(60);
      graph->setBrush(fill);
    }
    graphs_.push_back(graph);
  }
  plot_->xAxis->setLabel(line_words(curve.x));
  plot_->xAxis->setTicker(curve.reciprocal_of.empty()
                              ? QSharedPointer<QCPAxisTicker>(new QCPAxisTicker)
                              : reciprocals_ticker(QString::fromStdString(curve.reciprocal_of)));
  name_axes();
  std::vector<double> marks;
  for (const CurveMark& mark : curve.marks) marks.push_back(mark.x);
  threshold_->set_stops(curve.x.values, std::move(marks));
  if (!same_names) head_->set_lines(curve_.ys);
  head_->clear_reading();
  set_scale(curve.scale);
}

// An axis that belongs to one line says which.
void CurveView::name_axes() {
  for (const bool right : {false, true}) {
    QCPAxis* const axis = right ? plot_->yAxis2 : plot_->yAxis;
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < curve_.ys.size(); ++i) {
      if (is_right(i) == right) own.push_back(i);
    }
    axis->setLabel(own.size() == 1 ? line_words(curve_.ys[own.front()]) : QString());
    if (!right) continue;
    axis->setVisible(!own.empty());
    axis->ticker()->setTickCount(bare_ ? 3 : 4);
  }
  color_right();
}

// Its numbers in the colour of its line.
void CurveView::color_right() {
  for (std::size_t i = 0; i < curve_.ys.size(); ++i) {
    if (!is_right(i)) continue;
    plot_->yAxis2->setTickLabelColor(line_color(i));
    plot_->yAxis2->setLabelColor(line_color(i));
  }
}

void CurveView::set_scale(CurveScale scale) {
  scale_ = scale;
  const bool log = scale == CurveScale::logarithmic;
  head_->set_scale(scale);
  const bool decades = log && !has_two_sides_;
  plot_->yAxis->setScaleType(decades ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  plot_->yAxis->setTicker(decades ? decades_ticker()
                          : log   ? two_sided_ticker()
                                  : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
  plot_->yAxis->ticker()->setTickCount(bare_ ? 3 : 4);
  plot_->yAxis->setNumberFormat(decades ? "eb" : "gb");
  plot_->yAxis->setNumberPrecision(decades ? 0 : 6);
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    QVector<double> x(curve_.x.values.begin(), curve_.x.values.end());
    QVector<double> y(curve_.ys[i].values.begin(), curve_.ys[i].values.end());
    if (curve_.shape == CurveShape::steps && !x.isEmpty()) {
      x.push_back(curve_end(curve_));
      y.push_back(y.back());
    }
    for (double& v : y) {
      if (!is_right(i)) v = drawn(v);
      if (!std::isfinite(v)) v = std::numeric_limits<double>::quiet_NaN();
    }
    graphs_[i]->setData(x, y, true);
  }
  fit();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool CurveView::has_two_sides() const {
  for (std::size_t i = 0; i < curve_.ys.size(); ++i) {
    const std::vector<double>& values = curve_.ys[i].values;
    if (is_right(i)) continue;
    if (std::any_of(values.begin(), values.end(), [](double v) { return v < 0.0; })) return true;
  }
  return false;
}

double CurveView::drawn(double y) const {
  if (scale_ == CurveScale::linear || std::isnan(y)) return y;
  if (has_two_sides_) return both_sides(y);
  // A logarithm of nothing: on the floor of the plot.
  return y > 0.0 ? y : 1e-300;
}

void CurveView::fit() {
  const std::vector<double>& x = curve_.x.values;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double right_least = least;
  double right_most = most;
  for (std::size_t i = 0; i < curve_.ys.size(); ++i) {
    for (const double value : curve_.ys[i].values) {
      if (is_right(i)) {
        if (!std::isfinite(value)) continue;
        right_least = std::min(right_least, value);
        right_most = std::max(right_most, value);
        continue;
      }
      const bool decades = scale_ == CurveScale::logarithmic && !has_two_sides_;
      if (!std::isfinite(value) || (decades && value <= 0.0)) continue;
      const double y = drawn(value);
      least = std::min(least, y);
      most = std::max(most, y);
    }
  }
  if (right_least <= right_most) {
    const double air =
        std::max(0.06 * (right_most - right_least), 1e-9 * std::max(1.0, std::abs(right_most)));
    plot_->yAxis2->setRange(right_least - air, right_most + air);
  }
  if (curve_.span && scale_ == CurveScale::linear) {
    least = std::min(least, curve_.span->low);
    most = std::max(most, curve_.span->high);
  }
  if (x.empty() || !(least <= most)) {
    plot_->xAxis->setRange(0.0, 1.0);
    plot_->yAxis->setRange(0.1, 1.0);
    draw_marks();
    return;
  }
  const double wide = curve_end(curve_) - x.front();
  plot_->xAxis->setRange(x.front(), wide > 0.0 ? curve_end(curve_) : x.front() + 1.0);
  if (scale_ == CurveScale::logarithmic && !has_two_sides_) {
    // From what a single pixel is seen at.
    plot_->yAxis->setRange(least / 2.0, most * 2.0);
  } else {
    const double floor = curve_.shape != CurveShape::straight ? std::min(0.0, least) : least;
    const double air = std::max(0.06 * (most - floor), 1e-9 * std::max(1.0, std::abs(most)));
    plot_->yAxis->setRange(floor < 0.0 || curve_.shape == CurveShape::straight ? floor - air : 0.0,
                           most + air);
  }
  draw_marks();
}

void CurveView::draw_marks() {
  plot_->clearItems();
  QColor color = palette().color(QPalette::Text);
  color.setAlpha(150);
  for (const CurveLevel& level : curve_.levels) draw_level(*plot_, level, drawn(level.y), color);
  draw_curve_marks(*plot_, curve_.marks, color);
  threshold_->draw();
}

std::optional<std::size_t> CurveView::point_at(double x) const { return curve_point_at(curve_, x); }

void CurveView::read_at(double x) {
  const auto at = point_at(plot_->xAxis->pixelToCoord(x));
  if (!at) {
    head_->clear_reading();
    return;
  }
  head_->set_reading(words_ ? words_(*at) : curve_reading(curve_, *at));
}

QString CurveView::reading() const { return head_->reading(); }

QToolButton& CurveView::scale_button() { return head_->scale_button(); }

void CurveView::save_picture() {
  QString path = QFileDialog::getSaveFileName(
      this, tr("Save picture"), QString::fromStdString(curve_.id) + QStringLiteral(".png"),
      tr("Pictures (*.png *.svg *.pdf)"));
  if (path.isEmpty()) return;
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".png");
  if (const Status done = write_picture(path); !done) {
    QMessageBox::warning(this, tr("Save picture"), QString::fromStdString(done.error().message()));
  }
}

Status CurveView::write_picture(const QString& path) {
  // The names stand beside the plot; a picture has them in it.
  const bool several = graphs_.size() > 1;
  for (std::size_t i = 0; i < graphs_.size(); ++i) graphs_[i]->setName(line_words(curve_.ys[i]));
  return write_plot_picture(*plot_, several, path);
}

bool CurveView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_ && event->type() == QEvent::MouseMove) {
    read_at(static_cast<QMouseEvent*>(event)->position().x());
  }
  if (watched == plot_ && event->type() == QEvent::Leave) head_->clear_reading();
  return QWidget::eventFilter(watched, event);
}

void CurveView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    apply_palette();
  }
  QWidget::changeEvent(event);
}

void CurveView::apply_palette() {
  if (head_ == nullptr) return;
  style_plot(*plot_, *this);
  if (bare_) make_small();
  color_right();
  const bool dark = palette().color(QPalette::Base).lightnessF() < 0.5;
  threshold_->set_color((dark ? ViewTheme::dark_theme() : ViewTheme::light_theme()).level_set);
  draw_marks();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace aprscope::gui

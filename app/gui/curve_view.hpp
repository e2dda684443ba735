#pragma once

#include <QColor>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/data/curve.hpp"

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QHBoxLayout;
class QToolButton;

namespace aprscope::gui {

class ElidedLabel;
class ThresholdLine;

/// Draws a curve: each line in a colour of its own, named in a row above the plot that also tells
/// what is under the pointer. The wheel zooms along x, a drag moves, a double click shows all.
class CurveView : public QWidget {
  Q_OBJECT

 public:
  explicit CurveView(QWidget* parent = nullptr);

  /// With the scale that the curve asks for.
  void set_curve(const Curve& curve);
  [[nodiscard]] const Curve& curve() const { return curve_; }

  /// Logarithmic: see CurveScale; where no value is negative, what is 0 is on the floor.
  void set_scale(CurveScale scale);
  [[nodiscard]] CurveScale scale() const { return scale_; }
  /// The button that changes it.
  [[nodiscard]] QToolButton& scale_button() { return *log_; }
  /// What is told of the place under the pointer.
  [[nodiscard]] QString reading() const;
  [[nodiscard]] QCustomPlot& plot() { return *plot_; }
  /// The threshold among the values along x, see CurveThreshold; none at first.
  [[nodiscard]] ThresholdLine& threshold() { return *threshold_; }
  /// While it is on, a drag marks a range instead of moving the plot.
  void set_brush(bool on);
  /// Index of the point that counts at x; none outside.
  [[nodiscard]] std::optional<std::size_t> point_at(double x) const;

 signals:
  /// A range along x was marked; a click without a drag marks none: low is high.
  void brushed(double low, double high);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_head();
  void fill_legend();
  void fit();
  void draw_marks();
  void read_at(double x);
  void apply_palette();
  /// Whether there are values on both sides of 0, which share a logarithmic axis.
  [[nodiscard]] bool has_two_sides() const;
  /// A value on the axis that is drawn.
  [[nodiscard]] double drawn(double y) const;
  /// Where the last step ends.
  [[nodiscard]] double last_edge() const;

  Curve curve_;
  CurveScale scale_ = CurveScale::linear;
  bool has_two_sides_ = false;
  QCustomPlot* plot_ = nullptr;
  ThresholdLine* threshold_ = nullptr;
  QHBoxLayout* legend_ = nullptr;
  ElidedLabel* reading_ = nullptr;
  QToolButton* log_ = nullptr;
  std::vector<QCPGraph*> graphs_;
};

}  // namespace aprscope::gui

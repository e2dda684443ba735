#pragma once

#include <QColor>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/data/curve.hpp"

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QToolButton;

namespace aprscope::gui {

class CurveHead;
class ThresholdLine;

/// Draws a curve: each line in a colour of its own, named in a row above the plot that also tells
/// what is under the pointer. The wheel zooms along x, a drag moves, a double click shows all; its
/// menu saves it as a picture.
class CurveView : public QWidget {
  Q_OBJECT

 public:
  /// `name`: what the names of its parts begin with, "curve_reading".
  explicit CurveView(QWidget* parent = nullptr, const QString& name = QStringLiteral("curve"));

  /// With the scale that the curve asks for.
  void set_curve(const Curve& curve);
  [[nodiscard]] const Curve& curve() const { return curve_; }

  /// Lines of these ids have an axis of their own on the right, always linear; from the next curve
  /// on.
  void set_right(std::vector<std::string> ids) { right_ = std::move(ids); }
  /// Nothing but the plot, in as little height as it gets; from the next curve on.
  void set_bare();
  /// What is told of the point of an index, in the place of all its values.
  void set_words(std::function<QString(std::size_t)> words) { words_ = std::move(words); }
  /// Writes what is seen, with names where there are several lines, as .png, .svg or .pdf. Errors:
  /// another ending, or the file cannot be written.
  Status write_picture(const QString& path);

  /// Logarithmic: see CurveScale; where no value is negative, what is 0 is on the floor.
  void set_scale(CurveScale scale);
  [[nodiscard]] CurveScale scale() const { return scale_; }
  /// The button that changes it.
  [[nodiscard]] QToolButton& scale_button();
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
  void save_picture();
  [[nodiscard]] bool is_right(std::size_t line) const;
  void name_axes();
  void color_right();
  void make_small();
  void fit();
  void draw_marks();
  void read_at(double x);
  void apply_palette();
  /// Whether there are values on both sides of 0, which share a logarithmic axis.
  [[nodiscard]] bool has_two_sides() const;
  /// A value on the axis that is drawn.
  [[nodiscard]] double drawn(double y) const;

  Curve curve_;
  CurveScale scale_ = CurveScale::linear;
  bool has_two_sides_ = false;
  QCustomPlot* plot_ = nullptr;
  ThresholdLine* threshold_ = nullptr;
  CurveHead* head_ = nullptr;
  bool bare_ = false;
  std::vector<std::string> right_;
  std::function<QString(std::size_t)> words_;
  std::vector<QCPGraph*> graphs_;
};

}  // namespace aprscope::gui

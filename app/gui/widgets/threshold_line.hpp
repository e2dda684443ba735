#pragma once

#include <QColor>
#include <QObject>
#include <optional>
#include <vector>

class QCPItemStraightLine;
class QCustomPlot;
class QKeyEvent;
class QMouseEvent;

namespace aprscope::gui {

/// A vertical line in a plot that the user moves between values: by dragging it, by a click at
/// the new position (a mark nearby attracts it), or with arrow keys (with Shift: between
/// marks).
class ThresholdLine : public QObject {
  Q_OBJECT

 public:
  explicit ThresholdLine(QCustomPlot& plot);

  /// The values and marks that the line can be moved to, ascending.
  void set_stops(std::vector<double> values, std::vector<double> marks);
  /// None: removes the line, and the user cannot make one.
  void set_at(std::optional<double> at);
  [[nodiscard]] std::optional<double> at() const { return at_; }
  void set_color(const QColor& color);
  /// Draws the line again, after all items of the plot were removed.
  void draw();

 signals:
  /// The user moved the line; at() returns the new value already.
  void moved(double at);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool press(const QMouseEvent& event);
  bool drag(const QMouseEvent& event);
  bool release(const QMouseEvent& event);
  void take_back_click();
  void let_go();
  bool key(const QKeyEvent& event);
  void move_to(double value);
  [[nodiscard]] bool is_near(double pixel) const;
  [[nodiscard]] double nearest_stop(double pixel, bool marks_attract) const;

  QCustomPlot& plot_;
  std::vector<double> values_;
  std::vector<double> marks_;
  std::optional<double> at_;
  QColor color_;
  QCPItemStraightLine* line_ = nullptr;
  bool dragging_ = false;
  /// The position at which the left button was pressed, and how far the pointer went from there.
  std::optional<double> pressed_;
  double way_ = 0.0;
  /// The value before the last click.
  std::optional<double> before_click_;
};

}  // namespace aprscope::gui

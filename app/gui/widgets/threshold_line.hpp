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

/// A vertical line in a plot that the user moves from value to value: drags it, clicks where it
/// shall go (a mark that is near attracts it), or uses the arrow keys (with Shift: from mark to
/// mark).
class ThresholdLine : public QObject {
  Q_OBJECT

 public:
  explicit ThresholdLine(QCustomPlot& plot);

  /// The values and marks that it goes to; rising.
  void set_stops(std::vector<double> values, std::vector<double> marks);
  /// None: there is no line, and nothing makes one.
  void set_at(std::optional<double> at);
  [[nodiscard]] std::optional<double> at() const { return at_; }
  void set_color(const QColor& color);
  /// Again, after all items of the plot were removed.
  void draw();

 signals:
  /// The user moved it; at() has changed already.
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
  /// Where the left button went down, and how far it went from there.
  std::optional<double> pressed_;
  double way_ = 0.0;
  /// Where the line was before the last click.
  std::optional<double> before_click_;
};

}  // namespace aprscope::gui

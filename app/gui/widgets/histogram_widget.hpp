#pragma once

#include <QWidget>

#include "core/image/histogram.hpp"

class QCPGraph;
class QCPItemStraightLine;
class QCustomPlot;

namespace aprscope::gui {

/// A histogram with real grey values on its axis (counts on a logarithmic scale) and the two
/// contrast limits as lines that can be dragged. Double click: automatic contrast.
class HistogramWidget : public QWidget {
  Q_OBJECT

 public:
  explicit HistogramWidget(QWidget* parent = nullptr);

  void set_histogram(const Histogram& histogram);
  /// Moves the lines; emits nothing.
  void set_contrast(const Contrast& contrast);
  [[nodiscard]] const Contrast& contrast() const { return contrast_; }

  /// The position at which a grey value is drawn, in pixels from the left of this widget.
  [[nodiscard]] double position_of(double value) const;

  [[nodiscard]] QSize sizeHint() const override { return {260, 130}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {160, 100}; }

 signals:
  /// A limit is being dragged.
  void contrast_edited(const aprscope::Contrast& contrast);
  void automatic_requested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Grip { none, low, high };

  void apply_palette();
  void place_lines();
  [[nodiscard]] Grip grip_at(double x) const;

  QCustomPlot* plot_ = nullptr;
  QCPGraph* graph_ = nullptr;
  QCPItemStraightLine* low_ = nullptr;
  QCPItemStraightLine* high_ = nullptr;
  Contrast contrast_;
  Grip dragged_ = Grip::none;
};

}  // namespace aprscope::gui

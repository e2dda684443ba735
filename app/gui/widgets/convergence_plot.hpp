#pragma once

#include <QWidget>
#include <vector>

#include "core/operations/engine/iteration_report.hpp"

namespace aprscope::gui {

class CurveView;

/// How iterations went: a plot for each figure that they report, one below the other; with a ground
/// truth the figures against it, in the same order, on the right. It knows none of them.
class ConvergencePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ConvergencePlot(QWidget* parent = nullptr);

  /// `iterations`: how many are to come in all, the extent of the horizontal axis.
  void set_reports(const std::vector<IterationReport>& reports, int iterations);
  /// Points that the plot shows.
  [[nodiscard]] int shown() const;

  [[nodiscard]] QSize sizeHint() const override { return {300, 170}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

 private:
  void need_views(std::size_t count);

  std::vector<CurveView*> views_;
};

}  // namespace aprscope::gui

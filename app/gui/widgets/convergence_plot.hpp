#pragma once

#include <QWidget>
#include <vector>

#include "core/operations/engine/iteration_report.hpp"

namespace aprscope::gui {

class CurveView;

/// Plots of the figures that iterations report, one below the other. With a ground truth, the
/// figures relative to it are on the right, in the same order. It depends on no particular figure.
class ConvergencePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ConvergencePlot(QWidget* parent = nullptr);

  /// `iterations`: the planned number, which sets the range of the horizontal axis.
  void set_reports(const std::vector<IterationReport>& reports, int iterations);
  /// The number of points in the plots.
  [[nodiscard]] int shown() const;

  [[nodiscard]] QSize sizeHint() const override { return {300, 170}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {200, 150}; }

 private:
  void need_views(std::size_t count);

  std::vector<CurveView*> views_;
};

}  // namespace aprscope::gui

#pragma once

#include <QWidget>
#include <vector>

#include "core/deconvolution/richardson_lucy.hpp"

class QCPAxisRect;
class QCPGraph;
class QCustomPlot;

namespace aprscope::gui {

/// How iterations went: likelihood above, relative change (logarithmic) below; with a ground truth
/// PSNR and SSIM against it, on the right.
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

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void apply_palette();

  QCustomPlot* plot_ = nullptr;
  QCPAxisRect* upper_ = nullptr;
  QCPAxisRect* lower_ = nullptr;
  QCPGraph* likelihood_ = nullptr;
  QCPGraph* psnr_ = nullptr;
  QCPGraph* change_ = nullptr;
  QCPGraph* ssim_ = nullptr;
};

}  // namespace aprscope::gui

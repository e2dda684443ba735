#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>

class QPushButton;

namespace aprscope::gui {

class DeconvolutionRun;

/// "Deconvolve"; while a run goes on, "Keep this iterate" and "Cancel" in its place. For a second
/// after a run began or ended, the button that takes the other's place does nothing, so that a
/// click that was meant for the other does not.
class DeconvolveButtons : public QWidget {
  Q_OBJECT

 public:
  /// `can_start`: whether a run can begin now; asked by follow().
  DeconvolveButtons(const DeconvolutionRun& run, std::function<bool()> can_start, QWidget* parent);

  /// Shows what can be done now.
  void follow();
  /// The iterate of this run is going to be kept: that cannot be asked for again.
  void set_kept();

 signals:
  void start_clicked();
  void keep_clicked();
  void cancel_clicked();

 private:
  const DeconvolutionRun& run_;
  std::function<bool()> can_start_;
  QPushButton* start_ = nullptr;
  QPushButton* keep_ = nullptr;
  QPushButton* cancel_ = nullptr;
  /// After a run began or ended: until then the button keeps its meaning for a click that comes
  /// late.
  QTimer settled_;
  bool was_running_ = false;
  bool kept_ = false;
};

}  // namespace aprscope::gui

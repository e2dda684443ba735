#pragma once

#include <QTimer>
#include <QWidget>

#include "app/gui/panels/panel.hpp"
#include "core/operations/schema/operation.hpp"

class QCheckBox;
class QLabel;

namespace aprscope::gui {

class BackgroundBox;
class BeadPicker;
class ConvergencePlot;
class DeconvolutionForm;
class DeconvolutionRun;
class DeconvolveButtons;
class ElidedLabel;
struct DeconvolutionRequest;
class Document;
class PsfBuilder;
class SteadyLabel;
class StartChoice;
class TruthChoice;
class ViewsArea;

/// The Deconvolve tab: the PSF, the parameters, a preview of what is on screen, and the run, which
/// is watched iteration by iteration.
class DeconvolvePanel : public QWidget {
  Q_OBJECT

 public:
  DeconvolvePanel(Document& document, ViewsArea& views, QWidget* parent = nullptr);

  [[nodiscard]] PsfBuilder* psf_builder() const { return psf_; }
  [[nodiscard]] BeadPicker* bead_picker() const { return picker_; }
  [[nodiscard]] DeconvolutionRun& run() const { return *run_; }

  /// What Start would run.
  [[nodiscard]] Operation operation() const;
  /// Shows an operation; emits nothing.
  void set_operation(const Operation& operation);
  /// Runs on the whole current item, as the button does; 0 if that is not possible now.
  std::uint64_t start();

 signals:
  /// A run was started as this job: `keep_iterate` ends it with what there is.
  void started(std::uint64_t job);

 public slots:
  void keep_iterate();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  QWidget* section(const QString& title, QWidget* content);
  [[nodiscard]] DeconvolutionRequest request() const;
  void follow_item();
  void follow_start();
  void follow_run();
  void update_enabled();
  void follow_target();
  void renew_preview();
  void show_preview();

  Document& document_;
  ViewsArea& views_;
  DeconvolutionRun* run_ = nullptr;
  BeadPicker* picker_ = nullptr;
  PsfBuilder* psf_ = nullptr;
  BackgroundBox* background_ = nullptr;
  DeconvolutionForm* form_ = nullptr;
  StartChoice* start_from_ = nullptr;
  TruthChoice* truth_ = nullptr;
  ConvergencePlot* plot_ = nullptr;
  SteadyLabel* progress_ = nullptr;
  QCheckBox* preview_ = nullptr;
  DeconvolveButtons* buttons_ = nullptr;
  ElidedLabel* target_ = nullptr;
  QLabel* picking_ = nullptr;
  QTimer wait_;
};

/// The Deconvolve tab in the table of panels.
Panel deconvolve_panel();

}  // namespace aprscope::gui

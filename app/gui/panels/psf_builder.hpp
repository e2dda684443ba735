#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "app/gui/panels/filter_controls.hpp"
#include "core/deconvolution/psf/psf_measured.hpp"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace aprscope::gui {

class BeadPicker;
class JobBridge;
class LevelStencilsView;
class OperationForm;
class PsfView;

/// Chooses and edits the PSF of a "deconvolve" operation: its kind, its parameters, beads to
/// average. Shows cuts, widths, coverage, warnings, and the PSF of each level. The PSF is made in
/// the background; the newest edit wins.
class PsfBuilder : public QWidget {
  Q_OBJECT

 public:
  PsfBuilder(JobBridge& jobs, BeadPicker& picker, QWidget* parent = nullptr);

  /// The data that the PSF is for.
  void set_target(const FilterTarget& target);
  void clear_target();
  /// Shows the PSF parameters of an operation.
  void set_operation(const Operation& operation);
  /// Returns the operation with the builder's PSF parameters. Beads picked in an image that is in
  /// no file are replaced by the weights of their average.
  [[nodiscard]] Operation with_psf(Operation operation) const;

  /// The newest PSF; none while it is being made, or if it cannot be.
  [[nodiscard]] const std::optional<MadePsf>& psf() const { return psf_; }
  /// Why the PSF cannot be made; else empty.
  [[nodiscard]] const QString& error() const { return error_; }
  [[nodiscard]] OperationForm* form() const { return form_; }

 signals:
  /// psf() or error() changed.
  void psf_changed();

 private:
  struct Computed;
  void build();
  void choose_kind(int index);
  void choose_file();
  void follow_beads();
  void edited();
  void compute();
  void take(const Result<Computed>& made);
  void show_facts(const MadePsf& made);
  void show_beads(const std::vector<Bead>& beads);
  void follow_link(const QString& link);
  [[nodiscard]] std::string kind() const;

  JobBridge& jobs_;
  BeadPicker& picker_;
  FilterTarget target_;
  bool has_target_ = false;
  std::optional<MadePsf> psf_;
  QString error_;
  QTimer wait_;
  QComboBox* kind_ = nullptr;
  OperationForm* form_ = nullptr;
  QPushButton* file_ = nullptr;
  QWidget* beads_ = nullptr;
  QPushButton* pick_ = nullptr;
  QListWidget* bead_list_ = nullptr;
  PsfView* view_ = nullptr;
  QLabel* facts_ = nullptr;
  QLabel* notes_ = nullptr;
  QLabel* levels_title_ = nullptr;
  QWidget* levels_area_ = nullptr;
  LevelStencilsView* levels_ = nullptr;
};

}  // namespace aprscope::gui

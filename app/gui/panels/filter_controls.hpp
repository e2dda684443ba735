#pragma once

#include <QWidget>

#include "core/operations/schema/operation.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace aprscope::gui {

class ElidedLabel;
class LevelStencilsView;
class OperationForm;
class SteadyLabel;

/// What the filter panel must know about the data that it filters.
struct FilterTarget {
  bool is_apr = false;
  Size3 size;
  VoxelSize voxel;
  int level_min = 1;
  int level_max = 1;
};

/// Presets, every parameter, a stencil edited by hand, the stencils that result on each level, and
/// the Apply button. Knows values only; whoever owns it previews and applies.
class FilterControls : public QWidget {
  Q_OBJECT

 public:
  explicit FilterControls(QWidget* parent = nullptr);

  void set_target(const FilterTarget& target);
  /// No data: nothing can be applied.
  void clear_target();

  /// Chooses a filter with parameters; emits nothing.
  void set_operation(const Operation& operation);
  [[nodiscard]] const Operation& operation() const;
  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Another choice, above the buttons.
  void add_choice(QWidget* choice);
  [[nodiscard]] bool preview_wanted() const;
  /// What the preview is doing: "preview in 12 ms", an error …
  void set_note(const QString& note);

 signals:
  /// The filter, a parameter, a weight, or whether a preview is wanted changed.
  void preview_changed();
  void apply_requested(const aprscope::Operation& operation);

 private:
  void choose(const QString& id);
  void edit_by_hand();
  void show_stencils();
  void enable_parameters();

  FilterTarget target_;
  bool has_target_ = false;
  QComboBox* choice_ = nullptr;
  SteadyLabel* help_ = nullptr;
  OperationForm* form_ = nullptr;
  QLabel* levels_title_ = nullptr;
  LevelStencilsView* levels_ = nullptr;
  QPushButton* by_hand_ = nullptr;
  QCheckBox* preview_ = nullptr;
  ElidedLabel* note_ = nullptr;
  QVBoxLayout* choices_ = nullptr;
  QPushButton* apply_ = nullptr;
};

}  // namespace aprscope::gui

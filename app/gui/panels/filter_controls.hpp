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

/// Properties of the data to filter that the panel needs.
struct FilterTarget {
  bool is_apr = false;
  Size3 size;
  VoxelSize voxel;
  int level_min = 1;
  int level_max = 1;
};

/// The controls of the Filter panel: presets, parameters, a stencil edited by hand, the resulting
/// stencils of each level, the Apply button. Only holds values; the owner previews and applies.
class FilterControls : public QWidget {
  Q_OBJECT

 public:
  explicit FilterControls(QWidget* parent = nullptr);

  void set_target(const FilterTarget& target);
  /// There is no data, so nothing can be applied.
  void clear_target();

  /// Shows a filter with its parameters; emits nothing.
  void set_operation(const Operation& operation);
  [[nodiscard]] const Operation& operation() const;
  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Adds a widget above the buttons.
  void add_choice(QWidget* choice);
  [[nodiscard]] bool preview_wanted() const;
  /// The state of the preview, such as "preview in 12 ms", or an error.
  void set_note(const QString& note);

 signals:
  /// The filter, a parameter, a weight, or the choice of a preview changed.
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

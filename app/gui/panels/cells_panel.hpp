#pragma once

#include <QPointer>
#include <QWidget>
#include <optional>

#include "app/gui/panels/panel.hpp"
#include "core/operations/schema/operation.hpp"

class QComboBox;
class QPushButton;

namespace aprscope::gui {

class CellCheckBox;
class CellTableOptions;
class CellsLook;
class CorrectionBar;
class ElidedLabel;
class LabelChoice;
class LeakBox;
class MeasurementPreview;
class OperationForm;
class SteadyLabel;

/// The Cells tab: how cells are found, with a live preview of their outlines; how they are drawn;
/// their table; and corrections by clicks.
class CellsPanel : public QWidget {
  Q_OBJECT

 public:
  CellsPanel(const PanelHost& host, QWidget* parent = nullptr);

  [[nodiscard]] OperationForm* form() const { return form_; }
  [[nodiscard]] CorrectionBar* corrections() const { return corrections_; }
  /// Chooses an operation that finds cells, with its default parameters.
  void choose(const QString& id);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  void show_operation(const QString& id);
  void follow_item();
  void renew();
  void renew_table();
  [[nodiscard]] std::optional<Operation> table_operation() const;
  void say_count();
  void close_holes(double radius);
  void click(const Index3& place);
  void click_in_3d(std::uint32_t label, const std::optional<Index3>& place, bool add);

  Document& document_;
  ViewsArea& views_;
  LabelChoice& labels_;
  /// Destroyed before the panel when the window closes.
  QPointer<MeasurementPreview> measured_;
  /// The user has edited a parameter since the current item, which has labels, was chosen.
  bool edited_ = false;
  QComboBox* choice_ = nullptr;
  SteadyLabel* help_ = nullptr;
  OperationForm* form_ = nullptr;
  ElidedLabel* note_ = nullptr;
  QPushButton* apply_ = nullptr;
  QPushButton* keep_ = nullptr;
  CellTableOptions* table_ = nullptr;
  CellCheckBox* check_ = nullptr;
  CellsLook* look_ = nullptr;
  LeakBox* leak_ = nullptr;
  CorrectionBar* corrections_ = nullptr;
};

/// The Cells tab in the table of panels.
Panel cells_panel();

}  // namespace aprscope::gui

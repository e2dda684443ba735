#pragma once

#include <QPointer>
#include <QWidget>

#include "app/gui/panels/panel.hpp"
#include "core/operations/schema/operation.hpp"

class QComboBox;
class QPushButton;

namespace aprscope::gui {

class ElidedLabel;
class MeasurementPreview;
class OperationForm;
class SteadyLabel;

/// The Measure tab: what can be measured, with its parameters. While it is open the window shows
/// what that gives of the current data, as it is edited; Keep makes it an item of the data list.
class MeasurePanel : public QWidget {
  Q_OBJECT

 public:
  MeasurePanel(Document& document, MeasurementPreview& preview, QWidget* parent = nullptr);

  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Measures by another operation, with its defaults.
  void choose(const QString& id);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  void show_operation(const QString& id);
  void follow_item();
  void renew();
  void offer_others();

  Document& document_;
  /// Goes before the panel when the window does.
  QPointer<MeasurementPreview> preview_;
  QComboBox* choice_ = nullptr;
  SteadyLabel* help_ = nullptr;
  OperationForm* form_ = nullptr;
  /// Other data, whose curves are shown, too.
  QComboBox* beside_ = nullptr;
  ElidedLabel* note_ = nullptr;
  QPushButton* keep_ = nullptr;
};

/// The Measure tab in the table of panels.
Panel measure_panel();

}  // namespace aprscope::gui

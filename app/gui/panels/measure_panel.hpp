#pragma once

#include <QPointer>
#include <QWidget>

#include "app/gui/panels/panel.hpp"
#include "core/operations/schema/operation.hpp"

class QComboBox;
class QPushButton;

namespace aprscope::gui {

class ElidedLabel;
class LineTool;
class MeasurementPreview;
class OperationForm;
class SteadyLabel;
class ViewsArea;

/// The Measure tab: measuring operations and their parameters. While it is open the window shows
/// the live result for the current data, and slices the line of a profile; Keep adds it to the data
/// list.
class MeasurePanel : public QWidget {
  Q_OBJECT

 public:
  MeasurePanel(Document& document, ViewsArea& views, MeasurementPreview& preview,
               QWidget* parent = nullptr);

  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Chooses a measuring operation, with its default parameters.
  void choose(const QString& id);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  void show_operation(const QString& id);
  void follow_item();
  void renew();
  void try_it();
  void offer_others();

  Document& document_;
  /// Destroyed before the panel when the window closes.
  QPointer<MeasurementPreview> preview_;
  QComboBox* choice_ = nullptr;
  SteadyLabel* help_ = nullptr;
  OperationForm* form_ = nullptr;
  /// The other data item whose curves are shown too.
  QComboBox* beside_ = nullptr;
  LineTool* line_ = nullptr;
  ElidedLabel* note_ = nullptr;
  QPushButton* keep_ = nullptr;
  /// Seen where an overview of a file is measured, or all of it was.
  QPushButton* whole_ = nullptr;
  /// The form shows what all of a file was measured with.
  bool of_file_ = false;
};

/// The Measure tab in the table of panels.
Panel measure_panel();

}  // namespace aprscope::gui

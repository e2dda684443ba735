#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/data/measurement.hpp"

class QComboBox;
class QPushButton;

namespace aprscope::gui {

class CurveView;
class ElidedLabel;
class TableView;

/// Shows what was measured, whatever it is: its curves on the left, its tables on the right, each
/// of several by its name.
class MeasurementView : public QWidget {
  Q_OBJECT

 public:
  explicit MeasurementView(QWidget* parent = nullptr);

  /// Null: nothing.
  void set_measurement(std::shared_ptr<const Measurement> measurement, const QString& title);
  /// Whether it is an item, which can be exported.
  void set_exportable(bool on);
  [[nodiscard]] const std::shared_ptr<const Measurement>& measurement() const {
    return measurement_;
  }
  [[nodiscard]] CurveView& curve() { return *curve_; }
  [[nodiscard]] TableView& table() { return *table_; }

 signals:
  void export_requested();

 private:
  void show_curve(int index);
  void show_table(int index);

  std::shared_ptr<const Measurement> measurement_;
  ElidedLabel* title_ = nullptr;
  QPushButton* export_ = nullptr;
  QComboBox* curves_ = nullptr;
  QComboBox* tables_ = nullptr;
  QWidget* left_ = nullptr;
  QWidget* right_ = nullptr;
  CurveView* curve_ = nullptr;
  TableView* table_ = nullptr;
};

}  // namespace aprscope::gui

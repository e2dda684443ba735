#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/measurement.hpp"

class QComboBox;
class QPushButton;

namespace aprscope::gui {

class CurveView;
class ElidedLabel;
class LevelSetChoice;
class PaintChoice;
class TableView;
class ThresholdBar;

/// Shows what was measured, whatever it is: its curves on the left, its tables on the right, each
/// of several by its name. Where its curve is a histogram of a column of its table, those of other
/// columns are offered, too. Where a curve runs over grey values, a threshold can be put among
/// them, which other views follow.
class MeasurementView : public QWidget {
  Q_OBJECT

 public:
  MeasurementView(LevelSetChoice& choice, PaintChoice& paint, QWidget* parent = nullptr);

  /// Null: nothing.
  void set_measurement(std::shared_ptr<const Measurement> measurement, const QString& title);
  /// Whether it is an item, which can be exported.
  void set_exportable(bool on);
  [[nodiscard]] const std::shared_ptr<const Measurement>& measurement() const {
    return measurement_;
  }
  [[nodiscard]] CurveView& curve() { return *curve_; }
  [[nodiscard]] TableView& table() { return *table_; }
  [[nodiscard]] ThresholdBar& threshold() { return *bar_; }

 signals:
  /// Another curve is shown, or the same of other values.
  void curve_shown();
  void export_requested();
  /// A mask of what the threshold keeps.
  void mask_requested();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build();
  void renew_threshold();
  void want_threshold(bool on);
  void move_threshold(double at);
  void follow_threshold();
  void offer_curves();
  void show_curve(int index);
  void show_table(int index);

  LevelSetChoice& choice_;
  /// What the user said last; nothing: what the curve says.
  std::optional<bool> wanted_;
  /// Where it was when it was turned off, of the same data.
  std::optional<double> last_;
  std::shared_ptr<const Measurement> measurement_;
  // The curves of the measurement, then histograms of its columns, which are made when they are
  // asked for.
  struct Offered {
    std::string id;
    std::string label;
  };
  std::vector<Offered> offered_;
  ElidedLabel* title_ = nullptr;
  QPushButton* export_ = nullptr;
  QComboBox* curves_ = nullptr;
  QComboBox* tables_ = nullptr;
  QWidget* left_ = nullptr;
  QWidget* right_ = nullptr;
  CurveView* curve_ = nullptr;
  TableView* table_ = nullptr;
  ThresholdBar* bar_ = nullptr;
};

}  // namespace aprscope::gui

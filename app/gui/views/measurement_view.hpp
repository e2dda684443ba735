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

/// Shows any measurement: its curves on the left and its tables on the right, chosen by name if
/// there are several. If the curve is a histogram of a column, histograms of the other columns can
/// be chosen too. If a curve is a function of grey values, a threshold can be set in it, which
/// other views follow.
class MeasurementView : public QWidget {
  Q_OBJECT

 public:
  MeasurementView(LevelSetChoice& choice, PaintChoice& paint, QWidget* parent = nullptr);

  /// The measurement to show; null: none.
  void set_measurement(std::shared_ptr<const Measurement> measurement, const QString& title);
  /// Whether the measurement is an item of the list, which can be exported.
  void set_exportable(bool on);
  [[nodiscard]] const std::shared_ptr<const Measurement>& measurement() const {
    return measurement_;
  }
  [[nodiscard]] CurveView& curve() { return *curve_; }
  [[nodiscard]] TableView& table() { return *table_; }
  [[nodiscard]] ThresholdBar& threshold() { return *bar_; }

 signals:
  /// Another curve is shown, or the same curve with other values.
  void curve_shown();
  void export_requested();
  /// The user asks for a mask of what the threshold keeps.
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
  /// Whether the user has turned the threshold on or off; none: as the curve suggests.
  std::optional<bool> wanted_;
  /// The value of the threshold when it was turned off, for the same data.
  std::optional<double> last_;
  std::shared_ptr<const Measurement> measurement_;
  // The curves of the measurement, then the histograms of its columns, which are computed when
  // chosen.
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

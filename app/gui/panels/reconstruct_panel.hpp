#pragma once

#include <QPointer>
#include <QWidget>
#include <cstdint>
#include <memory>

#include "app/gui/panels/panel.hpp"
#include "core/operations/schema/operation.hpp"

class QPushButton;

namespace aprscope {
struct Measurement;
}  // namespace aprscope

namespace aprscope::gui {

class CtfView;
class DirectionFeed;
class ElidedLabel;
struct Item;
class MapGrowth;
class MeasurementPreview;
class OperationForm;
class ReprojectionBox;
class SteadyLabel;

/// The Reconstruct tab. For a set of projections: its table (below the slices), the parameters of a
/// reconstruction, and the run with the growing map. For a map: the result of its half maps.
class ReconstructPanel : public QWidget {
  Q_OBJECT

 public:
  ReconstructPanel(const PanelHost& host, QWidget* parent = nullptr);

  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Shows an operation; does not start it.
  void set_operation(const Operation& operation);
  [[nodiscard]] MapGrowth& growth() const { return *growth_; }
  /// Starts the reconstruction of the current item, as the button does; 0: not possible now.
  std::uint64_t start();

 signals:
  /// A run was started as this job; `keep` ends it and keeps the map so far.
  void started(std::uint64_t job);

 public slots:
  void keep();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void build(ViewsArea& views);
  void follow_item();
  void follow_growth();
  void say_target();
  void renew_directions();
  void renew_ctf();
  void renew_table();
  void add_correlations();
  void show_growing_curve();
  void update_buttons();
  /// The set to reconstruct: the current one, or the one that the current map was made of.
  [[nodiscard]] const Item* source() const;

  Document& document_;
  /// Destroyed before the panel when the window closes.
  QPointer<MeasurementPreview> measured_;
  MapGrowth* growth_ = nullptr;
  ElidedLabel* target_ = nullptr;
  ElidedLabel* warning_ = nullptr;
  OperationForm* form_ = nullptr;
  DirectionFeed* directions_ = nullptr;
  CtfView* ctf_ = nullptr;
  ReprojectionBox* reprojection_ = nullptr;
  SteadyLabel* progress_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* keep_ = nullptr;
  QPushButton* cancel_ = nullptr;
  bool kept_ = false;
  /// The shown measurement that includes the correlations.
  std::weak_ptr<const Measurement> told_;
  /// Whether the current table has CTFs; stored, as finding out takes all rows.
  bool has_ctf_ = false;
};

/// The Reconstruct tab in the table of panels.
Panel reconstruct_panel();

}  // namespace aprscope::gui

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

/// The Reconstruct tab: a set of projections with its table below the slices, how a map is made of
/// it, and the run, which is watched while the map grows; of a map, what its half maps say.
class ReconstructPanel : public QWidget {
  Q_OBJECT

 public:
  ReconstructPanel(const PanelHost& host, QWidget* parent = nullptr);

  [[nodiscard]] OperationForm* form() const { return form_; }
  /// Shows an operation; starts nothing.
  void set_operation(const Operation& operation);
  [[nodiscard]] MapGrowth& growth() const { return *growth_; }
  /// Runs on the current item, as the button does; 0 if that is not possible now.
  std::uint64_t start();

 signals:
  /// A run was started as this job: `keep` ends it with what there is.
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
  /// What Reconstruct takes: the current set of projections, or that which the current map is of.
  [[nodiscard]] const Item* source() const;

  Document& document_;
  /// Goes before the panel when the window does.
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
  /// What was measured, with the correlations that are shown.
  std::weak_ptr<const Measurement> told_;
  /// Of the current table: asking it takes a look at all rows.
  bool has_ctf_ = false;
};

/// The Reconstruct tab in the table of panels.
Panel reconstruct_panel();

}  // namespace aprscope::gui

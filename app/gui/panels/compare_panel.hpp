#pragma once

#include <QWidget>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/panels/panel.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace aprscope::gui {

class CompareCostsBox;
class CompareMetricsBox;

/// The Compare tab: the two items to compare and how, metrics, the costs of each side, and
/// exports.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  ComparePanel(Document& document, Comparison& comparison, CompareArea& area,
               QWidget* parent = nullptr);

  /// Text of a metric as shown: row "psnr", "ssim", "nrmse", "max"; column 0 slice, 1 volume.
  [[nodiscard]] QString metric_text(const QString& row, int column) const;
  /// Text of a cost: row "steps", "conversion", "memory", "peak", "backend"; column 0 A, 1 B.
  [[nodiscard]] QString cost_text(const QString& row, int column) const;

 signals:
  void export_requested();

 private:
  void build();
  QWidget* build_sides();
  QWidget* build_view();
  QWidget* build_line();
  void follow_items();
  void follow_settings();
  void edit(const std::function<void(CompareSettings&)>& change);
  void choose();
  void follow_likeness();

  Document& document_;
  Comparison& comparison_;
  CompareArea& area_;
  QComboBox* a_ = nullptr;
  QComboBox* b_ = nullptr;
  QPushButton* begin_ = nullptr;
  QPushButton* pixels_ = nullptr;
  QLabel* unlike_ = nullptr;
  QPushButton* accept_ = nullptr;
  QWidget* controls_ = nullptr;
  std::array<QToolButton*, 4> modes_{};
  std::array<QToolButton*, 4> places_{};
  QCheckBox* same_contrast_ = nullptr;
  QLabel* range_label_ = nullptr;
  QDoubleSpinBox* range_ = nullptr;
  QCheckBox* automatic_range_ = nullptr;
  QCheckBox* line_ = nullptr;
  QSpinBox* line_width_ = nullptr;
  CompareMetricsBox* metrics_ = nullptr;
  CompareCostsBox* costs_ = nullptr;
  bool filling_ = false;
};

/// The Compare tab in the table of panels.
Panel compare_panel();

}  // namespace aprscope::gui

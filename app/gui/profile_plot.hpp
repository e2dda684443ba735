#pragma once

#include <QWidget>

#include "core/image/profile.hpp"

class QCPGraph;
class QCustomPlot;

namespace aprscope::gui {

class ElidedLabel;

/// The profiles of both sides along one line: values against distance. A row above the plot, where
/// no curve is, names both sides and tells the values under the cursor.
class ProfilePlot : public QWidget {
  Q_OBJECT

 public:
  explicit ProfilePlot(QWidget* parent = nullptr);

  void set_profiles(const LineProfile& a, const LineProfile& b, const QString& unit);
  void set_names(const QString& a, const QString& b);
  void clear();

  /// What is plotted, for exports and tests.
  [[nodiscard]] const LineProfile& a() const { return a_; }
  [[nodiscard]] const LineProfile& b() const { return b_; }
  [[nodiscard]] QString unit() const { return unit_; }
  [[nodiscard]] QCustomPlot& plot() { return *plot_; }

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void apply_palette();
  QWidget* build_legend();
  void read_at(double x);

  QCustomPlot* plot_ = nullptr;
  QCPGraph* graph_a_ = nullptr;
  QCPGraph* graph_b_ = nullptr;
  ElidedLabel* name_a_ = nullptr;
  ElidedLabel* name_b_ = nullptr;
  ElidedLabel* reading_ = nullptr;
  LineProfile a_;
  LineProfile b_;
  QString unit_;
};

}  // namespace aprscope::gui

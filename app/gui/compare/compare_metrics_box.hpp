#pragma once

#include <array>

#include "app/gui/compare/compare_feed.hpp"
#include "app/gui/compare/compare_table.hpp"

class QLabel;
class QPushButton;
class QToolButton;

namespace aprscope::gui {

/// How well B agrees with A: metrics of the slice and of the volume, and a button that goes to the
/// largest difference.
class CompareMetricsBox : public CompareTable {
  Q_OBJECT

 public:
  CompareMetricsBox(Document& document, Comparison& comparison, CompareFeed& feed,
                    QWidget* parent = nullptr);

 private:
  void follow();
  void go_to_largest(int column);
  [[nodiscard]] const MetricsState& state(int column) const {
    return column == 0 ? feed_.slice_metrics() : feed_.volume_metrics();
  }

  Document& document_;
  Comparison& comparison_;
  CompareFeed& feed_;
  std::array<QToolButton*, 2> go_{};
  QPushButton* measure_ = nullptr;
  QLabel* note_ = nullptr;
};

}  // namespace aprscope::gui

#pragma once

#include "app/gui/compare/compare_table.hpp"
#include "app/gui/compare/comparison.hpp"

class QLabel;

namespace aprscope::gui {

/// The costs of each side of a comparison: time, memory, device.
class CompareCostsBox : public CompareTable {
  Q_OBJECT

 public:
  explicit CompareCostsBox(Comparison& comparison, QWidget* parent = nullptr);

  /// Shows the sides as they are now.
  void follow();

 private:
  [[nodiscard]] QString summary() const;

  Comparison& comparison_;
  QLabel* summary_ = nullptr;
};

}  // namespace aprscope::gui

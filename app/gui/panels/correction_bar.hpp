#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/cells/corrections.hpp"

class QButtonGroup;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

namespace aprscope::gui {

class SteadyLabel;

/// Corrections of cells by clicks: a button a correction, and what to click. Gathers the places
/// until there are enough of them; whoever owns it does the rest.
class CorrectionBar : public QWidget {
  Q_OBJECT

 public:
  explicit CorrectionBar(QWidget* parent = nullptr);

  /// None: clicks choose cells.
  [[nodiscard]] std::optional<CorrectionAction> tool() const;
  /// A place was clicked while a tool is on, and that was the first half of a double click.
  void click(const Index3& place);
  /// Places of a drag: one correction, of the brush, or of the cells where it began and ended.
  void stroke(const std::vector<Index3>& places);
  /// The last click was the first half of a double click. True: it has made a correction already.
  bool take_back();
  /// Whether drags are strokes.
  [[nodiscard]] bool takes_strokes() const;
  /// What was clicked so far belongs to other data.
  void forget_places();
  /// Goes back to choosing.
  void leave();
  /// Of the lengths that are typed.
  void set_unit(const QString& unit);

 signals:
  void wanted(const aprscope::Correction& correction);
  void next_wanted();
  /// A tool was turned on.
  void tool_taken();
  /// tool() changed.
  void tool_changed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] bool paints() const;
  void build();
  void choose_tool(int tool, bool on);
  void say();
  void finish();

  QButtonGroup* tools_ = nullptr;
  QPushButton* done_ = nullptr;
  QDoubleSpinBox* radius_ = nullptr;
  QSpinBox* slices_ = nullptr;
  SteadyLabel* hint_ = nullptr;
  std::vector<Index3> points_;
  /// The last click was the last one of a correction.
  bool asked_ = false;
};

}  // namespace aprscope::gui

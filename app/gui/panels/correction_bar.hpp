#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/cells/correction.hpp"

class QButtonGroup;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

namespace aprscope::gui {

class SteadyLabel;

/// Corrections of cells by clicks: a button for each correction, and a hint what to click. Collects
/// clicked places until there are enough; its owner makes the correction.
class CorrectionBar : public QWidget {
  Q_OBJECT

 public:
  explicit CorrectionBar(QWidget* parent = nullptr);

  /// The tool that is on; none: clicks choose cells.
  [[nodiscard]] std::optional<CorrectionAction> tool() const;
  /// A place was clicked while a tool is on.
  void click(const Index3& place);
  /// A drag was finished: the path of the brush, or from the first cell to the last one.
  void stroke(const std::vector<Index3>& places);
  /// The last click was part of a double click. Returns true if it has caused a correction already.
  bool take_back();
  /// Whether drags are strokes of the tool.
  [[nodiscard]] bool takes_strokes() const;
  /// Forgets the clicked places, when other data becomes current.
  void forget_places();
  /// Turns the tool off: clicks choose cells again.
  void leave();
  /// Sets the unit of lengths that are typed.
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
  /// The last click has completed a correction.
  bool asked_ = false;
};

}  // namespace aprscope::gui

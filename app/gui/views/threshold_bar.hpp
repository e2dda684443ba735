#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace aprscope::gui {

class ElidedLabel;
class LevelSetChoice;
class PaintChoice;

/// A row of controls for the threshold: on or off, figures of what it keeps, picking values in
/// slices, the surface in the 3-D view with its colours, and a mask.
class ThresholdBar : public QWidget {
  Q_OBJECT

 public:
  ThresholdBar(LevelSetChoice& choice, PaintChoice& paint, QWidget* parent = nullptr);

  void set_reading(const QString& text);
  [[nodiscard]] QString reading() const;
  [[nodiscard]] QCheckBox& toggle() { return *toggle_; }

 signals:
  /// The user turned the threshold on or off.
  void wanted(bool on);
  void mask_requested();

 private:
  void follow();
  void follow_paint();

  LevelSetChoice& choice_;
  PaintChoice& paint_;
  QCheckBox* toggle_ = nullptr;
  ElidedLabel* reading_ = nullptr;
  QToolButton* pick_ = nullptr;
  QToolButton* surface_ = nullptr;
  QPushButton* mask_ = nullptr;
  QLabel* paint_name_ = nullptr;
  QComboBox* paint_items_ = nullptr;
};

}  // namespace aprscope::gui

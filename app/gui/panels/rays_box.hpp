#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;

namespace aprscope::gui {

class Document;

/// How the 3-D view shows what its rays pass, in the Display tab: their maximum, or translucent
/// matter and how deep one looks into it. For all items.
class RaysBox : public QWidget {
  Q_OBJECT

 public:
  explicit RaysBox(Document& document, QWidget* parent = nullptr);

 private:
  void apply();
  void follow();

  Document& document_;
  QComboBox* kind_ = nullptr;
  QSlider* depth_ = nullptr;
  QLabel* length_ = nullptr;
};

}  // namespace aprscope::gui

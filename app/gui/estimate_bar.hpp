#pragma once

#include <QFrame>

#include "app/gui/document.hpp"

class QPushButton;

namespace aprscope::gui {

class ElidedLabel;

/// Under the views: what can be done next with what is shown, and the button that does it. Of a
/// pixel image it tells what Convert would give.
class EstimateBar : public QFrame {
  Q_OBJECT

 public:
  explicit EstimateBar(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] QString text() const;

 signals:
  void open_requested();
  void filter_requested();

 private:
  void follow();
  void act();

  Document& document_;
  ElidedLabel* label_ = nullptr;
  QPushButton* next_ = nullptr;
};

}  // namespace aprscope::gui

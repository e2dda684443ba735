#pragma once

#include <QFrame>

#include "app/gui/document.hpp"

class QLabel;
class QPushButton;

namespace aprscope::gui {

/// Under the views of a pixel image: what Convert would give, and the button that does it.
class EstimateBar : public QFrame {
  Q_OBJECT

 public:
  explicit EstimateBar(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] QString text() const;

 private:
  void follow();

  Document& document_;
  QLabel* label_ = nullptr;
  QPushButton* convert_ = nullptr;
};

}  // namespace aprscope::gui

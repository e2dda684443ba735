#pragma once

#include <QFrame>

#include "app/gui/document/document.hpp"

namespace aprscope::gui {

class ElidedLabel;

/// The bar below the views with figures of the data; for a pixel image, what Convert would give.
class EstimateBar : public QFrame {
  Q_OBJECT

 public:
  explicit EstimateBar(Document& document, QWidget* parent = nullptr);

  [[nodiscard]] QString text() const;

 private:
  void follow();

  Document& document_;
  ElidedLabel* label_ = nullptr;
};

}  // namespace aprscope::gui

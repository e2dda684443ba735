#pragma once

#include <QLabel>

namespace aprscope::gui {

/// One line of plain text that can become narrow: it ends in "…", and a tool tip has all of it.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
};

}  // namespace aprscope::gui

#pragma once

#include <QFrame>

#include "app/gui/document.hpp"
#include "app/gui/theme.hpp"

class QLabel;
class QToolButton;

namespace aprscope::gui {

/// One sentence that floats over the top of its parent: what went wrong and what to do. Never in
/// the way of work; errors and warnings stay until they are dismissed, information leaves by
/// itself.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(Theme& theme, QWidget* parent = nullptr);

  void show_message(MessageKind kind, const QString& text);
  [[nodiscard]] QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QLabel* label_ = nullptr;
  QToolButton* close_ = nullptr;
  class QTimer* timer_ = nullptr;
};

}  // namespace aprscope::gui

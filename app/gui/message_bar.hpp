#pragma once

#include <QFrame>
#include <functional>

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
  /// With something to do about it: a button that calls `act` and takes the message away.
  void show_offer(const QString& text, const QString& button, std::function<void()> act);
  [[nodiscard]] QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QLabel* label_ = nullptr;
  QToolButton* offer_ = nullptr;
  QToolButton* close_ = nullptr;
  std::function<void()> act_;
  class QTimer* timer_ = nullptr;
};

}  // namespace aprscope::gui

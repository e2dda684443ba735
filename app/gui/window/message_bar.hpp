#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <functional>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

class QTimer;
class QToolButton;

namespace aprscope::gui {

class ShortText;

/// A sentence below the views, in a row of its own, so that it covers and moves nothing: what was
/// done, or what went wrong and what to do. It disappears by itself: information after some
/// seconds; warnings and errors when something succeeds after a time for reading, or after a
/// minute. It stays while the pointer is on it. MessageLog keeps all messages.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(Theme& theme, QWidget* parent = nullptr);

  void show_message(MessageKind kind, const QString& text);
  /// Shows a message with a button, which calls `act` and hides the message.
  void show_offer(const QString& text, const QString& button, std::function<void()> act);
  /// The shown text; empty: none.
  [[nodiscard]] QString text() const;

  /// Something succeeded, so that a former error is not important any more.
  void succeeded();
  /// Multiplies all durations by a factor, to shorten tests.
  void set_pace(double factor) { pace_ = factor; }

 signals:
  /// A message was shown, maybe replacing another.
  void said(aprscope::gui::MessageKind kind, const QString& text);
  /// A message appeared or disappeared.
  void occupied(bool occupied);

 protected:
  bool event(QEvent* event) override;

 private:
  void leave_in(int milliseconds);

  ShortText* label_ = nullptr;
  QToolButton* offer_ = nullptr;
  QToolButton* close_ = nullptr;
  std::function<void()> act_;
  QTimer* timer_ = nullptr;
  QElapsedTimer shown_;
  bool lasting_ = false;
  double pace_ = 1.0;
};

}  // namespace aprscope::gui

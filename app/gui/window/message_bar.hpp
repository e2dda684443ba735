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

/// One sentence in a row of its own below the views, where it covers nothing and moves nothing:
/// what was done, or what went wrong and what to do. It leaves by itself: information after some
/// seconds, warnings and errors after the next thing that went well, once there was time to read
/// them, or at last after a minute. Never while the pointer is on it. MessageLog keeps them all.
class MessageBar : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(Theme& theme, QWidget* parent = nullptr);

  void show_message(MessageKind kind, const QString& text);
  /// With something to do about it: a button that calls `act` and takes the message away.
  void show_offer(const QString& text, const QString& button, std::function<void()> act);
  /// What is shown; empty for nothing.
  [[nodiscard]] QString text() const;

  /// Something went well: what went wrong before is of no interest any more.
  void succeeded();
  /// Makes all times that many times as long; for tests, shorter.
  void set_pace(double factor) { pace_ = factor; }

 signals:
  /// A message was shown, by itself or in the place of another.
  void said(aprscope::gui::MessageKind kind, const QString& text);
  /// Whether there is a message to see changed.
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

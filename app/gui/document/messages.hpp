#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope::gui {

/// How severe a message to the user is.
enum class MessageKind { info, warning, error };

/// What is said to the user; the window shows it. UI thread only.
class Messages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void say(MessageKind kind, const QString& text) { emit said(kind, text); }
  /// Nothing is said of what was cancelled.
  void say(const Error& error);
  /// Says where steps were computed elsewhere than on the chosen device, and why; each time.
  void say_moves(const std::vector<StepCost>& costs);

 signals:
  void said(aprscope::gui::MessageKind kind, const QString& text);
};

}  // namespace aprscope::gui

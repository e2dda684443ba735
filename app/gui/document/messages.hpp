#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope::gui {

/// How severe a message to the user is.
enum class MessageKind { info, warning, error };

/// Messages to the user, which the window shows. UI thread only.
class Messages : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void say(MessageKind kind, const QString& text) { emit said(kind, text); }
  /// Shows an error; nothing if the job was cancelled.
  void say(const Error& error);
  /// Reports each time that steps were computed elsewhere than on the chosen device, and why.
  void say_moves(const std::vector<StepCost>& costs);

 signals:
  void said(aprscope::gui::MessageKind kind, const QString& text);
};

}  // namespace aprscope::gui

#pragma once

#include <QToolButton>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

class QPlainTextEdit;

namespace aprscope::gui {

/// A button in the status bar that shows the last messages, for users who missed one or want to
/// copy it. Visible after the first message.
class MessageLog : public QToolButton {
  Q_OBJECT

 public:
  explicit MessageLog(Theme& theme, QWidget* parent = nullptr);

  void add(MessageKind kind, const QString& text);
  /// All messages, the newest first.
  [[nodiscard]] QString text() const;

 private:
  void open();

  QStringList lines_;
};

}  // namespace aprscope::gui

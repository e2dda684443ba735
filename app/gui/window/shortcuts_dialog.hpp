#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace aprscope::gui {

/// Lists all keyboard shortcuts, as the actions define them, and mouse and keys in the views.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);
};

}  // namespace aprscope::gui

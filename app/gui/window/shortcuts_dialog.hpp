#pragma once

#include <QDialog>
#include <QList>

class QAction;

namespace aprscope::gui {

/// All keyboard shortcuts, as the actions have them, and what mouse and keys do in the views.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ShortcutsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);
};

}  // namespace aprscope::gui

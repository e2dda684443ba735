#pragma once

#include <QAction>
#include <QFrame>
#include <QList>
#include <QPointer>
#include <QString>
#include <optional>

class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace aprscope::gui {

/// A command of a menu, as it is listed and found.
struct MenuCommand {
  QPointer<QAction> action;
  /// The titles of its menus and its own text: "View › Text size › Larger".
  QString text;
  /// Whether it, and all menus that lead to it, can be used.
  bool enabled = true;
};

/// All visible commands in the order of their menus. Menus that are filled when they open are
/// filled.
[[nodiscard]] QList<MenuCommand> commands_of(const QMenuBar& bar, const QAction* left_out);

/// How badly a command fits what is typed, 0 is best; nothing: a word does not occur in it. The
/// start of a word counts more than its middle, and the command more than its menus.
[[nodiscard]] std::optional<int> command_rank(const QString& text, const QString& typed);

/// A list of commands above the window that typing narrows. The chosen one runs after the list is
/// closed, with the focus where it was.
class CommandPalette : public QFrame {
  Q_OBJECT

 public:
  CommandPalette(QList<MenuCommand> commands, QWidget* window);

  /// Shows it at the top of its window. It deletes itself when it is closed.
  void open();

 protected:
  /// Keys that move in the list, although the focus stays in the line.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void list_fitting();
  void add_line(qsizetype place);
  void run_current();

  QList<MenuCommand> commands_;
  QLineEdit* typed_ = nullptr;
  QTreeWidget* list_ = nullptr;
};

}  // namespace aprscope::gui

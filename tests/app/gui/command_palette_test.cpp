// Commands are found by words and run with the keys or the mouse.
#include "app/gui/window/command_palette.hpp"

#include <QLineEdit>
#include <QTreeWidget>

#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

class CommandPaletteTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void every_word_must_occur();
  void starts_of_words_and_names_come_first();
  void all_menus_are_listed();
  void typed_words_and_enter_run_a_command();
  void arrows_choose();
  void escape_closes_and_runs_nothing();
  void a_click_runs_a_command();
  void what_is_not_possible_is_grey_and_says_so();
  void recent_files_are_commands();
  void states_are_shown();

 private:
  /// Opens it with its key; null if that did not open it.
  CommandPalette* open() {
    QTest::keyClick(f_->window.get(), Qt::Key_P, Qt::ControlModifier);
    return shown();
  }
  static CommandPalette* shown() {
    return qobject_cast<CommandPalette*>(QApplication::activePopupWidget());
  }
  static QLineEdit& line() { return *shown()->findChild<QLineEdit*>(); }
  static QTreeWidget& list() { return *shown()->findChild<QTreeWidget*>(); }
  static QStringList texts() {
    QStringList all;
    for (int i = 0; i < list().topLevelItemCount(); ++i) all << list().topLevelItem(i)->text(0);
    return all;
  }

  std::unique_ptr<WindowFixture> f_;
};

void CommandPaletteTest::every_word_must_occur() {
  const QString text = QStringLiteral("View › Text size › Larger");
  QVERIFY(command_rank(text, {}).has_value());
  QVERIFY(command_rank(text, QStringLiteral("  ")).has_value());
  QVERIFY(command_rank(text, QStringLiteral("larger")).has_value());
  QVERIFY(command_rank(text, QStringLiteral("LARG  text")).has_value());
  QVERIFY(command_rank(text, QStringLiteral("arg")).has_value());
  QVERIFY(!command_rank(text, QStringLiteral("smaller")).has_value());
  QVERIFY(!command_rank(text, QStringLiteral("larger crop")).has_value());
}

void CommandPaletteTest::starts_of_words_and_names_come_first() {
  const auto rank = [](const char* text, const char* typed) {
    return *command_rank(QString::fromUtf8(text), QString::fromUtf8(typed));
  };
  QCOMPARE(rank("View › Text size › Larger", "lar"), 0);
  QCOMPARE(rank("Process › Crop …", "crop"), 0);
  QVERIFY(rank("View › Slice planes in 3-D", "pla") < rank("View › Explain", "pla"));
  QVERIFY(rank("View › Reset views", "view") < rank("View › Captions", "view"));
  QVERIFY(rank("View › Captions", "view") < rank("File › Preview", "view"));
  // The best of several places counts.
  QCOMPARE(rank("File › Overview view", "view"), 0);
  QCOMPARE(rank("Quit", "q"), 0);
}

void CommandPaletteTest::all_menus_are_listed() {
  QVERIFY(open() != nullptr);
  const QStringList all = texts();
  QVERIFY(all.size() > 40);
  for (const char* text : {"File › Open …", "View › Text size › Larger", "View › Captions",
                           "View › Full screen", "Help › Keyboard shortcuts"}) {
    QVERIFY2(all.contains(QString::fromUtf8(text)), text);
  }
  // Neither itself nor lines between commands.
  QVERIFY(!all.contains(QStringLiteral("Help › Find a command …")));
  QVERIFY(!all.contains(QString()));
  QCOMPARE(QSet<QString>(all.begin(), all.end()).size(), all.size());
  const auto found = list().findItems(QStringLiteral("File › Open …"), Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  QCOMPARE(
      found.front()->text(1),
      f_->window->action(QStringLiteral("open"))->shortcut().toString(QKeySequence::NativeText));
  QVERIFY(shown()->windowFlags().testFlag(Qt::Popup));
  QVERIFY(f_->window->geometry().intersects(shown()->geometry()));
  for (const QWidget* widget : {static_cast<QWidget*>(&line()), static_cast<QWidget*>(&list())}) {
    QVERIFY(!widget->accessibleName().isEmpty());
  }
}

void CommandPaletteTest::typed_words_and_enter_run_a_command() {
  const QAction* captions = f_->window->action(QStringLiteral("show_captions"));
  const bool before = captions->isChecked();
  QVERIFY(open() != nullptr);
  QTest::keyClicks(&line(), QStringLiteral("CAPT vi"));
  QCOMPARE(line().text(), QStringLiteral("CAPT vi"));
  QCOMPARE(texts(), QStringList{QStringLiteral("View › Captions")});
  QTest::keyClick(&line(), Qt::Key_Return);
  QCOMPARE(QApplication::activePopupWidget(), nullptr);
  QTRY_COMPARE(captions->isChecked(), !before);
}

void CommandPaletteTest::arrows_choose() {
  f_->trigger("text_usual");
  const int before = f_->theme.text_size();
  QVERIFY(open() != nullptr);
  QTest::keyClicks(&line(), QStringLiteral("text size"));
  QCOMPARE(texts(), (QStringList{QStringLiteral("View › Text size › Usual size"),
                                 QStringLiteral("View › Text size › Larger"),
                                 QStringLiteral("View › Text size › Smaller")}));
  QCOMPARE(list().currentItem(), list().topLevelItem(0));
  QTest::keyClick(&line(), Qt::Key_Down);
  QTest::keyClick(&line(), Qt::Key_Down);
  QCOMPARE(list().currentItem(), list().topLevelItem(2));
  QTest::keyClick(&line(), Qt::Key_Up);
  QCOMPARE(list().currentItem(), list().topLevelItem(1));
  // What is chosen is told to who cannot see it.
  QCOMPARE(line().accessibleDescription(), list().currentItem()->text(0));
  QTest::keyClick(&line(), Qt::Key_Enter);
  QTRY_VERIFY(f_->theme.text_size() > before);
  f_->trigger("text_usual");
}

void CommandPaletteTest::escape_closes_and_runs_nothing() {
  const QAction* captions = f_->window->action(QStringLiteral("show_captions"));
  const bool before = captions->isChecked();
  QVERIFY(open() != nullptr);
  QTest::keyClicks(&line(), QStringLiteral("captions"));
  QTest::keyClick(&line(), Qt::Key_Escape);
  QTRY_COMPARE(QApplication::activePopupWidget(), nullptr);
  QTest::qWait(50);
  QCOMPARE(captions->isChecked(), before);
  QVERIFY(f_->window->findChild<CommandPalette*>() == nullptr);
  // And it opens again.
  QVERIFY(open() != nullptr);
  QVERIFY(line().text().isEmpty());
}

void CommandPaletteTest::a_click_runs_a_command() {
  const QAction* captions = f_->window->action(QStringLiteral("show_captions"));
  const bool before = captions->isChecked();
  QVERIFY(open() != nullptr);
  QTest::keyClicks(&line(), QStringLiteral("view"));
  const auto found = list().findItems(QStringLiteral("View › Captions"), Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  list().scrollToItem(found.front());
  QTest::mouseClick(list().viewport(), Qt::LeftButton, {},
                    list().visualItemRect(found.front()).center());
  QCOMPARE(QApplication::activePopupWidget(), nullptr);
  QTRY_COMPARE(captions->isChecked(), !before);
}

void CommandPaletteTest::what_is_not_possible_is_grey_and_says_so() {
  QVERIFY(!f_->window->action(QStringLiteral("export"))->isEnabled());
  QVERIFY(open() != nullptr);
  // After all that is possible.
  const int rows = list().topLevelItemCount();
  QVERIFY(!list().topLevelItem(0)->isDisabled());
  QVERIFY(list().topLevelItem(rows - 1)->isDisabled());
  QTest::keyClicks(&line(), QStringLiteral("export"));
  QVERIFY(list().topLevelItemCount() >= 2);
  QTreeWidgetItem* first = list().topLevelItem(0);
  QVERIFY(first->isDisabled());
  QVERIFY(first->toolTip(0).contains(QStringLiteral("Not possible")));
  QVERIFY(list().currentItem() == nullptr);
  QTest::keyClick(&line(), Qt::Key_Return);
  QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, list().visualItemRect(first).center());
  QVERIFY(shown() != nullptr);
  // And words that nothing has.
  QTest::keyClicks(&line(), QStringLiteral(" qqq"));
  QCOMPARE(list().topLevelItemCount(), 1);
  QVERIFY(list().topLevelItem(0)->isDisabled());
  QTest::keyClick(&line(), Qt::Key_Return);
  QVERIFY(shown() != nullptr);
}

void CommandPaletteTest::recent_files_are_commands() {
  const QString path = f_->file("block&more.tif");
  write_block_tiff(path, {8, 16, 24}, {4, 8, 12});
  QVERIFY(f_->drop({path}));
  QVERIFY(open() != nullptr);
  QTest::keyClicks(&line(), QStringLiteral("recent block"));
  QCOMPARE(list().topLevelItemCount(), 1);
  QVERIFY(texts().front().endsWith(QStringLiteral("block&more.tif")));
  QTest::keyClick(&line(), Qt::Key_Return);
  QTRY_COMPARE(f_->document.items().all().size(), std::size_t{2});
  QVERIFY(f_->settle());
}

void CommandPaletteTest::states_are_shown() {
  QVERIFY(open() != nullptr);
  for (const char* name : {"show_captions", "show_heads_up"}) {
    const QAction* action = f_->window->action(QLatin1String(name));
    const QString text = QStringLiteral("View › ") + action->text().remove(QLatin1Char('&'));
    const auto found = list().findItems(text, Qt::MatchExactly);
    QVERIFY2(found.size() == 1, name);
    QCOMPARE(found.front()->checkState(0), action->isChecked() ? Qt::Checked : Qt::Unchecked);
  }
}

APRSCOPE_GUI_TESTS(CommandPaletteTest)
#include "command_palette_test.moc"

// The window as a whole: what it shows when nothing is open, in any size, with any size of text,
// and where the keyboard is.
#include <QAbstractButton>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QToolButton>

#include "app/gui/options.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "app/gui/panels/panel_table.hpp"
#include "app/gui/tasks.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/estimate_bar.hpp"
#include "app/gui/window/message_bar.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "app/gui/window/start_page.hpp"
#include "app/gui/window/status_info.hpp"
#include "render/screenshot.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/sanitized.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;
using aprscope::test::kSanitized;

class LooksWindowTest : public QObject {
  Q_OBJECT

 private slots:
  void the_heads_up_panel_is_for_those_who_ask();
  void a_workspace_keeps_the_heads_up_panel();
  void there_is_one_button_that_converts();
  void an_empty_window_invites();
  void the_program_starts_with_the_page_or_with_what_was_asked_for();
  void recent_files_are_one_click_away();
  void what_an_apr_is_leads_to_the_help();
  void windows_of_any_width_are_whole_data();
  void windows_of_any_width_are_whole();
  void tabs_that_do_not_fit_are_scrolled();
  void docks_that_were_closed_come_back();
  void text_has_the_size_that_is_chosen();
  void the_keyboard_is_always_seen_data();
  void the_keyboard_is_always_seen();

 private:
  static void keep_picture(WindowFixture& f, const QString& name);
  static QDockWidget* dock(WindowFixture& f, const char* name) {
    return f.window->findChild<QDockWidget*>(QLatin1String(name));
  }
  static void open_cells(WindowFixture& f) {
    write_cells_tiff(f.file("cells.tif"), {24, 80, 96});
    QVERIFY(f.drop({f.file("cells.tif")}));
  }
};

// For people to look at, where they say where to.
void LooksWindowTest::keep_picture(WindowFixture& f, const QString& name) {
  const QString folder = qEnvironmentVariable("APRSCOPE_SCREENSHOT_DIR");
  if (folder.isEmpty()) return;
  QTest::qWait(200);
  QVERIFY(screenshot(*f.window).save(folder + QStringLiteral("/looks_%1.png").arg(name)));
}

void LooksWindowTest::the_heads_up_panel_is_for_those_who_ask() {
  WindowFixture f;
  open_cells(f);
  const auto shown = [&] { return !f.window->views().mip().overlays().hud_rect().isEmpty(); };
  QVERIFY(!shown());
  QVERIFY(!f.window->action(QStringLiteral("show_heads_up"))->isChecked());
  f.trigger("show_heads_up");
  QTRY_VERIFY(shown());
  // Whoever asked has it the next time, too.
  f.window->close();
  f.document.view().set_options({});
  f.window = std::make_unique<MainWindow>(f.document, f.theme);
  f.window->show();
  QVERIFY(QTest::qWaitForWindowExposed(f.window.get()));
  QVERIFY(f.settle());
  QVERIFY(f.window->action(QStringLiteral("show_heads_up"))->isChecked());
  QTRY_VERIFY(shown());
}

void LooksWindowTest::a_workspace_keeps_the_heads_up_panel() {
  WindowFixture f;
  open_cells(f);
  f.trigger("show_heads_up");
  QVERIFY(f.window->save_workspace_to(f.file("with.aprscope")).ok());
  f.trigger("show_heads_up");
  QVERIFY(!f.document.view().options().heads_up);
  f.window->open_workspace_from(f.file("with.aprscope"));
  QVERIFY(f.settle());
  QTRY_VERIFY(f.document.view().options().heads_up);
  QTRY_VERIFY(!f.window->views().mip().overlays().hud_rect().isEmpty());
}

void LooksWindowTest::there_is_one_button_that_converts() {
  WindowFixture f;
  open_cells(f);
  int in_all = 0;
  for (const Panel& panel : panel_table()) {
    QVERIFY(f.window->show_panel(panel.id));
    QTest::qWait(20);
    for (const QAbstractButton* button : f.window->findChildren<QAbstractButton*>()) {
      QString text = button->text();
      if (!button->isVisible() || !text.remove(QLatin1Char('&')).contains(tr("Convert"))) continue;
      ++in_all;
      QCOMPARE(button->objectName(), QStringLiteral("convert_button"));
    }
  }
  QCOMPARE(in_all, 1);
  // Its twin in the menu has a key, and does the same.
  QAction* now = f.window->action(QStringLiteral("convert_now"));
  QVERIFY(now->isEnabled() && !now->shortcut().isEmpty());
  QVERIFY(f.window->show_panel(QStringLiteral("convert")));
  QTest::mouseClick(f.window->findChild<QAbstractButton*>(QStringLiteral("convert_button")),
                    Qt::LeftButton);
  QVERIFY(f.settle());
  QVERIFY(f.document.items().current()->is_apr());
}

void LooksWindowTest::an_empty_window_invites() {
  WindowFixture f;
  auto* page = f.window->findChild<StartPage*>();
  QVERIFY(page->isVisible());
  QVERIFY(!f.window->views().isVisible());
  QStringList said;
  for (const QLabel* label : page->findChildren<QLabel*>()) said << label->text();
  const QString all = said.join(QLatin1Char('\n'));
  for (const char* word : {"particle", "drop", "APR"}) {
    QVERIFY2(all.contains(QLatin1String(word)), word);
  }
  keep_picture(f, QStringLiteral("start"));
  // Nothing was opened yet, and there is no help in this window that could explain it.
  QVERIFY(page->findChild<QWidget*>(QStringLiteral("start_recent_file")) == nullptr);
  QTest::mouseClick(page->findChild<QAbstractButton*>(QStringLiteral("start_open")),
                    Qt::LeftButton);
  auto* dialog = f.window->findChild<QDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  dialog->reject();
  QTest::mouseClick(page->findChild<QAbstractButton*>(QStringLiteral("start_demo")),
                    Qt::LeftButton);
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  QVERIFY(f.window->views().isVisible() && !page->isVisible());
  QVERIFY(f.settle());
  QVERIFY(brightness(f.slice(Axis::z).grab().toImage()) > 10.0);
  f.document.edits().close(f.document.items().current()->id);
  QVERIFY(page->isVisible());
}

void LooksWindowTest::the_program_starts_with_the_page_or_with_what_was_asked_for() {
  {
    WindowFixture f;
    const Options nothing;
    Tasks(f.document, *f.window, nothing).open();
    QVERIFY(f.settle());
    QVERIFY(f.document.items().all().empty());
    QVERIFY(f.window->findChild<StartPage*>()->isVisible());
  }
  WindowFixture f;
  Options demo;
  demo.demo = true;
  // While that is read there is nothing to be asked.
  f.window->await_data();
  QVERIFY(!f.window->findChild<StartPage*>()->isVisible());
  Tasks(f.document, *f.window, demo).open();
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
  f.document.edits().close(f.document.items().current()->id);
  QVERIFY(f.window->findChild<StartPage*>()->isVisible());
  // What cannot be read leaves the page.
  f.window->await_data();
  f.document.opener().open(QStringList{f.file("nothing.tif")});
  QVERIFY(f.settle());
  QTRY_VERIFY(f.window->findChild<StartPage*>()->isVisible());
}

void LooksWindowTest::recent_files_are_one_click_away() {
  WindowFixture f;
  const QString path = f.file("a & b <i>.tif");
  write_block_tiff(path, {8, 16, 24}, {4, 8, 12});
  QVERIFY(f.drop({path}));
  f.document.edits().close(f.document.items().current()->id);
  auto* page = f.window->findChild<StartPage*>();
  auto* recent = page->findChild<QAbstractButton*>(QStringLiteral("start_recent_file"));
  QVERIFY(recent != nullptr);
  QTRY_VERIFY(recent->isVisible());
  QVERIFY2(recent->text().startsWith(QStringLiteral("a && b <i>.tif")), qPrintable(recent->text()));
  QCOMPARE(recent->toolTip(), path);
  QTest::mouseClick(recent, Qt::LeftButton);
  QVERIFY(f.settle());
  QCOMPARE(f.document.items().all().size(), std::size_t{1});
}

void LooksWindowTest::what_an_apr_is_leads_to_the_help() {
  WindowFixture f;
  auto* page = f.window->findChild<StartPage*>();
  auto* link = page->findChild<QAbstractButton*>(QStringLiteral("start_help"));
  QAction* help = f.window->action(QStringLiteral("help_page"));
  if (help == nullptr) {
    QVERIFY(!link->isVisible());
    help = new QAction(f.window.get());
    help->setObjectName(QStringLiteral("help_page"));
  }
  page->hide();
  page->show();
  QVERIFY(link->isVisible());
  QSignalSpy triggered(help, &QAction::triggered);
  QTest::mouseClick(link, Qt::LeftButton);
  QCOMPARE(triggered.count(), 1);
}

void LooksWindowTest::windows_of_any_width_are_whole_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<bool>("light");
  // These run with sanitizers alone where time is short: each width in one theme, by turns.
  bool dark_turn = true;
  for (const QSize size :
       {QSize(1000, 700), QSize(1280, 800), QSize(1600, 1000), QSize(3840, 2160)}) {
    for (const bool light : {false, true}) {
      if (kSanitized && light == dark_turn) continue;
      QTest::addRow("%d %s", size.width(), light ? "light" : "dark") << size << light;
    }
    dark_turn = !dark_turn;
  }
}

void LooksWindowTest::windows_of_any_width_are_whole() {
  QFETCH(QSize, size);
  QFETCH(bool, light);
  WindowFixture f;
  if (light) f.theme.apply(ThemeKind::light);
  f.window->resize(size);
  open_cells(f);
  QTest::qWait(100);
  f.trigger("reset_layout");
  QTest::qWait(100);
  // The layout can be as small as asked for, and all of it is inside.
  QCOMPARE(f.window->size(), size);
  for (const char* name : {"data_dock", "history_dock", "panel_dock"}) {
    const QDockWidget* one = dock(f, name);
    QVERIFY(one->isVisible());
    QVERIFY2(f.window->rect().contains(one->geometry()), name);
  }
  // The views have the most of it.
  QVERIFY2(f.window->views().width() >= 2 * size.width() / 5,
           qPrintable(QString::number(f.window->views().width())));
  for (const Panel& panel : panel_table()) {
    QVERIFY(f.window->show_panel(panel.id));
    QVERIFY(f.settle());
    QTest::qWait(30);
    QCOMPARE(f.window->size(), size);
    const QWidget* content = f.window->tabs().currentWidget();
    for (const QAbstractButton* button : content->findChildren<QAbstractButton*>()) {
      if (!button->isVisible()) continue;
      // What is scrolled out of sight is so as a whole row.
      const QRect seen = button->visibleRegion().boundingRect();
      QVERIFY2(seen.isEmpty() || seen.width() == button->width(),
               qPrintable(QStringLiteral("%1: %2").arg(panel.id, button->text())));
      QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
    }
    keep_picture(f, QStringLiteral("%1_%2_%3")
                        .arg(QString::number(size.width()),
                             light ? QStringLiteral("light") : QStringLiteral("dark"), panel.id));
  }
}

void LooksWindowTest::tabs_that_do_not_fit_are_scrolled() {
  WindowFixture f;
  open_cells(f);
  f.window->resize(1000, 700);
  // More tabs, or larger text in a language of longer words.
  PanelTabs& tabs = f.window->tabs();
  tabs.setMinimumWidth(0);
  tabs.setMaximumWidth(290);
  QTest::qWait(100);
  auto* bar = tabs.findChild<QTabBar*>();
  const std::vector<Panel> panels = panel_table();
  int wide = 0;
  for (const Panel& panel : panels) wide += tabs.tab_rect(panel.id).width();
  QVERIFY(wide > bar->width());
  QToolButton* forward = nullptr;
  for (QToolButton* button : bar->findChildren<QToolButton*>()) {
    if (button->isVisible() && button->arrowType() == Qt::RightArrow) forward = button;
  }
  QVERIFY(forward != nullptr);
  QVERIFY(bar->rect().contains(forward->geometry()));
  keep_picture(f, QStringLiteral("tabs"));
  const QString last = panels.back().id;
  for (int i = 0; i < 10 && forward->isEnabled(); ++i) QTest::mouseClick(forward, Qt::LeftButton);
  const QRect at = tabs.tab_rect(last);
  QVERIFY(at.center().x() > 0 && at.center().x() < forward->x());
  QTest::mouseClick(bar, Qt::LeftButton, {}, at.center());
  QCOMPARE(f.window->shown_panel(), last);
}

void LooksWindowTest::docks_that_were_closed_come_back() {
  WindowFixture f;
  open_cells(f);
  f.window->resize(1000, 700);
  for (const char* name : {"data_dock", "history_dock"}) {
    QDockWidget* one = dock(f, name);
    auto* close = one->findChild<QAbstractButton*>(QStringLiteral("qt_dockwidget_closebutton"));
    QVERIFY(close != nullptr && close->isVisible());
    QTest::mouseClick(close, Qt::LeftButton);
    QVERIFY(!one->isVisible());
    // The entry of the View menu brings it back.
    one->toggleViewAction()->trigger();
    QVERIFY(one->isVisible());
    QTest::mouseClick(close, Qt::LeftButton);
  }
  dock(f, "panel_dock")->toggleViewAction()->trigger();
  QVERIFY(!dock(f, "panel_dock")->isVisible());
  // A key that asks for a panel gets it.
  QTest::keyClick(f.window.get(), Qt::Key_F6);
  QVERIFY(dock(f, "panel_dock")->isVisible());
  f.trigger("reset_layout");
  QTest::qWait(50);
  for (const char* name : {"data_dock", "history_dock", "panel_dock"}) {
    QVERIFY2(dock(f, name)->isVisible(), name);
  }
  QVERIFY(f.window->views().width() >= 400);
}

void LooksWindowTest::text_has_the_size_that_is_chosen() {
  WindowFixture f;
  open_cells(f);
  auto* list = f.window->findChild<QWidget*>(QStringLiteral("data_list"));
  auto* chip = f.window->findChild<QWidget*>(QStringLiteral("convert_chip"));
  const auto heights = [&] {
    return std::vector<int>{list->fontMetrics().height(), chip->fontMetrics().height(),
                            f.window->menuBar()->fontMetrics().height(),
                            f.window->findChild<StatusInfo*>()->fontMetrics().height()};
  };
  const std::vector<int> usual = heights();
  const QImage view = f.slice(Axis::z).grab().toImage();
  f.window->activateWindow();
  for (int i = 0; i < 3; ++i) QTest::keyClick(f.window.get(), Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(f.theme.text_size(), 150);
  const std::vector<int> large = heights();
  for (std::size_t i = 0; i < usual.size(); ++i) QVERIFY(large[i] > 13 * usual[i] / 10);
  QVERIFY(f.settle());
  QVERIFY(f.slice(Axis::z).grab().toImage() != view);
  f.window->resize(1400, 900);
  QVERIFY(f.window->show_panel(QStringLiteral("convert")));
  QVERIFY(f.settle());
  f.document.messages().say(MessageKind::warning, QStringLiteral("words ").repeated(20));
  QTest::qWait(50);
  QVERIFY(f.window->message_bar().height() >= 2 * f.window->message_bar().fontMetrics().height());
  for (const Panel& panel : panel_table()) {
    QVERIFY(f.window->show_panel(panel.id));
    QVERIFY(f.settle());
    keep_picture(f, QStringLiteral("text_150_%1").arg(panel.id));
  }
  // It is kept, and a new window has it at once.
  f.window->close();
  f.theme.set_text_size(100);
  f.window = std::make_unique<MainWindow>(f.document, f.theme);
  f.window->show();
  QVERIFY(QTest::qWaitForWindowExposed(f.window.get()));
  QCOMPARE(f.theme.text_size(), 150);
  QApplication::setActiveWindow(f.window.get());
  QTest::keyClick(f.window.get(), Qt::Key_Minus, Qt::ControlModifier);
  QCOMPARE(f.theme.text_size(), 130);
  f.trigger("text_usual");
  QCOMPARE(f.theme.text_size(), 100);
  QCOMPARE(f.window->findChild<QWidget*>(QStringLiteral("data_list"))->fontMetrics().height(),
           usual[0]);
}

void LooksWindowTest::the_keyboard_is_always_seen_data() {
  QTest::addColumn<bool>("light");
  QTest::newRow("dark") << false;
  QTest::newRow("light") << true;
}

void LooksWindowTest::the_keyboard_is_always_seen() {
  QFETCH(bool, light);
  WindowFixture f;
  if (light) f.theme.apply(ThemeKind::light);
  open_cells(f);
  QVERIFY(f.document.runner().apply(Operation{"convert", {}}) != 0);
  QVERIFY(f.settle());
  QStringList unseen;
  int seen = 0;
  const auto look = [&](QWidget& widget) {
    // Where there is nothing else that could change.
    f.window->setFocus();
    widget.clearFocus();
    QTest::qWait(1);
    const QImage before = widget.grab().toImage();
    widget.setFocus(Qt::TabFocusReason);
    QTest::qWait(1);
    if (!widget.hasFocus()) return;  // hands it on to a part of it
    ++seen;
    if (widget.grab().toImage() == before) {
      unseen << QStringLiteral("%1 %2 in %3")
                    .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
                         f.window->shown_panel());
    }
  };
  // What is beside the panels is looked at once.
  bool first = true;
  for (const Panel& panel : panel_table()) {
    QVERIFY(f.window->show_panel(panel.id));
    QVERIFY(f.settle());
    for (QWidget* widget : f.window->findChildren<QWidget*>()) {
      const bool elsewhere = !first && !f.window->tabs().isAncestorOf(widget);
      if (elsewhere || !widget->isVisible() || !widget->isEnabled()) continue;
      if ((widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() != nullptr) continue;
      look(*widget);
    }
    first = false;
  }
  QVERIFY(seen > 40);
  QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char('\n'))));
}

APRSCOPE_GUI_TESTS(LooksWindowTest)
#include "looks_window_test.moc"

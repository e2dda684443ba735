// The panels: a table of ids, and each is shown by its own, from wherever it is asked for.
#include <QDockWidget>
#include <QLabel>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QToolButton>

#include "app/gui/application.hpp"
#include "app/gui/document/label_choice.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/help/help_text.hpp"
#include "app/gui/options.hpp"
#include "app/gui/panels/panel_table.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "tests/app/gui/window_fixture.hpp"

using namespace aprscope;
using namespace aprscope::gui;
using namespace aprscope::gui::test;

namespace {

std::variant<Options, int> parsed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "aprscope");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return parse_options(static_cast<int>(argv.size()), argv.data());
}

}  // namespace

class PanelsTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { f_ = std::make_unique<WindowFixture>(); }
  void cleanup() { f_.reset(); }
  void the_table_is_sound();
  void tabs_stand_in_the_order_of_the_table();
  void all_tabs_are_seen_at_once();
  void each_is_shown_by_its_id();
  void an_unknown_id_changes_nothing();
  void each_has_its_action_and_key();
  void each_is_a_word_of_the_command_line();
  void asked_for_it_brings_its_dock_along();
  void a_line_in_the_table_is_all_that_a_panel_needs();

 private:
  // The contents of a panel, where it is the one that is seen.
  QWidget* seen() { return f_->window->tabs().currentWidget(); }
  QDockWidget* dock() { return f_->window->findChild<QDockWidget*>(QStringLiteral("panel_dock")); }

  std::unique_ptr<WindowFixture> f_;
};

void PanelsTest::the_table_is_sound() {
  QStringList ids;
  QSet<QString> titles;
  QSet<QString> keys;
  for (const Panel& panel : panel_table()) {
    ids << panel.id;
    // A word of the command line, and part of the name of an action.
    static const QRegularExpression word(QStringLiteral("^[a-z][a-z_]*$"));
    QVERIFY2(word.match(panel.id).hasMatch(), qPrintable(panel.id));
    QVERIFY2(!panel.title.isEmpty(), qPrintable(panel.id));
    QVERIFY2(!titles.contains(panel.title), qPrintable(panel.title));
    titles << panel.title;
    QVERIFY2(panel.make != nullptr, qPrintable(panel.id));
    QVERIFY2(!help_title(panel.id).isEmpty(), qPrintable(panel.id));
    // What can be opened by itself can be opened by the keyboard.
    QCOMPARE(panel.key.isEmpty(), !panel.opens_by_itself());
    if (panel.key.isEmpty()) continue;
    QVERIFY2(!keys.contains(panel.key.toString()), qPrintable(panel.id));
    keys << panel.key.toString();
  }
  QCOMPARE(ids, QStringList({"display", "convert", "filter", "deconvolve", "measure", "cells",
                             "reconstruct", "compare"}));
  QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
}

void PanelsTest::tabs_stand_in_the_order_of_the_table() {
  const PanelTabs& tabs = f_->window->tabs();
  const std::vector<Panel> panels = panel_table();
  QCOMPARE(tabs.count(), static_cast<int>(panels.size()));
  int end = 0;
  for (const Panel& panel : panels) {
    const QRect at = tabs.tab_rect(panel.id);
    QVERIFY2(!at.isEmpty() && at.left() >= end, qPrintable(panel.id));
    end = at.right();
    QCOMPARE(tabs.tabText(tabs.tabBar()->tabAt(at.center())), panel.title);
  }
  QCOMPARE(f_->window->shown_panel(), panels.front().id);
}

void PanelsTest::all_tabs_are_seen_at_once() {
  const auto* bar = f_->window->tabs().findChild<QTabBar*>();
  for (int i = 0; i < bar->count(); ++i) {
    QVERIFY2(bar->rect().contains(bar->tabRect(i)), qPrintable(bar->tabText(i)));
  }
  for (const auto* arrow : bar->findChildren<QToolButton*>()) QVERIFY(!arrow->isVisible());
}

void PanelsTest::each_is_shown_by_its_id() {
  QSet<QWidget*> contents;
  const std::vector<Panel> panels = panel_table();
  for (auto panel = panels.rbegin(); panel != panels.rend(); ++panel) {
    QVERIFY(f_->window->show_panel(panel->id));
    QCOMPARE(f_->window->shown_panel(), panel->id);
    QCOMPARE(f_->window->tabs().shown_title(), panel->title);
    QTRY_VERIFY(seen()->isVisible());
    contents << seen();
  }
  QCOMPARE(contents.size(), static_cast<qsizetype>(panels.size()));
  // Again what is open already.
  QVERIFY(f_->window->show_panel(panels.front().id));
  QCOMPARE(f_->window->shown_panel(), panels.front().id);
}

void PanelsTest::an_unknown_id_changes_nothing() {
  QVERIFY(f_->window->show_panel(QStringLiteral("filter")));
  dock()->hide();
  for (const char* id : {"", "Filter", "2", "no_such_panel"}) {
    QVERIFY2(!f_->window->show_panel(QLatin1String(id)), id);
    QCOMPARE(f_->window->shown_panel(), QStringLiteral("filter"));
    QVERIFY(f_->window->tabs().tab_rect(QLatin1String(id)).isEmpty());
  }
  QVERIFY(!dock()->isVisible());
}

void PanelsTest::each_has_its_action_and_key() {
  const std::vector<Panel> panels = panel_table();
  for (auto panel = panels.rbegin(); panel != panels.rend(); ++panel) {
    QAction* action = f_->window->action(QStringLiteral("panel_") + panel->id);
    QCOMPARE(action != nullptr, panel->opens_by_itself());
    if (action == nullptr) continue;
    QCOMPARE(action->text(), panel->menu_text);
    QCOMPARE(action->shortcut(), panel->key);
    QCOMPARE(action->icon().isNull(), panel->icon == nullptr);
    QTest::keyClick(f_->window.get(), panel->key[0].key(), panel->key[0].keyboardModifiers());
    QCOMPARE(f_->window->shown_panel(), panel->id);
  }
  // A comparison brings its own along, and has to be possible first.
  QVERIFY(!f_->window->action(QStringLiteral("compare"))->isEnabled());
}

void PanelsTest::each_is_a_word_of_the_command_line() {
  int words = 0;
  for (const Panel& panel : panel_table()) {
    const auto options = parsed({"--panel", panel.id.toStdString()});
    if (!panel.opens_by_itself()) {
      // Wrong usage.
      QCOMPARE(std::get<int>(options), 2);
      continue;
    }
    ++words;
    arrange(*f_->window, std::get<Options>(options));
    QCOMPARE(f_->window->shown_panel(), panel.id);
    QTRY_VERIFY(seen()->isVisible());
  }
  QCOMPARE(words, 7);
  QCOMPARE(std::get<int>(parsed({"--panel", "2"})), 2);
  // Nothing asked for, nothing changed.
  const QString shown = f_->window->shown_panel();
  arrange(*f_->window, std::get<Options>(parsed({})));
  QCOMPARE(f_->window->shown_panel(), shown);
}

void PanelsTest::asked_for_it_brings_its_dock_along() {
  for (const Panel& panel : panel_table()) {
    dock()->hide();
    QVERIFY(f_->window->show_panel(panel.id));
    QTRY_VERIFY(dock()->isVisible() && seen()->isVisible());
  }
}

void PanelsTest::a_line_in_the_table_is_all_that_a_panel_needs() {
  const auto toy = [](const char* id, QWidget* (*make)(const PanelHost&)) {
    return Panel{.id = QLatin1String(id), .title = QStringLiteral("Toy %1").arg(id), .make = make};
  };
  MeasurementPreview measured(f_->document);
  LabelChoice labels;
  const PanelHost host{.document = f_->document,
                       .views = f_->window->views(),
                       .comparison = f_->window->comparison(),
                       .compare_area = f_->window->compare_area(),
                       .measured = measured,
                       .labels = labels,
                       .offer_keep = {},
                       .export_comparison = {}};
  std::vector<Panel> panels = panel_table();
  // Before all others, where every number would go wrong.
  panels.insert(panels.begin(), toy("toy", [](const PanelHost& given) -> QWidget* {
                  return new QLabel(QString::number(given.document.items().all().size()));
                }));
  PanelTabs tabs(panels, host);
  QCOMPARE(tabs.shown(), QStringLiteral("toy"));
  QCOMPARE(qobject_cast<QLabel*>(tabs.currentWidget())->text(), QStringLiteral("0"));
  for (const Panel& panel : panels) {
    QVERIFY(tabs.open(panel.id));
    QCOMPARE(tabs.shown(), panel.id);
    QCOMPARE(tabs.shown_title(), panel.title);
  }
}

APRSCOPE_GUI_TESTS(PanelsTest)
#include "panels_test.moc"

// Help of the window: the page, the "?" of panels and docks, the tour.
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

#include "app/gui/help/guide_pages.hpp"
#include "app/gui/help/guide_window.hpp"
#include "app/gui/help/help_text.hpp"
#include "app/gui/help/help_window.hpp"
#include "app/gui/window/command_palette.hpp"
#include "app/gui/window/help_button.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "app/gui/window/tour.hpp"

namespace aprscope::gui {

void MainWindow::build_help_actions(QMenu& menu) {
  connect(add_action(menu, "help_page", tr("&What is this?"), QKeySequence(Qt::SHIFT | Qt::Key_F1)),
          &QAction::triggered, this, [this] { open_help(QStringLiteral("about")); });
  connect(add_action(menu, "take_tour", tr("Take the &tour"), {}), &QAction::triggered, tour_,
          &Tour::start);
  QAction* guide = add_action(menu, "guide", tr("&Guide"), {});
  guide->setEnabled(!guide_page().isEmpty());
  connect(guide, &QAction::triggered, this, [this] {
    auto* window = findChild<GuideWindow*>();
    if (window == nullptr) window = new GuideWindow(guide_page(), theme_, this);
    window->show();
    window->raise();
    window->activateWindow();
  });
  menu.addSeparator();
  QAction* find =
      add_action(menu, "find_command", tr("&Find a command …"), QKeySequence(tr("Ctrl+P")));
  connect(find, &QAction::triggered, this, [this, find] {
    auto* palette = new CommandPalette(commands_of(*menuBar(), find), this);
    palette->open();
  });
  connect(add_action(menu, "shortcuts", tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_F1)),
          &QAction::triggered, this, &MainWindow::show_shortcuts);
  connect(add_action(menu, "about", tr("&About aprscope"), {}), &QAction::triggered, this,
          &MainWindow::show_about);
}

void MainWindow::build_help() {
  tour_ = new Tour(document_, *this);
  connect(tour_, &Tour::more_requested, this, &MainWindow::open_help);
  // All tabs share one "?" button, which is about the open tab.
  panel_help_ = new HelpButton(tabs_);
  panel_help_->setObjectName(QStringLiteral("panel_help"));
  tabs_->setCornerWidget(panel_help_, Qt::TopRightCorner);
  const auto follow = [this] { panel_help_->set_place(tabs_->shown(), tabs_->shown_title()); };
  connect(tabs_, &PanelTabs::currentChanged, panel_help_, follow);
  follow();
  connect(panel_help_, &HelpButton::asked, this, &MainWindow::open_help);
  for (QDockWidget* dock : {data_dock_, history_dock_}) {
    auto* button = new HelpButton(dock);
    button->set_place(QStringLiteral("keeping"), dock->windowTitle());
    button->stand_in_title(*dock);
    connect(button, &HelpButton::asked, this, &MainWindow::open_help);
  }
}

void MainWindow::open_help(const QString& section) {
  if (help_window_ == nullptr) {
    help_window_ = new HelpWindow(theme_, this);
    connect(help_window_, &HelpWindow::tour_requested, this, [this] {
      help_window_->hide();
      tour_->start();
    });
  }
  help_window_->open_at(section);
}

QWidget& MainWindow::panel_help() { return *panel_help_; }

}  // namespace aprscope::gui

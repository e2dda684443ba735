// The comparison in the window: its menu, its keys, and when it replaces the views.
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/window/bookmarks_dialog.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/status_info.hpp"

namespace aprscope::gui {

void MainWindow::build_compare_actions(QMenu& menu) {
  QAction* compare =
      add_action(menu, "compare", tr("&Compare A and B"), QKeySequence(Qt::Key_F9), "compare");
  compare->setIconText(tr("Compare"));
  compare->setCheckable(true);
  connect(compare, &QAction::triggered, this, [this](bool on) {
    const Status done = comparison_->set_active(on);
    if (!done) document_.messages().say(done.error());
    action(QStringLiteral("compare"))->setChecked(comparison_->active());
  });
  QAction* pixels =
      add_action(menu, "compare_pixels", tr("Compare with &pixels"), QKeySequence(tr("Ctrl+K")));
  pixels->setToolTip(tr("The same steps on the pixel image, beside this result (Ctrl+K)"));
  connect(pixels, &QAction::triggered, comparison_, &Comparison::compare_with_pixels);
  menu.addSeparator();
  const auto mode = [&](const char* name, const QString& text, const char* key, CompareMode m) {
    connect(add_action(menu, name, text, QKeySequence(QLatin1String(key))), &QAction::triggered,
            this, [this, m] {
              if (!comparison_->active()) action(QStringLiteral("compare"))->trigger();
              CompareSettings settings = comparison_->settings();
              settings.mode = m;
              comparison_->set_settings(settings);
            });
  };
  mode("compare_mode_side", tr("&Side by side"), "Ctrl+1", CompareMode::side_by_side);
  mode("compare_mode_reveal", tr("&Reveal with a handle"), "Ctrl+2", CompareMode::reveal);
  mode("compare_mode_difference", tr("&Difference B − A"), "Ctrl+3", CompareMode::difference);
  mode("compare_mode_three", tr("A, B &and difference"), "Ctrl+4", CompareMode::all_three);
  menu.addSeparator();
  connect(
      add_action(menu, "compare_swap_sides", tr("S&wap A and B"), QKeySequence(tr("Ctrl+Shift+X"))),
      &QAction::triggered, comparison_, &Comparison::swap);
  const auto toggle = [&](const char* name, const QString& text, const char* key,
                          bool CompareSettings::*member) {
    QAction* made = add_action(menu, name, text, QKeySequence(QLatin1String(key)));
    made->setCheckable(true);
    made->setChecked(comparison_->settings().*member);
    connect(made, &QAction::triggered, this, [this, member](bool on) {
      CompareSettings settings = comparison_->settings();
      settings.*member = on;
      if (!settings.line_tool) settings.line.reset();
      comparison_->set_settings(settings);
    });
    connect(comparison_, &Comparison::settings_changed, made,
            [this, made, member] { made->setChecked(comparison_->settings().*member); });
  };
  toggle("compare_same_contrast_action", tr("Same c&ontrast and colours"), "Ctrl+Shift+L",
         &CompareSettings::same_contrast);
  // Its key is that of measure_line, which does this while there is a comparison.
  toggle("compare_line_action", tr("&Line profile"), "", &CompareSettings::line_tool);
  menu.addSeparator();
  QAction* write = add_action(menu, "compare_export_action", tr("&Export the comparison …"),
                              QKeySequence(tr("Ctrl+Shift+E")));
  write->setEnabled(false);
  connect(write, &QAction::triggered, this, &MainWindow::ask_export_comparison);
}

void MainWindow::connect_comparison() {
  connect(comparison_, &Comparison::active_changed, this, [this](bool active) {
    choose_page();
    action(QStringLiteral("compare"))->setChecked(active);
    action(QStringLiteral("compare_export_action"))->setEnabled(active);
    if (active) show_panel(QStringLiteral("compare"));
    if (auto* bookmarks = findChild<BookmarksDialog*>(); active && bookmarks != nullptr) {
      bookmarks->close();
    }
    update_actions();
  });
  connect(compare_area_, &CompareArea::hovered, this,
          [this](const Index3& p) { status_info_->set_position(p, std::nullopt); });
  connect(compare_area_, &CompareArea::hover_left, status_info_, &StatusInfo::clear_position);
}

void MainWindow::show_compared(ViewPlace place) {
  CompareSettings settings = comparison_->settings();
  settings.place = place == ViewPlace::mip  ? ComparePlace::volume
                   : place == ViewPlace::yz ? ComparePlace::yz
                   : place == ViewPlace::xz ? ComparePlace::xz
                                            : ComparePlace::xy;
  comparison_->set_settings(settings);
}

}  // namespace aprscope::gui

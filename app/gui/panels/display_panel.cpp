#include "app/gui/panels/display_panel.hpp"

#include <QVBoxLayout>

#include "app/gui/document/document.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/display_controls.hpp"
#include "app/gui/widgets/scrolled.hpp"

namespace aprscope::gui {

DisplayPanel::DisplayPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), controls_(new DisplayControls(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(controls_);

  connect(controls_, &DisplayControls::settings_edited, this, [this](const DisplaySettings& s) {
    if (const Item* item = document_.items().current()) document_.edits().set_display(item->id, s);
  });
  const auto follow_current = [this](std::uint64_t id) {
    const Item* item = document_.items().current();
    if (item != nullptr && item->id == id) follow_item();
  };
  connect(&document_.items(), &ItemList::current_changed, this, &DisplayPanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, follow_current);
  connect(&document_.items(), &ItemList::display_changed, this, follow_current);
  follow_item();
}

void DisplayPanel::follow_item() {
  const Item* item = document_.items().current();
  controls_->setEnabled(item != nullptr);
  follow_reach();
  if (item == nullptr) return;
  if (item->histogram && item->histogram.get() != shown_histogram_) {
    shown_histogram_ = item->histogram.get();
    controls_->set_histogram(*item->histogram);
  }
  // What the user is editing right now is there already.
  if (item->id == shown_item_ && controls_->settings() == item->display) return;
  shown_item_ = item->id;
  controls_->set_settings(item->display, item->is_apr(), item->pixels != nullptr);
}

void DisplayPanel::follow_reach() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  const bool volume = volume_shown_ && has_values(*item->dataset);
  controls_->set_contrast_reach(item->display.mode != ShowMode::level ? ContrastReach::all_views
                                : volume                              ? ContrastReach::volume_only
                                                                      : ContrastReach::nothing);
}

void DisplayPanel::set_volume_shown(bool shown) {
  volume_shown_ = shown;
  follow_reach();
}

Panel display_panel() {
  return {.id = QStringLiteral("display"),
          .title = DisplayPanel::tr("Display"),
          .menu_text = DisplayPanel::tr("&Display"),
          .key = Qt::Key_F5,
          .make = [](const PanelHost& host) {
            auto* panel = new DisplayPanel(host.document);
            QObject::connect(
                &host.views, &ViewsArea::volume_shown_changed, panel,
                [panel, &views = host.views] { panel->set_volume_shown(views.volume_shown()); });
            return scrolled(panel);
          }};
}

}  // namespace aprscope::gui

#include "app/gui/panels/filter_panel.hpp"

#include <QHideEvent>
#include <QVBoxLayout>

#include "app/gui/document/document.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/panels/filter_controls.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {

FilterPanel::FilterPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), controls_(new FilterControls(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(controls_);
  controls_->add_choice(new AllChannelsBox(document, this));

  connect(controls_, &FilterControls::preview_changed, this, &FilterPanel::renew_preview);
  connect(controls_, &FilterControls::apply_requested, this,
          [this](const Operation& operation) { document_.runner().apply(operation); });
  connect(&document_.items(), &ItemList::current_changed, this, &FilterPanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, [this] { follow_item(); });
  follow_item();
}

void FilterPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  renew_preview();
}

void FilterPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Only if another tab is opened, not if the window is minimised.
  if (!event->spontaneous() && document_.preview().operation() &&
      !is_estimated(*document_.preview().operation())) {
    document_.preview().clear();
  }
}

void FilterPanel::follow_item() {
  const Item* item = document_.items().current();
  if (item == nullptr) {
    controls_->clear_target();
    return;
  }
  FilterTarget target;
  target.is_apr = item->is_apr();
  target.size = item->dataset->size();
  target.voxel = item->dataset->voxel();
  target.level_max = finest_level(target.size);
  target.level_min = target.level_max;
  if (item->is_apr()) target.level_min = item->dataset->apr().access->level_min_used();
  controls_->set_target(target);
  renew_preview();
}

void FilterPanel::renew_preview() {
  if (!isVisible() || document_.items().current() == nullptr) return;
  controls_->set_note({});
  if (!controls_->preview_wanted()) {
    document_.preview().clear();
    return;
  }
  const Operation& operation = controls_->operation();
  if (const Status supported = document_.runner().supports(operation); !supported) {
    document_.preview().clear();
    controls_->set_note(QString::fromStdString(supported.error().message()));
    return;
  }
  document_.preview().set(operation);
}

Panel filter_panel() {
  return {.id = QStringLiteral("filter"),
          .title = FilterPanel::tr("Filter"),
          .menu_text = FilterPanel::tr("&Filter"),
          .icon = "filter",
          .key = Qt::Key_F7,
          // The panel scrolls its parameters itself, so that its buttons remain visible.
          .make = [](const PanelHost& host) -> QWidget* { return new FilterPanel(host.document); }};
}

}  // namespace aprscope::gui

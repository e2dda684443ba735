#include "app/gui/panels/convert_panel.hpp"

#include <QHideEvent>
#include <QVBoxLayout>

#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/document/document.hpp"
#include "app/gui/panels/all_channels_box.hpp"
#include "app/gui/panels/convert_controls.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {

ConvertPanel::ConvertPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), controls_(new ConvertControls(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(controls_);
  auto* all = new AllChannelsBox(document, this);
  controls_->add_choice(all);
  const auto follow_channels = [this, all] {
    controls_->set_several_channels(all->has_several() && all->isChecked());
  };
  connect(all, &QCheckBox::toggled, this, follow_channels);
  connect(all, &AllChannelsBox::several_changed, this, follow_channels);
  follow_channels();

  connect(controls_, &ConvertControls::preview_changed, this, &ConvertPanel::renew_preview);
  connect(controls_, &ConvertControls::convert_requested, this,
          [this](const Operation& operation) { document_.runner().apply(operation); });
  connect(&document_.items(), &ItemList::current_changed, this, &ConvertPanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, [this] { follow_item(); });
  connect(&document_.preview(), &PreviewState::estimate_changed, this,
          &ConvertPanel::follow_estimate);
  follow_item();
}

void ConvertPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow_editing();
  renew_preview();
}

void ConvertPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  // Only if another tab is opened, not if the window is minimised.
  if (event->spontaneous()) return;
  follow_editing();
  if (document_.preview().operation() && is_estimated(*document_.preview().operation())) {
    document_.preview().clear();
  }
}

void ConvertPanel::follow_editing() {
  const Item* item = document_.items().current();
  document_.preview().conversion_preview().set_editing(isVisible() && item != nullptr &&
                                                       !item->is_apr());
}

void ConvertPanel::follow_item() {
  const Item* item = document_.items().current();
  const bool pixels = item != nullptr && !item->is_apr();
  controls_->set_available(
      pixels, item == nullptr ? tr("Open an image to convert it.")
                              : tr("This is an APR already. Choose a pixel image in the data list "
                                   "to convert it."));
  follow_editing();
  renew_preview();
}

void ConvertPanel::renew_preview() {
  const Item* item = document_.items().current();
  if (item == nullptr || item->is_apr()) return;
  const Operation& operation = controls_->operation();
  if (isVisible() && controls_->preview_wanted()) {
    document_.preview().set_conversion_view(controls_->preview_levels() ? ShowMode::level
                                                                        : ShowMode::constant);
    document_.preview().set(operation);
  } else {
    if (document_.preview().operation() && is_estimated(*document_.preview().operation()))
      document_.preview().clear();
    document_.preview().request_estimate(operation);
  }
  follow_estimate();
}

void ConvertPanel::follow_estimate() {
  if (document_.preview().estimate_pending()) {
    controls_->set_estimating();
  } else if (document_.preview().estimate()) {
    controls_->set_estimate(*document_.preview().estimate());
  } else {
    controls_->set_estimate_failed(tr("No estimate for this image"));
  }
}

Panel convert_panel() {
  return {
      .id = QStringLiteral("convert"),
      .title = ConvertPanel::tr("Convert"),
      .menu_text = ConvertPanel::tr("&Convert to particles"),
      .icon = "convert",
      .key = Qt::Key_F6,
      // The panel scrolls its parameters itself, so that its buttons remain visible.
      .make = [](const PanelHost& host) -> QWidget* { return new ConvertPanel(host.document); }};
}

}  // namespace aprscope::gui

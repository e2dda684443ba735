#include "app/gui/panels/display_panel.hpp"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>
#include <functional>
#include <vector>

#include "app/gui/document/document.hpp"
#include "app/gui/panels/rays_box.hpp"
#include "app/gui/views/views_area.hpp"
#include "app/gui/widgets/channel_rows.hpp"
#include "app/gui/widgets/colour_tables.hpp"
#include "app/gui/widgets/display_controls.hpp"
#include "app/gui/widgets/scrolled.hpp"

namespace aprscope::gui {
namespace {

constexpr int kThickest = 999;
// As around the controls above.
constexpr int kMargin = 9;

}  // namespace

DisplayPanel::DisplayPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), controls_(new DisplayControls(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(controls_);
  add_slab();
  auto* rays = new RaysBox(document, this);
  rays->layout()->setContentsMargins(kMargin, 0, kMargin, kMargin);
  layout->addWidget(rays);
  layout->addStretch(1);

  connect(controls_, &DisplayControls::settings_edited, this, &DisplayPanel::apply);
  connect(controls_, &DisplayControls::import_requested, this, &DisplayPanel::ask_colours);
  connect_channels();
  const auto follow_current = [this](std::uint64_t id) {
    const Item* item = document_.items().current();
    if (item != nullptr && item->id == id) follow_item();
  };
  connect(&document_.items(), &ItemList::current_changed, this, &DisplayPanel::follow_item);
  connect(&document_.items(), &ItemList::data_changed, this, follow_current);
  connect(&document_.items(), &ItemList::display_changed, this, follow_current);
  connect(&document_.channels(), &Channels::changed, this, follow_current);
  follow_item();
}

// How thick slices are, in all views and for all items.
void DisplayPanel::add_slab() {
  auto* row = new QHBoxLayout();
  auto* title = new QLabel(tr("Thickness"), this);
  auto* slab = new QSpinBox(this);
  slab->setObjectName(QStringLiteral("slab"));
  slab->setRange(1, kThickest);
  slab->setSuffix(tr(" slices"));
  slab->setSpecialValueText(tr("1 slice"));
  slab->setKeyboardTracking(false);
  slab->setToolTip(
      tr("How many slices each slice view shows the maximum of, the one of the crosshair in their "
         "middle. Previews of filters, levels and dots show one."));
  title->setBuddy(slab);
  row->addWidget(title);
  row->addWidget(slab, 1);
  row->setContentsMargins(kMargin, 0, kMargin, kMargin);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(slab, &QSpinBox::valueChanged, this, [this](int slices) {
    ViewOptions options = document_.view().options();
    options.slab = slices;
    document_.view().set_options(options);
  });
  const auto follow = [this, slab] { slab->setValue(document_.view().options().slab); };
  connect(&document_.view(), &ViewState::options_changed, slab, follow);
  follow();
}

// With several channels, the settings of the chosen one, for the histogram.
DisplaySettings DisplayPanel::shown_settings(const Item& item) const {
  DisplaySettings display = item.display;
  for (const ItemChannel& one : document_.channels().of(item)) {
    if (one.chosen) display.contrast = one.look.contrast;
  }
  return display;
}

void DisplayPanel::apply(const DisplaySettings& edited) {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  DisplaySettings display = edited;
  const auto chosen = static_cast<std::size_t>(item->recipe.channel);
  if (Channels::shown(*item) && chosen < display.channels.size()) {
    if (edited.contrast != shown_settings(*item).contrast) {
      display.channels[chosen].contrast = edited.contrast;
    }
    display.contrast = item->display.contrast;
  }
  document_.edits().set_display(item->id, display);
}

void DisplayPanel::ask_colours() {
  auto* dialog = new QFileDialog(this, tr("Import colours"), QString(),
                                 tr("Look-up tables (*.lut *.csv *.tsv *.txt);;All files (*)"));
  dialog->setObjectName(QStringLiteral("import_colours_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &DisplayPanel::import_colours);
  dialog->open();
}

void DisplayPanel::import_colours(const QString& path) {
  const auto name = import_colour_table(path);
  if (!name) return document_.messages().say(name.error());
  controls_->offer_colours();
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  DisplaySettings display = item->display;
  display.colormap = name->toStdString();
  document_.edits().set_display(item->id, display);
}

void DisplayPanel::connect_channels() {
  connect(controls_, &DisplayControls::composite_edited, this, [this](bool on) {
    const Item* item = document_.items().current();
    if (item != nullptr) document_.edits().set_display(item->id, Channels::display_of(*item, on));
  });
  const auto edit = [this](int channel, const std::function<void(ChannelDisplay&)>& change) {
    const Item* item = document_.items().current();
    if (item == nullptr) return;
    DisplaySettings display = item->display;
    const auto at = static_cast<std::size_t>(channel);
    if (at >= display.channels.size()) return;
    change(display.channels[at]);
    document_.edits().set_display(item->id, display);
  };
  ChannelRows* rows = controls_->channel_rows();
  connect(rows, &ChannelRows::visible_edited, this, [edit](int channel, bool visible) {
    edit(channel, [&](ChannelDisplay& c) { c.visible = visible; });
  });
  connect(rows, &ChannelRows::colour_edited, this, [edit](int channel, const Rgb& colour) {
    edit(channel, [&](ChannelDisplay& c) { c.colour = colour; });
  });
  connect(rows, &ChannelRows::contrast_edited, this, [edit](int channel, const Contrast& contrast) {
    edit(channel, [&](ChannelDisplay& c) { c.contrast = contrast; });
  });
  connect(rows, &ChannelRows::automatic_requested, this,
          [edit](int channel) { edit(channel, [](ChannelDisplay& c) { c.contrast.reset(); }); });
  connect(rows, &ChannelRows::chosen, this, &DisplayPanel::choose);
}

// Chooses the channel that filters, conversion and the histogram use.
void DisplayPanel::choose(int channel) {
  const Item* item = document_.items().current();
  if (item == nullptr || channel == item->recipe.channel) return;
  if (item->source) {
    document_.opener().select(item->id, {channel, item->selection.time});
  } else if (const Item* sister = document_.channels().sister(*item, channel)) {
    const std::uint64_t id = sister->id;
    document_.edits().set_display(id, item->display);
    document_.items().set_current(id);
  }
}

void DisplayPanel::follow_channels(const Item& item) {
  std::vector<ChannelRow> rows;
  for (const ItemChannel& one : document_.channels().of(item)) {
    rows.push_back({one.name, one.look, one.automatic, one.dataset != nullptr, one.chosen});
  }
  controls_->set_channels(Channels::offered(item), rows);
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
  follow_channels(*item);
  const DisplaySettings display = shown_settings(*item);
  // The controls show these settings already, e.g. because the user is editing them.
  if (item->id == shown_item_ && controls_->settings() == display) return;
  shown_item_ = item->id;
  controls_->set_settings(display, item->is_apr(), item->pixels != nullptr);
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

#include "app/gui/window/source_bar.hpp"

#include <QBoxLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cstdint>

#include "app/gui/widgets/elided_label.hpp"
#include "core/projections/projections.hpp"

namespace aprscope::gui {
namespace {

// A dragged slider passes many values; the file is read only where it stays this long.
constexpr int kSettleMs = 80;
// In a narrower bar, two sliders side by side would be too short to use.
constexpr int kSideBySideFrom = 840;
constexpr int kShortest = 100;

// The parts of a large set of projections, one of which is in the slices at a time.
struct ImageParts {
  std::int64_t images = 0;
  std::int64_t at_a_time = 1;
  std::int64_t first = 0;
  [[nodiscard]] int count() const {
    return static_cast<int>(std::max<std::int64_t>(1, (images + at_a_time - 1) / at_a_time));
  }
};

ImageParts image_parts(const Item* item) {
  if (item == nullptr || !item->source || item->is_apr() || item->is_measurement() ||
      !item->dataset->volume().projections) {
    return {};
  }
  const Projections& set = *item->dataset->volume().projections;
  return {static_cast<std::int64_t>(set.table.rows.size()),
          std::max<std::int64_t>(1, item->source->size.z), set.first_shown};
}

QWidget* make_row(QFrame* parent, const QString& title, QSlider*& slider, QLabel*& label,
                  const char* name) {
  auto* row = new QWidget(parent);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(9);
  auto* caption = new QLabel(title, row);
  caption->setProperty("muted", true);
  slider = new QSlider(Qt::Horizontal, row);
  slider->setObjectName(QLatin1String(name));
  slider->setAccessibleName(title);
  slider->setPageStep(1);
  slider->setMinimumWidth(kShortest);
  caption->setBuddy(slider);
  // Names of channels can be long.
  label = new ElidedLabel(row);
  label->setMinimumWidth(76);
  layout->addWidget(caption);
  layout->addWidget(slider, 1);
  layout->addWidget(label);
  return row;
}

}  // namespace

SourceBar::SourceBar(Document& document, Theme& theme, QWidget* parent)
    : QFrame(parent),
      document_(document),
      player_(new TimePlayer(document, theme, this)),
      settle_(new QTimer(this)) {
  setProperty("bar", "strip");
  rows_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
  rows_->setContentsMargins(12, 4, 12, 4);
  rows_->setSpacing(24);
  channel_row_ = make_row(this, tr("Channel"), channel_, channel_label_, "channel_slider");
  time_row_ = make_row(this, tr("Time"), time_, time_label_, "time_slider");
  time_row_->layout()->addWidget(player_);
  images_row_ = make_row(this, tr("Images"), images_, images_label_, "images_slider");
  together_ = new QToolButton(channel_row_);
  together_->setObjectName(QStringLiteral("channels_together"));
  together_->setText(tr("All together"));
  together_->setCheckable(true);
  together_->setToolTip(
      tr("Show all channels over each other, each in a colour of its own; the Display tab has "
         "their colours and contrasts"));
  channel_row_->layout()->addWidget(together_);
  connect(together_, &QToolButton::clicked, this, [this](bool on) {
    const Item* item = document_.items().current();
    if (item == nullptr) return;
    document_.edits().set_display(item->id, Channels::display_of(*item, on));
  });
  rows_->addWidget(channel_row_, 1);
  rows_->addWidget(time_row_, 1);
  rows_->addWidget(images_row_, 1);
  settle_->setSingleShot(true);
  settle_->setInterval(kSettleMs);
  connect(settle_, &QTimer::timeout, this, &SourceBar::choose);
  for (QSlider* slider : {channel_, time_, images_}) {
    connect(slider, &QSlider::valueChanged, this, [this] {
      show_labels();
      if (!filling_) settle_->start();
    });
  }
  connect(&document.items(), &ItemList::current_changed, this, &SourceBar::follow_item);
  connect(&document.items(), &ItemList::display_changed, this, [this] {
    const Item* item = document_.items().current();
    together_->setChecked(item != nullptr && Channels::shown(*item));
  });
  connect(&document.items(), &ItemList::data_changed, this, [this] {
    if (!settle_->isActive()) follow_item();
  });
  follow_item();
}

void SourceBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  const bool beside = width() >= kSideBySideFrom;
  rows_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  rows_->setSpacing(beside ? 24 : 2);
}

void SourceBar::follow_item() {
  const Item* item = document_.items().current();
  const bool known = item != nullptr && item->source;
  const int channels = known ? static_cast<int>(item->source->channels.size()) : 1;
  const int times = known ? item->source->times : 1;
  const ImageParts parts = image_parts(item);
  filling_ = true;
  images_->setRange(0, parts.count() - 1);
  images_->setValue(static_cast<int>(parts.first / parts.at_a_time));
  channel_->setRange(0, channels - 1);
  time_->setRange(0, times - 1);
  if (known) {
    channel_->setValue(item->selection.channel);
    time_->setValue(item->selection.time);
  }
  filling_ = false;
  together_->setEnabled(item != nullptr && Channels::offered(*item));
  together_->setChecked(item != nullptr && Channels::shown(*item));
  channel_row_->setVisible(channels > 1);
  time_row_->setVisible(times > 1);
  images_row_->setVisible(parts.count() > 1);
  if (times < 2) player_->stop();
  setVisible(channels > 1 || times > 1 || parts.count() > 1);
  show_labels();
}

void SourceBar::show_labels() {
  const Item* item = document_.items().current();
  if (item == nullptr || !item->source) return;
  const auto channel = static_cast<std::size_t>(channel_->value());
  if (channel < item->source->channels.size()) {
    const QString name = QString::fromStdString(item->source->channels[channel]);
    const QString number = tr("%1 of %2").arg(channel + 1).arg(item->source->channels.size());
    channel_label_->setText(name.isEmpty() || name == QString::number(channel)
                                ? number
                                : tr("%1 (%2)").arg(name, number));
  }
  time_label_->setText(tr("%1 of %2").arg(time_->value() + 1).arg(item->source->times));
  const ImageParts parts = image_parts(item);
  const std::int64_t first = images_->value() * parts.at_a_time;
  images_label_->setText(tr("%L1 to %L2 of %L3")
                             .arg(first + 1)
                             .arg(std::min(first + parts.at_a_time, parts.images))
                             .arg(parts.images));
}

void SourceBar::step_time(int by) {
  const Item* item = document_.items().current();
  if (item == nullptr || !item->source || item->source->times < 2) return;
  player_->stop();
  time_->setValue(time_->value() + by);
  // A key that is held shows what it passes, as fast as that is read.
  if (!settle_->isActive() || document_.opener().selecting(item->id)) return;
  settle_->stop();
  choose();
}

void SourceBar::choose() {
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  document_.opener().select(item->id, {channel_->value(), time_->value(),
                                       images_->value() * image_parts(item).at_a_time});
}

}  // namespace aprscope::gui

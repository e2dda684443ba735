#include "app/gui/window/time_player.hpp"

#include <QHBoxLayout>
#include <QTimer>
#include <QToolButton>
#include <utility>

#include "app/gui/widgets/number_field.hpp"

namespace aprscope::gui {
namespace {

constexpr int kMostPerSecond = 60;
constexpr int kUsualPerSecond = 5;

}  // namespace

TimePlayer::TimePlayer(Document& document, Theme& theme, QWidget* parent)
    : QWidget(parent),
      document_(document),
      theme_(theme),
      button_(new QToolButton(this)),
      rate_(new WholeField(1, kMostPerSecond, this)),
      clock_(new QTimer(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  button_->setObjectName(QStringLiteral("time_play"));
  button_->setCheckable(true);
  button_->setAutoRaise(true);
  rate_->setObjectName(QStringLiteral("time_rate"));
  rate_->setAccessibleName(tr("Time points a second"));
  rate_->setToolTip(tr("Time points a second, at most: each is read and drawn before the next"));
  rate_->setSuffix(tr(" / s"));
  rate_->setValue(kUsualPerSecond);
  row->addWidget(button_);
  row->addWidget(rate_);
  connect(button_, &QToolButton::toggled, this, &TimePlayer::start_or_stop);
  connect(rate_, &WholeField::valueChanged, this,
          [this](int rate) { clock_->setInterval(1000 / rate); });
  clock_->setInterval(1000 / kUsualPerSecond);
  connect(clock_, &QTimer::timeout, this, &TimePlayer::step);
  connect(&document.items(), &ItemList::current_changed, this, &TimePlayer::follow_item);
  connect(&document.opener(), &Opener::not_selected, this, [this](std::uint64_t id) {
    if (id == item_) stop();
  });
  connect(&theme, &Theme::changed, this, &TimePlayer::show_state);
  show_state();
}

void TimePlayer::wait_for(std::function<bool()> shown, std::chrono::milliseconds patience) {
  shown_ = std::move(shown);
  patience_ = patience;
}

bool TimePlayer::plays() const { return button_->isChecked(); }

void TimePlayer::toggle() { button_->toggle(); }

void TimePlayer::stop() { button_->setChecked(false); }

void TimePlayer::start_or_stop(bool play) {
  const Item* item = document_.items().current();
  item_ = play && item != nullptr ? item->id : 0;
  document_.opener().time_ahead().set_playing(play);
  waiting_.invalidate();
  if (play) {
    clock_->start();
  } else {
    clock_->stop();
  }
  show_state();
}

void TimePlayer::step() {
  const Item* item = document_.items().current();
  if (item == nullptr || item->id != item_ || !item->source || item->source->times < 2) {
    stop();
    return;
  }
  // Waits while a time point is being read, whether for the player or for the slider.
  if (document_.opener().selecting(item_)) return;
  if (shown_ && !shown_()) {
    if (!waiting_.isValid()) waiting_.start();
    if (waiting_.elapsed() < patience_.count()) return;
  }
  waiting_.invalidate();
  document_.opener().select(
      item_, {item->selection.channel, (item->selection.time + 1) % item->source->times});
}

void TimePlayer::follow_item() {
  const Item* item = document_.items().current();
  if (plays() && (item == nullptr || item->id != item_)) stop();
}

void TimePlayer::show_state() {
  button_->setIcon(theme_.icon(plays() ? QStringLiteral("pause") : QStringLiteral("play")));
  const QString what = plays() ? tr("Stop playing") : tr("Play the time points");
  button_->setAccessibleName(what);
  button_->setToolTip(what);
}

}  // namespace aprscope::gui

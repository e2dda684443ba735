#include "app/gui/window/tour.hpp"

#include <QEvent>
#include <QLayout>
#include <QShortcut>
#include <algorithm>

#include "app/gui/compare/comparison.hpp"
#include "app/gui/widgets/settings.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/gui/window/panel_tabs.hpp"
#include "app/gui/window/tour_callout.hpp"
#include "app/gui/window/tour_frames.hpp"
#include "app/gui/window/tour_place.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPlacingMs = 100;

}  // namespace

Tour::Tour(Document& document, MainWindow& window)
    : QObject(&window),
      document_(document),
      window_(window),
      steps_(tour_steps()),
      escape_(new QShortcut(Qt::Key_Escape, &window)) {
  escape_->setEnabled(false);
  connect(escape_, &QShortcut::activated, this, &Tour::end);
  placing_.setInterval(kPlacingMs);
  connect(&placing_, &QTimer::timeout, this, &Tour::place);
  // Queued, so that an action of the tour is an undo step of its own.
  connect(&document_.items(), &ItemList::items_changed, this, &Tour::follow_data,
          Qt::QueuedConnection);
  for (JobBridge* jobs : {&document_.jobs(), &document_.background()}) {
    connect(jobs, &JobBridge::idle, this, &Tour::follow_failure);
  }
}

Tour::~Tour() = default;

void Tour::start() {
  end();
  note_tour_shown();
  remember();
  frames_ = new TourFrames(&window_);
  callout_ = new TourCallout(&window_);
  connect(callout_, &TourCallout::next_requested, this, [this] {
    if (step_ + 1 < count()) {
      enter(step_ + 1);
    } else {
      end();
    }
  });
  connect(callout_, &TourCallout::back_requested, this, [this] {
    if (step_ > 0) enter(step_ - 1);
  });
  connect(callout_, &TourCallout::skip_requested, this, &Tour::end);
  connect(callout_, &TourCallout::more_requested, this,
          [this] { emit more_requested(steps_[static_cast<std::size_t>(step_)].section); });
  window_.installEventFilter(this);
  escape_->setEnabled(true);
  active_ = true;
  step_ = 0;
  frames_->show();
  callout_->show();
  placing_.start();
  enter(0);
}

void Tour::end() {
  if (!active_) return;
  leave();
  active_ = false;
  placing_.stop();
  escape_->setEnabled(false);
  window_.removeEventFilter(this);
  // Deleted later, since this may be called by one of their buttons.
  for (QWidget* part : {static_cast<QWidget*>(frames_), static_cast<QWidget*>(callout_)}) {
    if (part == nullptr) continue;
    part->hide();
    part->deleteLater();
  }
  frames_.clear();
  callout_.clear();
  restore();
  emit ended();
}

void Tour::enter(int step) {
  leave();
  step_ = step;
  arrived_ = false;
  // If the requested data did not arrive, this step requests it again.
  if (!document_.jobs().busy() && !document_.background().busy()) asked_ = Asked::nothing;
  const TourStep& now = steps_[static_cast<std::size_t>(step)];
  if (now.panel != nullptr) window_.action(QLatin1String(now.panel))->trigger();
  callout_->set_step(step, count(), now.title, now.text);
  follow_data();
  place();
}

void Tour::leave() {
  if (!active_ || !arrived_) return;
  const TourDeed deed = steps_[static_cast<std::size_t>(step_)].deed;
  if (deed == TourDeed::compare) (void)window_.comparison().set_active(false);
  if (deed == TourDeed::levels && display_) {
    if (document_.items().find(display_->first) != nullptr) {
      document_.edits().set_display(display_->first, display_->second);
    }
    display_.reset();
  }
}

// The id of the demo image in the list; 0: it is not there.
std::uint64_t Tour::image() const {
  for (const Item& item : document_.items().all()) {
    if (!item.is_apr() && !item.source && item.recipe.input.empty() && item.recipe.steps.empty()) {
      return item.id;
    }
  }
  return 0;
}

std::uint64_t Tour::particles_of(std::uint64_t image) const {
  for (const Item& item : document_.items().all()) {
    if (item.parent == image && item.is_apr() && item.recipe.steps.size() == 1) return item.id;
  }
  return 0;
}

// Requests the data of the step, one item after the other, and shows it once it is there.
void Tour::follow_data() {
  if (!active_ || arrived_) return;
  const auto ask = [this](Asked what, const char* action) {
    if (std::exchange(asked_, what) != what) window_.action(QLatin1String(action))->trigger();
  };
  std::uint64_t shown = image();
  if (shown == 0) {
    callout_->set_waiting(tr("Making the demo image …"));
    ask(Asked::image, "open_demo");
    return;
  }
  if (steps_[static_cast<std::size_t>(step_)].data == TourData::particles) {
    const std::uint64_t particles = particles_of(shown);
    if (particles == 0) {
      callout_->set_waiting(tr("Converting; the bar below the views shows how far it is …"));
      if (asked_ != Asked::particles) document_.items().set_current(shown);
      ask(Asked::particles, "convert_now");
      return;
    }
    shown = particles;
  }
  arrived_ = true;
  callout_->set_waiting({});
  document_.items().set_current(shown);
  act();
}

void Tour::follow_failure() {
  if (!waiting() || asked_ == Asked::nothing) return;
  if (document_.jobs().busy() || document_.background().busy()) return;
  callout_->set_waiting(tr("This did not work out or was cancelled. Back and Next try it again."));
}

void Tour::act() {
  const TourDeed deed = steps_[static_cast<std::size_t>(step_)].deed;
  const Item* item = document_.items().current();
  if (item == nullptr) return;
  if (deed == TourDeed::all_views) {
    (void)window_.comparison().set_active(false);
    window_.views().maximise(std::nullopt);
  } else if (deed == TourDeed::levels) {
    display_.emplace(item->id, item->display);
    DisplaySettings levels = item->display;
    levels.mode = ShowMode::level;
    document_.edits().set_display(item->id, levels);
  } else if (deed == TourDeed::compare) {
    window_.action(QStringLiteral("compare_pixels"))->trigger();
  }
}

QList<QWidget*> Tour::targets() const {
  if (!active_) return {};
  QList<QWidget*> shown;
  for (QWidget* target : steps_[static_cast<std::size_t>(step_)].targets(window_)) {
    if (target != nullptr && target->isVisible() && !target->visibleRegion().isEmpty()) {
      shown << target;
    }
  }
  // If all targets of a step are hidden, points at the window.
  if (shown.isEmpty()) shown << window_.centralWidget();
  return shown;
}

void Tour::place() {
  if (!active_ || callout_ == nullptr || frames_ == nullptr) return;
  QList<QRect> places;
  for (const QWidget* target : targets()) {
    const QRect all(target->mapTo(&window_, QPoint(0, 0)), target->size());
    places << all.intersected(window_.rect());
  }
  const int width = callout_->width();
  const QRect at = callout_place(
      places.front(), {width, callout_->layout()->totalHeightForWidth(width)}, window_.rect());
  callout_->setGeometry(at);
  frames_->setGeometry(window_.rect());
  frames_->set_places(places, at);
  frames_->raise();
  callout_->raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QObject::eventFilter(watched, event);
}

void Tour::remember() {
  const Comparison& comparison = window_.comparison();
  before_ = {};
  before_.current = document_.items().current() != nullptr ? document_.items().current()->id : 0;
  before_.panel = window_.shown_panel();
  before_.maximised = window_.views().maximised();
  before_.compared = comparison.active();
  if (comparison.a() != nullptr) before_.a = comparison.a()->id;
  if (comparison.b() != nullptr) before_.b = comparison.b()->id;
  asked_ = Asked::nothing;
  arrived_ = false;
  display_.reset();
}

// Shows the former item again. If there was none, the result of the tour remains.
void Tour::restore() {
  const Item* before = document_.items().find(before_.current);
  const std::uint64_t demo = image();
  if (before == nullptr || before->id == demo) return;
  document_.items().set_current(before->id);
  window_.views().maximise(before_.maximised);
  // Opens the former tab, but not its dock, which the user may have closed meanwhile.
  window_.tabs().open(before_.panel);
  if (before_.compared && document_.items().find(before_.a) != nullptr &&
      document_.items().find(before_.b) != nullptr) {
    (void)window_.comparison().compare(before_.a, before_.b);
  }
}

}  // namespace aprscope::gui

#include "app/gui/stall_meter.hpp"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>
#include <algorithm>
#include <ctime>
#include <new>

namespace aprscope::gui {
namespace {

constexpr int kTickMs = 2;
constexpr double kStallMs = 50.0;
constexpr std::size_t kSlowest = 6;

double computed_ms() {
  timespec now{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0.0;
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

StallMeter::StallMeter(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const double ms = static_cast<double>(since_.nsecsElapsed()) / 1e6;
    since_.restart();
    longest_ = std::max(longest_, ms);
    const double computed = computed_ms();
    longest_computing_ = std::max(longest_computing_, computed - computed_);
    computed_ = computed;
    if (ms > kStallMs) ++stalls_;
  });
  reset();
  timer_.start(kTickMs);
}

void StallMeter::reset() {
  longest_ = 0.0;
  longest_computing_ = 0.0;
  stalls_ = 0;
  computed_ = computed_ms();
  since_.start();
}

void MeasuredApplication::measure() { clock_.start(); }

bool MeasuredApplication::notify(QObject* receiver, QEvent* event) {
  const int depth = depth_;
  try {
    return measured_notify(receiver, event);
  } catch (const std::bad_alloc&) {
    depth_ = depth;
  }
  // Emitted later by the event loop, after the memory of this event was freed.
  try {
    QMetaObject::invokeMethod(this, &MeasuredApplication::memory_ran_out, Qt::QueuedConnection);
  } catch (const std::bad_alloc&) {
  }
  return false;
}

bool MeasuredApplication::measured_notify(QObject* receiver, QEvent* event) {
  // Nested events are part of the outer one; events of other threads are not measured.
  if (!clock_.isValid() || depth_ > 0 || QThread::currentThread() != thread()) {
    return QApplication::notify(receiver, event);
  }
  // Copied now, since the event may delete the receiver and itself.
  const char* const kind = receiver->metaObject()->className();
  const QString name = receiver->objectName();
  const auto type = event->type();
  ++depth_;
  const qint64 began = clock_.nsecsElapsed();
  const double before = computed_ms();
  const bool handled = QApplication::notify(receiver, event);
  const double computing = computed_ms() - before;
  const double taken = static_cast<double>(clock_.nsecsElapsed() - began) / 1e6;
  --depth_;
  if (slowest_.size() == kSlowest && computing <= slowest_.back().computing) return handled;
  const char* const type_name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
  const QString what =
      QStringLiteral("%1 %2 %3")
          .arg(QLatin1String(kind), name, QLatin1String(type_name != nullptr ? type_name : "?"));
  slowest_.push_back(
      {static_cast<double>(began) / 1e9, taken, computing, what.simplified().toStdString()});
  std::sort(slowest_.begin(), slowest_.end(),
            [](const Event& a, const Event& b) { return a.computing > b.computing; });
  if (slowest_.size() > kSlowest) slowest_.pop_back();
  return handled;
}

}  // namespace aprscope::gui

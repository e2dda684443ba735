#include "app/gui/views/rehearsal.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QTimer>
#include <array>
#include <memory>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/views/views_area.hpp"
#include "core/image/plane_axes.hpp"

namespace aprscope::gui {
namespace {

constexpr std::chrono::milliseconds kBetween{20};
constexpr std::chrono::milliseconds kQuiet{400};  // … after the last input
constexpr std::size_t kMostWaits = 20;            // for the picture of the 3-D view
constexpr std::array<Axis, 3> kSlices{Axis::z, Axis::x, Axis::y};
constexpr Size3 kSize{2, 2, 2};

// A volume that is bright wherever one looks.
class Bright final : public Raycaster {
 public:
  Result<RayImage> render(const RayCamera& /*camera*/, int width, int height, int /*finest_level*/,
                          const JobContext& /*context*/) const override {
    return picture(width, height);
  }
  Result<RayImage> surface(const RayCamera& /*camera*/, int width, int height, int /*finest_level*/,
                           float /*at*/, const JobContext& /*context*/) const override {
    return picture(width, height);
  }
  Result<RayImage> translucent(const RayCamera& /*camera*/, int width, int height,
                               const Translucency& /*translucency*/,
                               const JobContext& /*context*/) const override {
    return picture(width, height);
  }
  [[nodiscard]] int level_max() const override { return 1; }
  [[nodiscard]] std::uint64_t bytes() const override { return sizeof(Bright); }

 private:
  static RayImage picture(int width, int height) {
    RayImage image{width, height, {}};
    image.values.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1.0F);
    return image;
  }
};

// The view is empty before and afterwards.
void draw(SliceView& view) {
  view.set_shape(kSize, {});
  Plane plane;
  plane_shape(kSize, view.axis(), plane.rows, plane.cols);
  plane.values.assign(static_cast<std::size_t>(plane.rows * plane.cols), 1.0F);
  view.set_plane(std::move(plane), 0);
  view.warm_up();
  (void)view.grabFramebuffer();
  view.clear();
}

void draw_beside_data(SliceView& view) {
  view.warm_up();
  if (!view.isVisible()) (void)view.grabFramebuffer();
}

}  // namespace

Rehearsal::Rehearsal(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views), timer_(new QTimer(this)) {
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &Rehearsal::step);
}

void Rehearsal::start(std::chrono::milliseconds delay) {
  next_ = 0;
  QCoreApplication::instance()->installEventFilter(this);
  timer_->start(delay);
}

bool Rehearsal::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseMove:
    case QEvent::Wheel:
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::TouchBegin:
    case QEvent::TabletPress:
      if (timer_->isActive() && timer_->remainingTimeAsDuration() < kQuiet) timer_->start(kQuiet);
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

// Whether a picture is on its way, which comes first. Views that are seen before there are data
// wait for some, and would show what is drawn.
bool Rehearsal::waits(bool data) const {
  if (!data) return views_.isVisible();
  return document_.background().busy() || views_.feed().busy() || views_.detail().busy();
}

void Rehearsal::step() {
  const bool data = document_.items().current() != nullptr;
  if (waits(data)) {
    timer_->start(kQuiet);
    return;
  }
  const auto at = static_cast<std::size_t>(next_++);
  if (at < kSlices.size()) {
    SliceView& view = views_.slice(kSlices[at]);
    data ? draw_beside_data(view) : draw(view);
  } else if (data) {
    return end();
  } else if (at == kSlices.size()) {
    // Its picture is made by another thread, and is there at a later step.
    views_.mip().set_source(std::make_shared<Bright>(), kSize, {});
    (void)views_.mip().grabFramebuffer();
  } else {
    (void)views_.mip().grabFramebuffer();
    if (views_.mip().frame().width > 0 || at > kSlices.size() + kMostWaits) {
      views_.mip().clear();
      return end();
    }
  }
  timer_->start(kBetween);
}

void Rehearsal::end() {
  QCoreApplication::instance()->removeEventFilter(this);
  emit ended();
}

}  // namespace aprscope::gui

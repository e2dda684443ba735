#include "app/gui/views/rehearsal.hpp"

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

void draw(SliceView& view) {
  view.set_shape(kSize, {});
  Plane plane;
  plane_shape(kSize, view.axis(), plane.rows, plane.cols);
  plane.values.assign(static_cast<std::size_t>(plane.rows * plane.cols), 1.0F);
  view.set_plane(std::move(plane), 0);
  (void)view.grabFramebuffer();
  view.clear();
}

}  // namespace

Rehearsal::Rehearsal(Document& document, ViewsArea& views, QObject* parent)
    : QObject(parent), document_(document), views_(views), timer_(new QTimer(this)) {
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, &Rehearsal::step);
}

void Rehearsal::start(std::chrono::milliseconds delay) {
  next_ = 0;
  timer_->start(delay);
}

void Rehearsal::step() {
  // The views show these now.
  if (document_.items().current() != nullptr) return end();
  const auto at = static_cast<std::size_t>(next_++);
  if (at < kSlices.size()) {
    draw(views_.slice(kSlices[at]));
  } else if (at == kSlices.size()) {
    // Its picture is made by another thread, and is there at the next step.
    views_.mip().set_source(std::make_shared<Bright>(), kSize, {});
    (void)views_.mip().grabFramebuffer();
  } else {
    (void)views_.mip().grabFramebuffer();
    views_.mip().clear();
    return end();
  }
  timer_->start(kBetween);
}

void Rehearsal::end() {
  timer_->stop();
  emit ended();
}

}  // namespace aprscope::gui

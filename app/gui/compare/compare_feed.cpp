#include "app/gui/compare/compare_feed.hpp"

#include <utility>

#include "core/image/difference.hpp"

namespace aprscope::gui {
namespace {

// Volumes up to this size, which take a few seconds, are measured without a request.
constexpr std::int64_t kAtOnce = std::int64_t{1} << 24;
constexpr int kRestMs = 120;

std::int64_t along(const Index3& p, Axis axis) {
  return axis == Axis::z ? p.z : axis == Axis::x ? p.x : p.y;
}

}  // namespace

CompareFeed::CompareFeed(Document& document, Comparison& comparison, QObject* parent)
    : QObject(parent), document_(document), comparison_(comparison) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &CompareFeed::measure_slice);
  connect(&comparison_, &Comparison::active_changed, this, &CompareFeed::follow_sides);
  connect(&comparison_, &Comparison::sides_changed, this, &CompareFeed::follow_sides);
  connect(&comparison_, &Comparison::display_changed, this, &CompareFeed::follow_sides);
  connect(&comparison_, &Comparison::settings_changed, this, &CompareFeed::refresh);
  connect(&document_.view(), &ViewState::crosshair_changed, this, &CompareFeed::refresh);
}

std::optional<CompareFeed::Request> CompareFeed::request() const {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  const Item* now = document_.items().current();
  if (!comparison_.active() || a == nullptr || b == nullptr || now == nullptr) return std::nullopt;
  if (!has_values(*a->dataset) || !has_values(*b->dataset)) return std::nullopt;
  Request request;
  request.a = a->dataset;
  request.b = b->dataset;
  request.mode_a = comparison_.mode_of(*a);
  request.mode_b = comparison_.mode_of(*b);
  request.measured = comparison_.may_measure();
  // The 3-D view has no slice; its slice metrics are those of the xy slice.
  request.axis = axis_of(comparison_.settings().place).value_or(Axis::z);
  const Index3 p = document_.view().crosshair();
  request.index_a = along(Comparison::mapped(p, *now->dataset, *a->dataset), request.axis);
  request.index_b = along(Comparison::mapped(p, *now->dataset, *b->dataset), request.axis);
  return request;
}

void CompareFeed::follow_sides() {
  const auto now = request();
  if (!now) {
    wanted_.reset();
    shown_.reset();
    picture_.reset();
    slice_ = {};
    volume_ = {};
    volume_of_.reset();
    rest_.stop();
    emit metrics_changed();
    return;
  }
  if (!volume_of_ || !volume_of_->same_sides(*now)) {
    if (volume_job_ != 0) document_.jobs().cancel(volume_job_);
    volume_of_ = now;
    volume_ = {};
    slice_ = {};
    picture_.reset();
    shown_.reset();
    if (!comparison_.same_size()) {
      volume_.note = slice_.note =
          tr("The sizes differ; only data of the same size can be compared in figures.");
    } else if (now->measured && now->a->size().count() <= kAtOnce) {
      measure_volume();
    }
    emit metrics_changed();
  }
  refresh();
}

void CompareFeed::refresh() {
  wanted_ = request();
  if (!wanted_) return;
  if (wanted_ == shown_ && !running_) {
    wanted_.reset();
    return;
  }
  if (!running_) start();
}

void CompareFeed::start() {
  const Request request = *std::exchange(wanted_, std::nullopt);
  running_ = true;
  using Picture = std::shared_ptr<const ComparePicture>;
  document_.jobs().post(
      Lane::preview, tr("Comparing"), {}, this,
      [request](const JobContext& context) -> Result<Picture> {
        auto picture = std::make_shared<ComparePicture>();
        picture->axis = request.axis;
        picture->index_a = request.index_a;
        picture->index_b = request.index_b;
        picture->a = request.a->slice(request.mode_a, request.axis, request.index_a);
        if (context.stop_requested()) return cancelled_error();
        picture->b = request.b->slice(request.mode_b, request.axis, request.index_b);
        if (request.measured) picture->difference = difference(picture->a, picture->b);
        picture->difference_contrast = symmetric_contrast(picture->difference.values);
        return Picture(std::move(picture));
      },
      [this, request](const Result<Picture>& picture) { take(request, picture); });
}

void CompareFeed::take(const Request& request,
                       const Result<std::shared_ptr<const ComparePicture>>& picture) {
  running_ = false;
  const auto now = this->request();
  // A slice of other data must not stay on screen; one of an older crosshair position may.
  const bool stale = !now || !now->same_sides(request) || now->axis != request.axis;
  if (!picture && !picture.error().cancelled()) document_.messages().say(picture.error());
  if (picture && !stale) {
    shown_ = request;
    picture_ = *picture;
    emit picture_ready(*picture_);
    rest_.start();
  }
  if (wanted_) start();
}

void CompareFeed::measure_slice() {
  if (!picture_ || !comparison_.same_size() || !comparison_.may_measure()) return;
  slice_.pending = true;
  document_.background().post(
      Lane::preview, tr("Measuring the slice"), "compare slice", this,
      [picture = picture_](const JobContext& context) {
        return compare_slices(picture->a, picture->b, context);
      },
      [this, picture = picture_](const Result<ImageMetrics>& metrics) {
        if (picture != picture_) return;
        slice_ = {};
        if (metrics) {
          slice_.metrics = *metrics;
        } else if (!metrics.error().cancelled()) {
          slice_.note = QString::fromStdString(metrics.error().message());
        }
        emit metrics_changed();
      });
}

void CompareFeed::measure_volume() {
  const auto sides = request();
  if (!sides || !sides->measured || !comparison_.same_size() || volume_.pending) return;
  volume_ = {};
  volume_.pending = true;
  volume_of_ = sides;
  volume_job_ = document_.jobs().post(
      Lane::full, tr("Comparing %1 with %2").arg(comparison_.a()->name, comparison_.b()->name), {},
      this,
      [sides = *sides](const JobContext& context) {
        return compare_data(*sides.a, sides.mode_a, *sides.b, sides.mode_b, context);
      },
      [this, sides = *sides](const Result<ImageMetrics>& metrics) {
        if (!volume_of_ || !volume_of_->same_sides(sides)) return;
        volume_ = {};
        volume_job_ = 0;
        if (metrics) {
          volume_.metrics = *metrics;
        } else if (!metrics.error().cancelled()) {
          volume_.note = QString::fromStdString(metrics.error().message());
        }
        emit metrics_changed();
      });
  emit metrics_changed();
}

}  // namespace aprscope::gui

#include "app/gui/document/conversion_preview.hpp"

#include <atomic>
#include <chrono>

#include "app/gui/document/release.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/report.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope::gui {
namespace {

// Whether gradient and scale are the same for both.
bool same_gradient(const ConversionParameters& a, const ConversionParameters& b) {
  return a.lambda == b.lambda && a.psfz == b.psfz && a.psfx == b.psfx && a.psfy == b.psfy &&
         a.dz == b.dz && a.dx == b.dx && a.dy == b.dy && a.constant_scale == b.constant_scale;
}

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct ConversionPreview::Request {
  std::shared_ptr<const Dataset> source;
  Operation operation;
  ConversionParameters parameters;

  [[nodiscard]] bool same(const Request& other) const {
    return source->shares_values(*other.source) && parameters == other.parameters;
  }
};

struct ConversionPreview::Converted {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const GradientScale> gradient;
  ConversionParameters used;
  std::shared_ptr<const Histogram> histogram;
  double seconds = 0.0;
};

// Only used by the single worker of the preview lane, except for `filled`.
struct ConversionPreview::Cache {
  std::atomic<bool> filled = false;
  std::shared_ptr<const Dataset> source;
  ConversionParameters parameters;
  std::shared_ptr<const GradientScale> gradient;
  double seconds = 0.0;
};

ConversionPreview::ConversionPreview(JobBridge& background, QObject* parent)
    : QObject(parent), background_(background), cache_(std::make_shared<Cache>()) {
  release_.setSingleShot(true);
  set_patience(std::chrono::seconds(30));
  // A running job that uses the old cache frees it at its end.
  connect(&release_, &QTimer::timeout, this, [this] { cache_ = std::make_shared<Cache>(); });
}

ConversionPreview::~ConversionPreview() {
  stop_gradient_.request_stop();
  stop_rest_.request_stop();
}

void ConversionPreview::request(std::shared_ptr<const Dataset> source, const Operation& convert) {
  // Labels do not matter for a conversion, and corrections are faster if nobody else holds them.
  if (source->labels()) source = source->with_labels(nullptr);
  auto request = std::make_shared<Request>();
  request->parameters = conversion_parameters(convert, source->voxel());
  request->source = std::move(source);
  request->operation = convert;
  const auto running = stop_rest_.stop_requested() ? nullptr : running_;
  const auto newest = wanted_ ? wanted_ : running ? running : finished_;
  if (newest && newest->same(*request)) return;
  if (finished_ && !finished_->source->shares_values(*request->source)) {
    finished_.reset();
    forget_particles();
    estimate_.reset();
    emit dataset_changed();
  }
  wanted_ = std::move(request);
  if (running_) {
    // The new request needs this gradient too, so let the job finish it.
    stop_rest_.request_stop();
    if (!running_->source->shares_values(*wanted_->source) ||
        !same_gradient(running_->parameters, wanted_->parameters)) {
      stop_gradient_.request_stop();
    }
  } else {
    start();
  }
  emit estimate_changed();
}

void ConversionPreview::reset() {
  wanted_.reset();
  finished_.reset();
  stop_rest_.request_stop();
  stop_gradient_.request_stop();
  forget_particles();
  estimate_.reset();
  await_release();
  emit dataset_changed();
  emit estimate_changed();
}

void ConversionPreview::forget_particles() {
  dataset_.reset();
  made_.reset();
  histogram_.reset();
}

std::optional<ConversionPreview::Made> ConversionPreview::made_of(const Dataset& source,
                                                                  const Operation& convert) const {
  const bool same =
      dataset_ && made_ && made_->operation == convert && made_->source->shares_values(source);
  if (!same) return std::nullopt;
  return Made{dataset_, histogram_, seconds_};
}

void ConversionPreview::set_editing(bool editing) {
  editing_ = editing;
  await_release();
}

void ConversionPreview::set_patience(std::chrono::milliseconds patience) {
  release_.setInterval(patience);
}

bool ConversionPreview::holds_gradient() const { return cache_->filled; }

void ConversionPreview::await_release() {
  if (editing_ || pending()) {
    release_.stop();
  } else {
    release_.start();
  }
}

void ConversionPreview::start() {
  release_.stop();
  running_ = std::move(wanted_);
  wanted_.reset();
  stop_gradient_ = std::stop_source();
  stop_rest_ = std::stop_source();
  const auto work = [request = running_, cache = cache_, gradient_stop = stop_gradient_,
                     rest_stop = stop_rest_](const JobContext& context) -> Result<Converted> {
    const std::stop_callback forward(context.stop_token(), [gradient_stop, rest_stop]() mutable {
      gradient_stop.request_stop();
      rest_stop.request_stop();
    });
    if (!cache->source || !cache->source->shares_values(*request->source) ||
        !same_gradient(cache->parameters, request->parameters) || !cache->gradient) {
      cache->filled = false;
      cache->source.reset();
      cache->gradient.reset();
      const auto begun = Clock::now();
      auto gradient = compute_gradient_scale(request->source->volume(), request->parameters,
                                             JobContext(gradient_stop.get_token()));
      if (!gradient) return gradient.error();
      cache->source = request->source;
      cache->parameters = request->parameters;
      cache->gradient =
          released_elsewhere(std::make_shared<const GradientScale>(*std::move(gradient)));
      cache->seconds = seconds_since(begun);
      cache->filled = true;
    }
    const auto begun = Clock::now();
    const JobContext rest(rest_stop.get_token());
    Converted out;
    out.gradient = cache->gradient;
    auto access = build_access(*out.gradient, request->parameters, rest, &out.used);
    if (!access) return access.error();
    auto values =
        sample_particles(request->source->volume(), **access, rest, request->parameters.rounding);
    if (!values) return values.error();
    Apr apr = conversion_result(request->operation, request->source->volume(), *std::move(access),
                                *std::move(values), out.used);
    out.seconds = cache->seconds + seconds_since(begun);
    out.dataset = released_elsewhere(Dataset::create(std::move(apr)));
    // Computes the tree here, in the background: smooth slices and a later item need it.
    static_cast<void>(out.dataset->values().tree_mean());
    out.histogram = histogram_of(*out.dataset);
    return out;
  };
  background_.post(Lane::preview, tr("Estimating the conversion"), "convert", this, work,
                   [this](const Result<Converted>& converted) {
                     if (converted && !wanted_ && running_ && !stop_rest_.stop_requested()) {
                       dataset_ = converted->dataset;
                       made_ = running_;
                       histogram_ = converted->histogram;
                       seconds_ = converted->seconds;
                       emit dataset_changed();
                       check_error(*converted);
                       return;
                     }
                     if (!converted && !converted.error().cancelled()) {
                       finished_ = running_;
                       forget_particles();
                       estimate_.reset();
                       emit dataset_changed();
                       emit failed(converted.error());
                     }
                     finish();
                   });
}

void ConversionPreview::check_error(const Converted& converted) {
  const auto work = [request = running_, converted, rest_stop = stop_rest_](
                        const JobContext& context) -> Result<ConversionEstimate> {
    const std::stop_callback forward(context.stop_token(),
                                     [rest_stop]() mutable { rest_stop.request_stop(); });
    const Apr& apr = converted.dataset->apr();
    const AprReport facts = report(apr);
    ConversionEstimate out;
    out.computational_ratio = facts.computational_ratio;
    out.particles = facts.particles;
    out.bytes_pixels = request->source->volume().bytes();
    out.bytes_apr = facts.bytes_apr;
    out.sigma_th = converted.used.sigma_th;
    out.grad_th = converted.used.grad_th;
    const auto error =
        relative_error(request->source->volume(), apr, *converted.gradient, converted.used.sigma_th,
                       converted.used.intensity_th, JobContext(rest_stop.get_token()));
    if (!error) return error.error();
    out.error = *error;
    out.rel_error = static_cast<double>(converted.used.rel_error);
    out.idle_error = idle_relative_error(*converted.gradient, converted.used);
    return out;
  };
  background_.post(Lane::preview, tr("Estimating the error"), "convert", this, work,
                   [this](const Result<ConversionEstimate>& estimate) {
                     if (estimate && !wanted_ && !stop_rest_.stop_requested()) {
                       finished_ = running_;
                       estimate_ = *estimate;
                     } else if (!estimate && !estimate.error().cancelled()) {
                       finished_ = running_;
                       estimate_.reset();
                       emit failed(estimate.error());
                     }
                     finish();
                   });
}

void ConversionPreview::finish() {
  running_.reset();
  if (wanted_) start();
  await_release();
  emit estimate_changed();
}

}  // namespace aprscope::gui

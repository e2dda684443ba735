#include "app/gui/document/deconvolution_run.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <utility>

#include "app/gui/document/data_piece.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/live_image.hpp"
#include "app/gui/document/release.hpp"
#include "core/base/system.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

constexpr int kPollMs = 60;
constexpr int kPreviewIterations = 25;

// The item's data with other values.
Data with_values(const Dataset& from, std::span<const float> values) {
  if (from.is_apr()) {
    Apr apr = from.apr();
    const std::string name = apr.main_field()->name;
    apr.fields = {std::make_shared<const Field>(
        Field{name, std::vector<float>(values.begin(), values.end())})};
    apr.tree_fields.clear();
    return apr;
  }
  Volume volume;
  Pixels<float> pixels;
  pixels.size = from.size();
  pixels.values.assign(values.begin(), values.end());
  volume.pixels = std::move(pixels);
  volume.voxel = from.voxel();
  return volume;
}

// Every so many values are enough for a contrast.
Contrast contrast_of(std::span<const float> values) {
  const std::size_t step = std::max<std::size_t>(1, values.size() / 500'000);
  std::vector<float> some;
  for (std::size_t i = 0; i < values.size(); i += step) some.push_back(values[i]);
  return automatic_contrast(histogram(some));
}

}  // namespace

// What the worker and the window exchange.
struct DeconvolutionRun::Shared {
  std::mutex mutex;
  std::vector<IterationReport> reports;
  std::vector<NamedFigure> measured;
  std::shared_ptr<const LiveImage> image;
  /// The window has taken the last image: another is worth making.
  bool wanted = true;
  std::stop_source keep;
  std::uint64_t job = 0;
  int iterations = 0;
  /// What the worker spent on making images for the window, no part of the steps' cost.
  std::chrono::duration<double> spent_on_showing{0};

  bool add(const IterationReport& report) {
    const std::lock_guard lock(mutex);
    reports.push_back(report);
    return std::exchange(wanted, false);
  }
  void show(LiveImage live) {
    auto made = released_elsewhere(std::make_shared<const LiveImage>(std::move(live)));
    const std::lock_guard lock(mutex);
    image = std::move(made);
  }
};

// The last image of a background that was read; any worker may ask.
struct DeconvolutionRun::BackgroundFile {
  std::mutex mutex;
  std::string path;
  std::filesystem::file_time_type written;
  std::shared_ptr<const Dataset> data;

  Result<std::shared_ptr<const Dataset>> get(const std::string& wanted, const JobContext& context) {
    // HDF5 volumes have no time of their own: those are kept until another is asked for.
    std::error_code none;
    const auto now = std::filesystem::last_write_time(wanted, none);
    {
      const std::lock_guard lock(mutex);
      if (data && path == wanted && written == now) return data;
    }
    auto read = load_file(wanted, context);
    if (!read) return read.error();
    auto made = released_elsewhere(Dataset::create(*std::move(read)));
    const std::lock_guard lock(mutex);
    path = wanted;
    written = now;
    data = std::move(made);
    return data;
  }
  // The part of it under a part of the image.
  Result<std::shared_ptr<const Dataset>> part(const std::string& wanted, const Dataset& image,
                                              const Region& region, const JobContext& context) {
    const auto whole = get(wanted, context);
    if (!whole) return whole.error();
    if ((*whole)->size() != image.size() ||
        ((*whole)->is_apr() && (*whole)->values().particles().empty())) {
      const auto refused = background_values(*whole, image, context);
      if (!refused) return refused.error();
    }
    auto cut = crop_pixels(**whole, region, context);
    if (!cut) return cut.error();
    cut->name = (*whole)->name();
    return Dataset::create(*std::move(cut));
  }
};

DeconvolutionRun::DeconvolutionRun(Document& document, QObject* parent)
    : QObject(parent), document_(document), background_(std::make_shared<BackgroundFile>()) {
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &DeconvolutionRun::poll);
  // What is live belongs to the item that it was started on.
  connect(&document.items(), &ItemList::current_changed, this, &DeconvolutionRun::clear_preview);
}

DeconvolutionRun::~DeconvolutionRun() {
  if (run_) document_.jobs().cancel(run_->job);
  if (preview_) document_.background().cancel(preview_->job);
}

std::uint64_t DeconvolutionRun::start(const DeconvolutionRequest& request) {
  if (run_) return 0;
  const auto whole = complete(request.operation);
  if (!whole) {
    document_.messages().say(whole.error());
    return 0;
  }
  if (const Status ok = document_.runner().supports(*whole); !ok) {
    document_.messages().say(ok.error());
    return 0;
  }
  clear_preview();
  const Item& item = *document_.items().current();
  const Item* truth = document_.items().find(request.truth);
  const Item* begin = document_.items().find(request.start);
  const bool further = goes_on(*whole) && begin != nullptr && begin->deconvolved_from;
  // Whose steps come before this one, and what is deconvolved.
  const Item& before = further ? *begin : item;
  const auto input = further ? begin->deconvolved_from : item.dataset;
  auto shared = std::make_shared<Shared>();
  shared->iterations = most_iterations(*whole);
  IterationHooks hooks;
  hooks.keep = shared->keep.get_token();
  hooks.truth = truth != nullptr ? truth->dataset : nullptr;
  hooks.start = begin != nullptr ? begin->dataset : nullptr;
  hooks.psf = request.psf;
  hooks.concluded = [shared](const std::vector<NamedFigure>& figures) {
    const std::lock_guard lock(shared->mutex);
    shared->measured = figures;
  };
  hooks.observer = [shared, id = item.id, from = item.dataset](const IterationReport& report,
                                                               std::span<const float> iterate) {
    if (!shared->add(report)) return;
    const auto begun = std::chrono::steady_clock::now();
    LiveImage live;
    live.item = id;
    live.dataset = released_elsewhere(Dataset::create(with_values(*from, iterate)));
    live.contrast = contrast_of(iterate);
    live.caption = report.searching ? tr("iteration %1, photons held out").arg(report.iteration)
                                    : tr("iteration %1 of %2").arg(report.iteration).arg(report.of);
    shared->show(std::move(live));
    shared->spent_on_showing += std::chrono::steady_clock::now() - begun;
  };
  using Made = Result<MadeData>;
  shared->job = document_.jobs().post(
      Lane::full, tr("Deconvolve · %1").arg(document_.items().full_name(item.id)), {}, this,
      [operation = *whole, input, hooks, shared, further,
       begun_with = begin != nullptr ? begin->dataset : nullptr,
       backend = document_.shared_backend()](const JobContext& context) -> Made {
        RunContext run;
        run.job = context;
        run.hooks = hooks;
        run.beside = [shared] { return std::chrono::duration<double>(shared->spent_on_showing); };
        auto done = further ? execute({operation}, begun_with, *backend, run, input)
                            : execute({operation}, input, *backend, run);
        if (!done) return done.error();
        const StepCost& cost = done->costs.front();
        auto dataset = released_elsewhere(std::move(done->data));
        auto counts = histogram_of(*dataset);
        return MadeData{std::move(dataset), std::move(counts), cost, input};
      },
      [this, from = document_.items().data_of(before), operation = *whole,
       choice = document_.items().choices()](const Made& result) {
        finish(from, operation, result, choice);
      });
  run_ = shared;
  reports_.clear();
  measured_.clear();
  iterations_ = shared->iterations;
  timer_.start();
  emit changed();
  return shared->job;
}

void DeconvolutionRun::keep() {
  if (run_) run_->keep.request_stop();
}

void DeconvolutionRun::cancel() {
  if (run_) document_.jobs().cancel(run_->job);
}

void DeconvolutionRun::finish(const Item& from, const Operation& operation,
                              const Result<MadeData>& result, std::uint64_t choice) {
  poll();
  const auto shared = std::exchange(run_, nullptr);
  if (!preview_) timer_.stop();
  document_.preview().set_live(nullptr);
  if (shared) {
    const std::lock_guard lock(shared->mutex);
    measured_ = shared->measured;
  }
  if (!result) {
    document_.messages().say(result.error());
    emit changed();
    return;
  }
  Operation done = operation;
  // Those of a search for how many are good are none of the result's.
  const auto count = static_cast<int>(std::count_if(
      reports_.begin(), reports_.end(), [](const auto& report) { return !report.searching; }));
  const bool kept = shared->keep.stop_requested() && count < shared->iterations;
  // Nobody waited for it.
  if (shared->keep.stop_requested() && measured_.empty()) done.parameters["resolution"] = false;
  // Replayed, the recipe gives this iterate.
  if (kept) {
    done = with_iterations(std::move(done), count);
    if (count < static_cast<int>(reports_.size())) {
      done.parameters["stop"] = std::string("change");
      done.parameters["stop_change"] = 0.0;
    }
  }
  QString name = goes_on(operation) ? tr("Deconvolved further") : tr("Deconvolved");
  if (kept) name += tr(" (partial, %1 of %2)").arg(count).arg(shared->iterations);
  document_.runner().add_made(from, *result, done, name, choice);
  emit changed();
}

void DeconvolutionRun::preview(const DeconvolutionRequest& request, const Region& region) {
  const Item* item = document_.items().current();
  if (run_ || item == nullptr || !request.psf) return;
  const auto whole = complete(request.operation);
  if (!whole || !document_.runner().supports(*whole)) return;
  const Item* begin = document_.items().find(request.start);
  const bool further = goes_on(*whole) && begin != nullptr && begin->deconvolved_from;
  const auto input = further ? begin->deconvolved_from : item->dataset;
  const auto first = begin != nullptr ? begin->dataset : nullptr;
  const Stencil& psf = *request.psf;
  auto shared = std::make_shared<Shared>();
  Region part = reached_region(region, psf, item->dataset->size());
  if (input->is_apr()) part = piece_box(part, *input->apr().access);
  shared->iterations = std::min(kPreviewIterations, most_iterations(*whole));
  Operation small = with_iterations(*whole, shared->iterations);
  small.parameters["stop"] = std::string("change");
  small.parameters["resolution"] = false;
  // The part of the first estimate is at hand, no file and no earlier step.
  if (first) small.parameters["start"] = std::string("previous");
  small.parameters["psf"] = std::string("given");
  small.parameters["psf_size"] = std::array<double, 3>{0, 0, 0};
  small.parameters["psf_weights"] =
      truncate_psf(psf, largest_psf_size({part.end.z - part.begin.z, part.end.x - part.begin.x,
                                          part.end.y - part.begin.y}));
  using Made = Result<bool>;
  shared->job = document_.background().post(
      Lane::preview, tr("Deconvolution preview"), "deconvolution preview", this,
      [small, part, region, shared, id = item->id, from = input, first, light = background_,
       name = tr("the part on screen").toStdString(),
       backend = document_.shared_backend()](const JobContext& context) -> Made {
        const auto piece = cut_piece(*from, part, name, context);
        if (!piece) return piece.error();
        IterationHooks hooks;
        if (first) {
          auto estimate = cut_piece(*first, part, name, context);
          if (!estimate) return estimate.error();
          hooks.start = estimate->data;
        }
        if (const auto& file = parameter<std::string>(small, "background_file"); !file.empty()) {
          auto under = light->part(file, *from, part, context);
          if (!under) return under.error();
          hooks.background = *std::move(under);
        }
        // Where it runs, if that is not where it was to.
        QString where;
        const JobContext watched =
            context.listening([&where](const DeviceMove& move) { where = moved_caption(move); });
        hooks.observer = [&](const IterationReport& report, std::span<const float> iterate) {
          const bool last = report.iteration == shared->iterations;
          if (!shared->add(report) && !last) return;
          auto pixels = piece_pixels(*piece, iterate, region, JobContext(context.stop_token()));
          if (!pixels) return;
          LiveImage live;
          live.item = id;
          live.region = region;
          live.pixels = *std::move(pixels);
          live.contrast = contrast_of(live.pixels.values);
          live.caption = tr("part on screen, iteration %1").arg(report.iteration) + where;
          shared->show(std::move(live));
        };
        auto done = backend->iterate(small, *piece->data, hooks, watched);
        if (!done) return done.error();
        return true;
      },
      [this, shared](const Made& done) {
        if (preview_ != shared) return;
        poll();
        preview_.reset();
        if (!run_) timer_.stop();
        if (!done && !done.error().cancelled()) {
          preview_error_ = QString::fromStdString(done.error().message());
        }
        emit changed();
      });
  preview_ = shared;
  preview_error_.clear();
  iterations_ = shared->iterations;
  reports_.clear();
  measured_.clear();
  timer_.start();
  emit changed();
}

void DeconvolutionRun::clear_preview() {
  if (!std::exchange(preview_error_, {}).isEmpty()) emit changed();
  if (preview_) {
    document_.background().cancel(preview_->job);
    preview_.reset();
    if (!run_) timer_.stop();
  }
  if (!run_) document_.preview().set_live(nullptr);
}

void DeconvolutionRun::poll() {
  const auto& shared = run_ ? run_ : preview_;
  if (!shared) return;
  std::shared_ptr<const LiveImage> image;
  {
    const std::lock_guard lock(shared->mutex);
    if (shared->reports.size() == reports_.size() && !shared->image) return;
    reports_ = shared->reports;
    image = std::exchange(shared->image, nullptr);
    if (image) shared->wanted = true;
  }
  if (image) document_.preview().set_live(std::move(image));
  emit changed();
}

}  // namespace aprscope::gui

#include "app/gui/document/map_growth.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "app/gui/document/device_text.hpp"
#include "app/gui/document/release.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope::gui {
namespace {

constexpr int kGrowthPollMs = 60;

Volume image_of(LiveMap&& live, const std::string& name) {
  Volume out;
  Pixels<float> pixels;
  pixels.size = {live.side, live.side, live.side};
  pixels.values = std::move(live.map);
  out.pixels = std::move(pixels);
  if (live.pixel_size > 0.0) {
    out.voxel = {live.pixel_size, live.pixel_size, live.pixel_size, "Å"};
  }
  out.name = name;
  return out;
}

double contour_of(const std::vector<float>& map) {
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : map) {
    sum += double{value};
    squares += double{value} * double{value};
  }
  const auto n = static_cast<double>(map.size());
  const double mean = sum / n;
  return mean + 3.0 * std::sqrt(std::max(0.0, squares / n - mean * mean));
}

}  // namespace

// Data that the worker and the window exchange.
struct MapGrowth::Shared {
  std::mutex mutex;
  std::optional<LiveMap> newest;
  std::vector<bool> unsound;  // see IterationHooks
  std::stop_source keep;
  std::uint64_t job = 0;
};

// A picture of the growing map, with everything that is needed to show it.
struct MapGrowth::Frame {
  std::shared_ptr<const Dataset> dataset;
  std::shared_ptr<const Histogram> histogram;
  std::shared_ptr<const Raycaster> raycaster;
  double contour = 0.0;
};

MapGrowth::MapGrowth(Document& document, QObject* parent) : QObject(parent), document_(document) {
  timer_.setInterval(kGrowthPollMs);
  connect(&timer_, &QTimer::timeout, this, &MapGrowth::poll);
}

MapGrowth::~MapGrowth() {
  if (run_) document_.jobs().cancel(run_->job);
}

std::uint64_t MapGrowth::start(const Item& item, const Operation& operation) {
  if (run_) return 0;
  const auto whole = complete(operation);
  if (!whole) {
    document_.messages().say(whole.error());
    return 0;
  }
  if (const Status ok = document_.backend().supports(*whole, *item.dataset); !ok) {
    document_.messages().say(ok.error());
    return 0;
  }
  auto shared = std::make_shared<Shared>();
  IterationHooks hooks;
  hooks.keep = shared->keep.get_token();
  hooks.growing = [shared](LiveMap live) {
    const std::lock_guard lock(shared->mutex);
    shared->newest = std::move(live);
  };
  hooks.unsound = [shared](const std::vector<bool>& rows) {
    const std::lock_guard lock(shared->mutex);
    shared->unsound = rows;
  };
  using Made = Result<MadeData>;
  shared->job = document_.jobs().post(
      Lane::full, tr("Reconstruct · %1").arg(document_.items().full_name(item.id)), {}, this,
      [operation = *whole, input = item.dataset, hooks,
       backend = document_.shared_backend()](const JobContext& context) -> Made {
        RunContext run;
        run.job = context;
        run.hooks = hooks;
        auto done = execute({operation}, input, *backend, run);
        if (!done) return done.error();
        const StepCost& cost = done->costs.front();
        auto dataset = released_elsewhere(std::move(done->data));
        auto counts = histogram_of(*dataset);
        return MadeData{std::move(dataset), std::move(counts), cost, {}};
      },
      [this, from = document_.items().data_of(item), operation = *whole,
       choice = document_.items().choices()](const Made& result) {
        finish(from, operation, result, choice);
      });
  run_ = shared;
  from_ = document_.items().data_of(item);
  state_ = {};
  timer_.start();
  emit changed();
  return shared->job;
}

void MapGrowth::keep() {
  if (run_) run_->keep.request_stop();
}

void MapGrowth::cancel() {
  if (run_) document_.jobs().cancel(run_->job);
}

// Shows the newest state; only one picture is made at a time, so states in between are skipped.
void MapGrowth::poll() {
  if (!run_ || drawing_) return;
  std::optional<LiveMap> live;
  {
    const std::lock_guard lock(run_->mutex);
    live = std::exchange(run_->newest, std::nullopt);
  }
  if (!live) return;
  State state{live->done, live->total, live->pixel_size, live->side, live->fsc, 0.0, {}};
  drawing_ = true;
  document_.background().post(
      Lane::preview, tr("Showing the map"), "growing map", this,
      [live = std::make_shared<LiveMap>(*std::move(live)),
       name = from_.dataset->name()](const JobContext& context) -> Result<Frame> {
        const double contour = contour_of(live->map);
        auto dataset = Dataset::create(image_of(std::move(*live), name));
        auto raycaster = dataset->raycaster(context);
        if (!raycaster) return raycaster.error();
        auto counts = histogram_of(*dataset);
        return Frame{released_elsewhere(std::move(dataset)), std::move(counts),
                     *std::move(raycaster), contour};
      },
      [this, state = std::move(state), of = run_](const Result<Frame>& frame) {
        drawing_ = false;
        // The run has ended or been replaced while this picture was made.
        if (!frame || of != run_) return;
        state_ = state;
        state_.contour = frame->contour;
        const QString name = tr("growing map, %L1 of %L2 images").arg(state.done).arg(state.total);
        document_.growing().show(from_, name, frame->dataset, frame->histogram, frame->raycaster);
        emit changed();
      });
}

// Adds to the refused images: a run that first measures the noise only looks at some of them.
void MapGrowth::note_refused(std::uint64_t item, const std::vector<bool>& rows) {
  if (rows.empty()) return;
  if (refused_.item != item || refused_.rows.size() != rows.size()) {
    refused_ = {item, std::vector<bool>(rows.size(), false)};
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i]) refused_.rows[i] = true;
  }
  emit images_refused();
}

void MapGrowth::finish(const Item& from, const Operation& operation, const Result<MadeData>& result,
                       std::uint64_t choice) {
  const auto shared = std::exchange(run_, nullptr);
  timer_.stop();
  // If the user is looking at the growing map, the result becomes current.
  if (document_.growing().id() != 0 && document_.items().current() != nullptr &&
      document_.items().current()->growing) {
    choice = document_.items().choices();
  }
  if (!result) {
    document_.growing().end();
    document_.messages().say(result.error());
    std::vector<bool> unsound;
    {
      const std::lock_guard lock(shared->mutex);
      unsound = std::move(shared->unsound);
    }
    note_refused(from.id, unsound);
    emit changed();
    return;
  }
  const auto& made = result->dataset->volume().reconstruction;
  QString name = tr("map");
  Operation done = operation;
  if (made) {
    state_ = {made->images, made->total, made->pixel_size, made->side,
              made->fsc,    0.0,         made->thin_share};
  }
  if (made && made->partial) {
    name = tr("map (partial, %L1 of %L2 images)").arg(made->images).arg(state_.total);
    // So that the recipe makes this partial map, with the same images left out.
    done.parameters["images"] = made->images + made->unsound;
  }
  document_.runner().add_made(from, *result, done, name, choice);
  document_.growing().end();
  emit changed();
}

}  // namespace aprscope::gui

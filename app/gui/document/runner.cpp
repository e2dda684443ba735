#include "app/gui/document/runner.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "app/gui/document/channel_items.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/document/supports.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/pipeline/shared_execution.hpp"

namespace aprscope::gui {

// The result of a run of steps.
struct Runner::Outcome {
  // Null if all steps only measured.
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Histogram> histogram;
  std::vector<StepMeasurement> measured;
  // Histograms of intermediate data that was measured but is no item.
  std::map<const Dataset*, std::shared_ptr<const Histogram>> between;
  std::shared_ptr<const Dataset> pixels;
  std::shared_ptr<const Dataset> deconvolved_from;
  std::vector<StepCost> costs;
  std::vector<Operation> steps;

  // Of a run on an item; `known`: the histogram of its data, if that is known.
  static Outcome of(Execution run, const Item& from, std::shared_ptr<const Histogram> known);
};

namespace {

// Particles that a finished preview has made by the same single step. Previews use the CPU; with
// another device, the history says so.
std::optional<ConversionPreview::Made> previewed(const ConversionPreview& preview,
                                                 const Backend& backend, const Item& from,
                                                 const std::vector<Operation>& steps) {
  if (steps.size() != 1 || !is_estimated(steps.front())) return std::nullopt;
  if (backend.id() != cpu_backend()->id()) return std::nullopt;
  return preview.made_of(*from.dataset, steps.front());
}

// The preview's particles as if the operation had been run.
Result<Execution> taken_over(const ConversionPreview::Made& made,
                             const std::shared_ptr<const Dataset>& image, const Operation& step,
                             const Backend& backend, const JobContext& context) {
  Execution run;
  run.data = made.dataset;
  if (image->labels()) {
    auto labelled = with_labels_of(image->labels(), Apr(made.dataset->apr()), context);
    if (!labelled) return labelled.error();
    run.data = Dataset::create(*std::move(labelled));
  }
  run.converted_from = image;
  StepCost cost;
  cost.operation = step.id;
  cost.seconds = made.seconds;
  cost.bytes = own_bytes(run.data->data());
  cost.backend = backend.name();
  run.costs = {std::move(cost)};
  run.steps = {step};
  return run;
}

// Whether the steps give data; labels and measurements belong to one channel only.
bool gives_data(const std::vector<Operation>& steps) {
  return std::none_of(steps.begin(), steps.end(), [](const Operation& step) {
    const Gives gives = traits_of(step).gives;
    return gives == Gives::labels || gives == Gives::measurement;
  });
}

}  // namespace

Runner::Outcome Runner::Outcome::of(Execution run, const Item& from,
                                    std::shared_ptr<const Histogram> known) {
  if (run.data == from.dataset && !run.measured.empty()) {
    return Outcome{{}, {}, std::move(run.measured), {},
                   {}, {}, std::move(run.costs),    std::move(run.steps)};
  }
  std::map<const Dataset*, std::shared_ptr<const Histogram>> between;
  for (StepMeasurement& one : run.measured) {
    if (one.of == run.data || one.of == from.dataset) continue;
    one.of = released_elsewhere(one.of);
    between.emplace(one.of.get(), histogram_of(*one.of));
  }
  const std::shared_ptr<const Dataset> made = run.data;
  const auto data = released_elsewhere(std::move(run.data));
  for (StepMeasurement& one : run.measured) {
    if (one.of == made) one.of = data;
  }
  auto pixels =
      run.converted_from ? released_elsewhere(std::move(run.converted_from)) : from.pixels;
  // The pixels do not belong to the result if it is a part of the particles or a level.
  if (!data->is_apr() || (pixels && pixels->size() != data->size())) pixels.reset();
  auto deconvolved_from = std::move(run.deconvolved_from);
  if (deconvolved_from) deconvolved_from = released_elsewhere(std::move(deconvolved_from));
  auto histogram = known ? std::move(known) : histogram_of(*data);
  return Outcome{
      data,   std::move(histogram),        std::move(run.measured), std::move(between),
      pixels, std::move(deconvolved_from), std::move(run.costs),    std::move(run.steps)};
}

Runner::Runner(ItemList& items, const Channels& channels, PreviewState& preview,
               Corrections& corrections, Services& services)
    : items_(items),
      channels_(channels),
      preview_(preview),
      corrections_(corrections),
      services_(services) {}

Status Runner::supports(const Operation& operation) const {
  return gui::supports(items_.current(), operation, *services_.backend);
}

std::uint64_t Runner::apply(const Operation& operation) {
  const auto whole = complete(operation);
  if (!whole) {
    services_.messages.say(whole.error());
    return 0;
  }
  if (const Status ok = supports(*whole); !ok) {
    services_.messages.say(ok.error());
    return 0;
  }
  if (Corrections::amends(*whole)) return corrections_.amend(*whole);
  return start_current({*whole}, QString::fromStdString(find_schema(whole->id)->label));
}

std::uint64_t Runner::apply(const Recipe& recipe) {
  if (recipe.steps.empty()) {
    services_.messages.say(MessageKind::warning, tr("The recipe has no steps."));
    return 0;
  }
  if (const Status ok = supports(recipe.steps.front()); !ok) {
    services_.messages.say(ok.error());
    return 0;
  }
  return start_current(steps_for(recipe.steps, items_.current()->recipe.input),
                       tr("Recipe of %n step(s)", nullptr, static_cast<int>(recipe.steps.size())));
}

std::uint64_t Runner::start_current(const std::vector<Operation>& steps, const QString& title) {
  const Item item = *items_.current();
  if (!to_all_channels_ || !gives_data(steps)) return start(item, steps, title, items_.choices());
  std::vector<Item> all = other_channels_for(item, steps);
  if (!all.empty() && share_structure(steps)) {
    all.insert(all.begin(), item);
    return start_together(all, steps, title, items_.choices());
  }
  const std::uint64_t job = start(item, steps, title, items_.choices());
  for (const Item& other : all) start(other, steps, title, std::nullopt);
  return job;
}

void Runner::set_to_all_channels(bool all) {
  if (all == to_all_channels_) return;
  to_all_channels_ = all;
  emit to_all_channels_changed(all);
}

// The other channels that are shown with an item, as far as they can be had; says which cannot.
std::vector<Item> Runner::other_channels_for(const Item& item,
                                             const std::vector<Operation>& steps) {
  ChannelItems others = other_channels(item, channels_);
  std::vector<Item> usable;
  for (Item& other : others.items) {
    if (const Status ok = gui::supports(&other, steps.front(), *services_.backend); ok) {
      usable.push_back(std::move(other));
    } else {
      services_.messages.say(ok.error());
    }
  }
  if (!others.missing.isEmpty()) {
    services_.messages.say(
        MessageKind::warning,
        tr("%1: not loaded or made yet, so it was left out. Apply again when it is shown.")
            .arg(others.missing.join(QStringLiteral(", "))));
  }
  return usable;
}

std::uint64_t Runner::add_result(Item item, const QString& what, Choice choice) {
  const bool stayed = choice == items_.choices();
  const std::uint64_t id = items_.add(std::move(item), what, stayed);
  if (choice && !stayed) emit announced(id, tr("Done: %1").arg(items_.full_name(id)));
  return id;
}

// Runs steps on an item one after the other. The last data becomes an item, and so does every
// measurement on the way; `done` is called with the id of the first of them.
std::uint64_t Runner::start(const Item& origin, std::vector<Operation> steps, const QString& title,
                            Choice choice, std::function<void(std::uint64_t)> done) {
  const Item from = items_.data_of(origin);
  // A preview is of one channel, too.
  const auto taken = previewed(preview_.conversion_preview(), *services_.backend, from, steps);
  steps = with_own_structure(std::move(steps));
  const Item* const listed = items_.find(from.id);
  const bool is_listed = listed != nullptr && listed->recipe.channel == from.recipe.channel;
  const QString job_title =
      tr("%1 · %2").arg(title, listed != nullptr && !is_listed
                                   ? tr("%1 (%2)").arg(from.name, part_text(from))
                                   : items_.full_name(listed != nullptr ? from.id : origin.id));
  return services_.jobs.post(
      Lane::full, job_title, {}, this,
      [steps, from, taken,
       backend = services_.backend](const JobContext& context) -> Result<Outcome> {
        auto run = taken ? taken_over(*taken, from.dataset, steps.front(), *backend, context)
                         : execute(steps, from.dataset, *backend, context.part(0.0, 0.98),
                                   from.deconvolved_from);
        if (!run) return run.error();
        return Outcome::of(*std::move(run), from, taken ? taken->histogram : nullptr);
      },
      [this, from, title, done, choice](const Result<Outcome>& outcome) {
        if (!outcome) {
          services_.messages.say(outcome.error());
          return;
        }
        const std::uint64_t id = add_outcome(from, *outcome, title, choice);
        if (done) done(id);
      });
}

// Runs steps on channels of one image in one job, as their particles share a structure.
std::uint64_t Runner::start_together(const std::vector<Item>& origins,
                                     const std::vector<Operation>& steps, const QString& title,
                                     Choice choice) {
  std::vector<Item> from;
  for (const Item& origin : origins) from.push_back(items_.data_of(origin));
  const QString job_title = tr("%1 · %2 (%n channel(s))", nullptr, static_cast<int>(from.size()))
                                .arg(title, items_.full_name(origins.front().id));
  return services_.jobs.post(
      Lane::full, job_title, {}, this,
      [steps, from,
       backend = services_.backend](const JobContext& context) -> Result<std::vector<Outcome>> {
        std::vector<SharedChannel> channels;
        for (const Item& one : from) channels.push_back({steps, one.dataset, one.deconvolved_from});
        auto runs = execute_shared(channels, *backend, context.part(0.0, 0.98));
        if (!runs) return runs.error();
        std::vector<Outcome> outcomes;
        for (std::size_t i = 0; i < runs->size(); ++i) {
          outcomes.push_back(Outcome::of(std::move((*runs)[i]), from[i], nullptr));
        }
        return outcomes;
      },
      [this, from, title, choice](const Result<std::vector<Outcome>>& outcomes) {
        if (!outcomes) {
          services_.messages.say(outcomes.error());
          return;
        }
        for (std::size_t i = 0; i < outcomes->size(); ++i) {
          add_outcome(from[i], (*outcomes)[i], title, i == 0 ? choice : std::nullopt);
        }
      });
}

// Adds what a run on an item made. Gives the id of its data, or of its first measurement.
std::uint64_t Runner::add_outcome(const Item& from, const Outcome& outcome, const QString& title,
                                  Choice choice) {
  const bool stayed = choice == items_.choices();
  const std::size_t parts = outcome.measured.size() + (outcome.data ? 1 : 0);
  if (parts > 1) items_.undo_stack().beginMacro(title);
  std::uint64_t id = from.id;
  if (outcome.data) id = add_data(from, outcome, title, choice);
  for (const StepMeasurement& one : outcome.measured) {
    const std::uint64_t added = add_measurement(from, one, outcome, id, choice);
    if (!outcome.data) id = added;
  }
  if (parts > 1) items_.undo_stack().endMacro();
  // The final data becomes current, not the measurements on the way.
  const bool ends_with_data =
      outcome.data && traits_of(outcome.steps.back()).gives != Gives::measurement;
  if (parts > 1 && stayed && ends_with_data) items_.show(id);
  services_.messages.say_moves(outcome.costs);
  return id;
}

// Adds the final data as an item.
std::uint64_t Runner::add_data(const Item& from, const Outcome& outcome, const QString& title,
                               Choice choice) {
  Item result;
  result.dataset = outcome.data;
  result.histogram = outcome.histogram;
  result.pixels = outcome.pixels;
  result.deconvolved_from = outcome.deconvolved_from;
  descend(result, from, items_);
  result.costs = from.costs;
  result.display = from.display;
  QStringList parts;
  std::vector<StepCost> costs;
  bool own_range = false;
  // Short, since the list shows the item below the one it was made from.
  result.name = title;
  for (std::size_t i = 0; i < outcome.steps.size(); ++i) {
    const Operation& step = outcome.steps[i];
    const Gives gives = traits_of(step).gives;
    if (gives == Gives::measurement) continue;
    result.recipe.steps.push_back(step);
    costs.push_back(outcome.costs[i]);
    own_range = own_range || range_of(step) == Range::own;
    parts << short_text(step);
    result.name = gives == Gives::apr      ? tr("particles")
                  : gives == Gives::pixels ? tr("pixels")
                                           : title;
  }
  result.costs.insert(result.costs.end(), costs.begin(), costs.end());
  if (!result.supports(result.display.mode) || result.is_apr() != from.is_apr()) {
    result.display.mode = first_mode(*result.dataset);
  }
  if (own_range) {
    result.display.contrast = automatic_contrast(*result.histogram);
    result.display.forget_contrast(result.recipe.channel);
  }
  return add_result(std::move(result), parts.join(QStringLiteral(" → ")) + moved_suffix(costs),
                    choice);
}

// Adds a measurement as an item below the data that was measured.
std::uint64_t Runner::add_measurement(const Item& from, const StepMeasurement& measured,
                                      const Outcome& outcome, std::uint64_t data, Choice choice) {
  const Item* of = measured.of == outcome.data ? items_.find(data) : items_.find(from.id);
  Item result = of != nullptr && of->dataset == measured.of ? *of : from;
  const Item origin = result;
  if (result.dataset != measured.of) {
    // Intermediate data, which is no item, is kept by the measurement itself.
    result.dataset = measured.of;
    result.histogram = outcome.between.at(measured.of.get());
    result.raycaster.reset();
    result.pixels.reset();
    result.deconvolved_from.reset();
    result.display.mode = first_mode(*measured.of);
    result.display.contrast = automatic_contrast(*result.histogram);
  }
  descend(result, origin, items_);
  result.measurement = measured.found;
  result.source.reset();
  result.saved_as.clear();
  result.saved_stamp.reset();
  result.recipe = from.recipe;
  result.costs = from.costs;
  for (std::size_t i = 0; i <= measured.step; ++i) {
    const bool itself = i == measured.step;
    if (!itself && traits_of(outcome.steps[i]).gives == Gives::measurement) continue;
    result.recipe.steps.push_back(outcome.steps[i]);
    result.costs.push_back(outcome.costs[i]);
  }
  const Operation& step = outcome.steps[measured.step];
  result.name = QString::fromStdString(find_schema(step.id)->label);
  return add_result(std::move(result),
                    short_text(step) + moved_suffix({outcome.costs[measured.step]}), choice);
}

void Runner::add_made(const Item& from, const MadeData& made, const Operation& operation,
                      const QString& name, std::uint64_t choice) {
  Item result;
  result.dataset = made.dataset;
  result.histogram = made.histogram;
  result.pixels = made.dataset->is_apr() ? from.pixels : nullptr;
  result.deconvolved_from = made.deconvolved_from;
  descend(result, from, items_);
  result.recipe.steps.push_back(operation);
  result.costs = from.costs;
  result.costs.push_back(made.cost);
  result.name = name;
  result.display = from.display;
  result.display.contrast = automatic_contrast(*result.histogram);
  result.display.forget_contrast(result.recipe.channel);
  // During the run the slices showed the image being made; now they show the particles.
  if (result.display.mode == ShowMode::pixel && result.is_apr()) {
    result.display.mode = ShowMode::constant;
  }
  add_result(std::move(result), short_text(operation) + moved_suffix({made.cost}), choice);
  services_.messages.say_moves({made.cost});
}

}  // namespace aprscope::gui

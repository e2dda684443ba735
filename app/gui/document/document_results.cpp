// What becomes of the steps that the document runs: data, measurements, and their place in the
// list.
#include <map>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/conversion_preview.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/document.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/registry.hpp"

namespace aprscope::gui {

// What a run of steps left.
struct Document::Outcome {
  // Null where all that was done is measuring.
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Histogram> histogram;
  std::vector<StepMeasurement> measured;
  // Of data in between, which is no item, but was measured.
  std::map<const Dataset*, std::shared_ptr<const Histogram>> between;
  std::shared_ptr<const Dataset> pixels;
  std::shared_ptr<const Dataset> deconvolved_from;
  std::vector<StepCost> costs;
  std::vector<Operation> steps;
};

namespace {

// What a finished preview knows of the steps already. It was made by the CPU; another device says
// in the history of what it makes that it was there.
std::optional<ConversionPreview::Made> previewed(const ConversionPreview& preview,
                                                 const Backend& backend, const Item& from,
                                                 const std::vector<Operation>& steps) {
  if (steps.size() != 1 || !is_estimated(steps.front())) return std::nullopt;
  if (backend.id() != cpu_backend()->id()) return std::nullopt;
  return preview.made_of(*from.dataset, steps.front());
}

// The same as the run of its operation.
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

}  // namespace

std::uint64_t Document::add(Item item, const QString& what) {
  item.id = next_id_++;
  const std::uint64_t id = item.id;
  undo_.push(new AddItemCommand(*this, std::move(item), what, true));
  return id;
}

std::uint64_t Document::add_result(Item item, const QString& what, std::uint64_t choice) {
  item.id = next_id_++;
  const std::uint64_t id = item.id;
  const bool stayed = choice == choices_;
  undo_.push(new AddItemCommand(*this, std::move(item), what, stayed));
  if (!stayed) emit announced(id, tr("Done: %1").arg(full_name(id)));
  return id;
}

// What a result has from the item that it was made of.
void Document::descend(Item& result, const Item& from) const {
  result.parent = from.id;
  const Item* still = item(from.id);
  result.origin = lineage(still != nullptr ? *still : from);
  result.recipe = from.recipe;
  result.typed_voxel = from.typed_voxel;
  result.file_channels = from.file_channels;
  result.file_times = from.file_times;
}

// Runs steps one after the other on an item. The last data becomes an item, and so does all that
// was measured on the way; `done` gets the id of the first of them.
std::uint64_t Document::start(const Item& origin, std::vector<Operation> steps,
                              const QString& title, std::function<void(std::uint64_t)> done) {
  const Item from = data_of(origin);
  const auto taken = previewed(*conversion_, *backend_, from, steps);
  const QString job_title =
      tr("%1 · %2").arg(title, full_name(item(from.id) != nullptr ? from.id : origin.id));
  return jobs_->post(
      Lane::full, job_title, {}, this,
      [steps, from, taken, backend = backend_](const JobContext& context) -> Result<Outcome> {
        auto run = taken ? taken_over(*taken, from.dataset, steps.front(), *backend, context)
                         : execute(steps, from.dataset, *backend, context.part(0.0, 0.98),
                                   from.deconvolved_from);
        if (!run) return run.error();
        if (run->data == from.dataset && !run->measured.empty()) {
          return Outcome{{}, {}, std::move(run->measured), {},
                         {}, {}, std::move(run->costs),    std::move(run->steps)};
        }
        std::map<const Dataset*, std::shared_ptr<const Histogram>> between;
        for (StepMeasurement& one : run->measured) {
          if (one.of == run->data || one.of == from.dataset) continue;
          one.of = released_elsewhere(one.of);
          between.emplace(one.of.get(), histogram_of(*one.of));
        }
        const std::shared_ptr<const Dataset> made = run->data;
        const auto data = released_elsewhere(std::move(run->data));
        for (StepMeasurement& one : run->measured) {
          if (one.of == made) one.of = data;
        }
        auto pixels =
            run->converted_from ? released_elsewhere(std::move(run->converted_from)) : from.pixels;
        if (!data->is_apr()) pixels.reset();
        auto deconvolved_from = std::move(run->deconvolved_from);
        if (deconvolved_from) {
          deconvolved_from = released_elsewhere(std::move(deconvolved_from));
        }
        auto histogram = taken ? taken->histogram : histogram_of(*data);
        return Outcome{
            data,   std::move(histogram),        std::move(run->measured), std::move(between),
            pixels, std::move(deconvolved_from), std::move(run->costs),    std::move(run->steps)};
      },
      [this, from, title, done, choice = choices_](const Result<Outcome>& outcome) {
        if (!outcome) {
          say(outcome.error());
          return;
        }
        const bool stayed = choice == choices_;
        const std::size_t parts = outcome->measured.size() + (outcome->data ? 1 : 0);
        if (parts > 1) undo_.beginMacro(title);
        std::uint64_t id = from.id;
        if (outcome->data) id = add_data(from, *outcome, title, choice);
        for (const StepMeasurement& one : outcome->measured) {
          const std::uint64_t added = add_measurement(from, one, *outcome, id, choice);
          if (!outcome->data) id = added;
        }
        if (parts > 1) undo_.endMacro();
        // What the steps led to is looked at, not what they measured on the way.
        const bool ends_with_data =
            outcome->data && traits_of(outcome->steps.back()).gives != Gives::measurement;
        if (parts > 1 && stayed && ends_with_data) make_current(id);
        say_moves(outcome->costs);
        if (done) done(id);
      });
}

// The data that steps led to.
std::uint64_t Document::add_data(const Item& from, const Outcome& outcome, const QString& title,
                                 std::uint64_t choice) {
  Item result;
  result.dataset = outcome.data;
  result.histogram = outcome.histogram;
  result.pixels = outcome.pixels;
  result.deconvolved_from = outcome.deconvolved_from;
  descend(result, from);
  result.costs = from.costs;
  result.display = from.display;
  QStringList parts;
  std::vector<StepCost> costs;
  bool own_range = false;
  // The list shows it below what it was made from.
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
  if (own_range) result.display.contrast = automatic_contrast(*result.histogram);
  return add_result(std::move(result), parts.join(QStringLiteral(" → ")) + moved_suffix(costs),
                    choice);
}

// What a step measured: below the data that it was measured on.
std::uint64_t Document::add_measurement(const Item& from, const StepMeasurement& measured,
                                        const Outcome& outcome, std::uint64_t data,
                                        std::uint64_t choice) {
  const Item* of = measured.of == outcome.data ? item(data) : item(from.id);
  Item result = of != nullptr && of->dataset == measured.of ? *of : from;
  const Item origin = result;
  if (result.dataset != measured.of) {
    // Data in between that is no item.
    result.dataset = measured.of;
    result.histogram = outcome.between.at(measured.of.get());
    result.raycaster.reset();
    result.pixels.reset();
    result.deconvolved_from.reset();
    result.display.mode = first_mode(*measured.of);
    result.display.contrast = automatic_contrast(*result.histogram);
  }
  descend(result, origin);
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

const Item* Document::data_item(const Item& of) const {
  const Item* found = &of;
  while (found != nullptr && found->is_measurement()) found = item(found->parent);
  return found;
}

Item Document::data_of(const Item& of) const {
  if (!of.is_measurement()) return detached(of);
  if (const Item* data = data_item(of); data != nullptr && data->dataset == of.dataset) {
    return detached(*data);
  }
  // What was measured is no item any more, or never was.
  Item data = detached(of);
  data.id = of.parent;
  data.measurement.reset();
  while (!data.recipe.steps.empty() &&
         traits_of(data.recipe.steps.back()).gives == Gives::measurement) {
    data.recipe.steps.pop_back();
    if (!data.costs.empty()) data.costs.pop_back();
  }
  return data;
}

void Document::add_made(const Item& from, const MadeData& made, const Operation& operation,
                        const QString& name, std::uint64_t choice) {
  Item result;
  result.dataset = made.dataset;
  result.histogram = made.histogram;
  result.pixels = made.dataset->is_apr() ? from.pixels : nullptr;
  result.deconvolved_from = made.deconvolved_from;
  descend(result, from);
  result.recipe.steps.push_back(operation);
  result.costs = from.costs;
  result.costs.push_back(made.cost);
  result.name = name;
  result.display = from.display;
  result.display.contrast = automatic_contrast(*result.histogram);
  // The slices showed it as it was made; they show what was made.
  if (result.display.mode == ShowMode::pixel && result.is_apr()) {
    result.display.mode = ShowMode::constant;
  }
  add_result(std::move(result), short_text(operation) + moved_suffix({made.cost}), choice);
  say_moves({made.cost});
}

}  // namespace aprscope::gui

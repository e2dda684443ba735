#include "app/gui/document/workspace_restorer.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include "app/gui/document/large_files.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/widgets/show_mode_names.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_execution.hpp"
#include "core/pipeline/file_measurement.hpp"
#include "core/pipeline/shared_execution.hpp"

namespace aprscope::gui {
namespace {

bool begins_with(const std::vector<Operation>& steps, const std::vector<Operation>& first) {
  return steps.size() >= first.size() && std::equal(first.begin(), first.end(), steps.begin());
}

// Whether the recipe can be gone on with from an item: of the same image, channel, time point and
// voxel size (an original may show another by now). What goes on from a deconvolution needs the
// image that was deconvolved.
bool leads_to(const Item& item, const ShownItem& of) {
  const Recipe& made = item.recipe;
  const Recipe& wanted = of.recipe;
  if (item.typed_voxel != of.voxel) return false;
  const std::size_t done = made.steps.size();
  return made.input == wanted.input && made.channel == wanted.channel && made.time == wanted.time &&
         begins_with(wanted.steps, made.steps) &&
         (done == wanted.steps.size() || !goes_on(wanted.steps[done]) || item.deconvolved_from);
}

Result<Execution> original(const ShownItem& wanted, std::optional<SourceInfo>& source,
                           const JobContext& context) {
  const auto dataset = [&](Data data) {
    Execution out;
    if (wanted.voxel) std::visit([&](auto& one) { one.voxel = *wanted.voxel; }, data);
    out.data = Dataset::create(std::move(data));
    return out;
  };
  if (wanted.recipe.input.empty()) return dataset(demo_image());
  auto info = inspect(wanted.recipe.input, context);
  if (!info) return info.error();
  auto data = load(*info, {wanted.recipe.channel, wanted.recipe.time}, context);
  if (!data) return data.error();
  source = *info;
  return dataset(*std::move(data));
}

// Steps of which the first may need but a part of the file, which may be larger than memory.
Result<Execution> of_file(const ShownItem& wanted, std::optional<SourceInfo>& source,
                          const Backend& backend, const JobContext& context) {
  const auto info = inspect(wanted.recipe.input, context);
  if (!info) return info.error();
  source = *info;
  return execute_file(wanted.recipe.steps, *info, {wanted.recipe.channel, wanted.recipe.time},
                      backend, context, wanted.voxel);
}

// Whether two items were made together of channels of one image.
bool is_sister(const ShownItem& a, const ShownItem& b) {
  return a.recipe.input == b.recipe.input && a.recipe.time == b.recipe.time &&
         a.recipe.channel != b.recipe.channel && a.voxel == b.voxel &&
         could_share(a.recipe.steps, b.recipe.steps);
}

// The channels that an item was made together with, itself first, one of each. Where several fit,
// that with all the same numbers.
std::vector<ShownItem> made_together(const ShownItem& wanted,
                                     const std::vector<ShownItem>& listed) {
  std::vector<ShownItem> channels{wanted};
  for (const bool same : {true, false}) {
    for (const ShownItem& other : listed) {
      const bool taken = std::any_of(channels.begin(), channels.end(), [&](const ShownItem& one) {
        return one.recipe.channel == other.recipe.channel;
      });
      if (taken || !is_sister(wanted, other)) continue;
      if (!same || wanted.recipe.steps == other.recipe.steps) channels.push_back(other);
    }
  }
  return channels;
}

// Measures all of a file again, in parts; its level is shown beside the numbers, as the parent does
// if it shows the same part.
Status measure_again(const ShownItem& wanted, const Item* parent, Item& item,
                     const JobContext& context) {
  const SourceSelection part{wanted.recipe.channel, wanted.recipe.time};
  const int level = static_cast<int>(wanted.beside_level);
  auto measured = measure_all_of_file(
      {wanted.recipe.steps.front(), wanted.recipe.input, part, level, wanted.voxel}, context);
  if (!measured) return measured.error();
  item.measurement = measured->found;
  item.costs = {measured->cost};
  item.beside_level = level;
  if (parent != nullptr && file_level(*parent) == level && parent->typed_voxel == wanted.voxel &&
      parent->recipe.input == wanted.recipe.input && parent->recipe.channel == part.channel &&
      parent->recipe.time == part.time) {
    item.dataset = parent->dataset;
    return {};
  }
  const auto info = inspect(wanted.recipe.input, JobContext(context.stop_token()));
  if (!info) return info.error();
  auto shown = load_level(*info, part, level, JobContext(context.stop_token()));
  if (!shown) return shown.error();
  if (wanted.voxel) std::visit([&](auto& one) { one.voxel = *wanted.voxel; }, *shown);
  item.dataset = Dataset::create(*std::move(shown));
  return {};
}

// The file that a result was written to, if it still holds the same bytes. Error: why it is not to
// be trusted.
Result<std::shared_ptr<const Dataset>> from_file(const ShownItem& wanted,
                                                 const JobContext& context) {
  const Error doubt{"", wanted.file, "the steps were done again instead"};
  const auto because = [&](const char* what) {
    Error error = doubt;
    error.what = what;
    return error;
  };
  std::error_code code;
  if (!std::filesystem::exists(wanted.file, code)) return because("is not there any more");
  if (!wanted.file_stamp) return because("cannot be told from another file of that name");
  // The size alone is quicker to look at, and enough to say no.
  const auto bytes = std::filesystem::file_size(wanted.file, code);
  if (code || bytes != wanted.file_stamp->bytes)
    return because("has changed since it was exported");
  const auto stamp = stamp_of(wanted.file, context.part(0.0, 0.1));
  if (!stamp) return stamp.error();
  if (*stamp != *wanted.file_stamp) return because("has changed since it was exported");
  auto data = load_file(wanted.file, context.part(0.1, 1.0));
  if (!data) return data.error();
  return Dataset::create(*std::move(data));
}

// What an exported item was made from, as far as its parent is there.
void take_origins(const ShownItem& wanted, const WorkspaceRestorer::Restored* parent, Item& item,
                  std::shared_ptr<const Dataset>& converted_from) {
  item.saved_as = wanted.file;
  item.saved_stamp = wanted.file_stamp;
  // What the parent shows by now may be another channel.
  if (parent == nullptr || !leads_to(parent->item, wanted)) return;
  const Item& from = parent->item;
  converted_from = from.is_apr() ? from.pixels : from.dataset;
  const std::vector<Operation>& steps = wanted.recipe.steps;
  if (!traits_of(steps.back()).iterates || steps.size() != from.recipe.steps.size() + 1) return;
  item.deconvolved_from = goes_on(steps.back()) ? from.deconvolved_from : from.dataset;
}

}  // namespace

WorkspaceRestorer::WorkspaceRestorer(WindowWorkspace workspace,
                                     std::shared_ptr<const Backend> backend)
    : workspace_(std::move(workspace)), backend_(std::move(backend)) {}

const WorkspaceRestorer::Restored* WorkspaceRestorer::find(std::uint64_t id) const {
  const auto found = std::find_if(items_.begin(), items_.end(),
                                  [id](const Restored& r) { return r.old_id == id; });
  return id == 0 || found == items_.end() ? nullptr : &*found;
}

Status WorkspaceRestorer::read(const JobContext& context) {
  const auto waits = [this](std::uint64_t id) {
    return std::any_of(rest_.begin(), rest_.end(),
                       [id](const ShownItem& item) { return item.id == id; });
  };
  const auto count = static_cast<double>(std::max<std::size_t>(workspace_.items.size(), 1));
  double at = 0.0;
  for (const ShownItem& wanted : workspace_.items) {
    if (waits(wanted.parent)) {
      rest_.push_back(wanted);
      continue;
    }
    context.report(at / count, wanted.name);
    Status done = restored_or_said(wanted, false, context.part(at / count, (at + 1.0) / count));
    if (!done) return done;
    at += 1.0;
  }
  return {};
}

Status WorkspaceRestorer::repeat(const JobContext& context) {
  const ShownItem wanted = std::move(rest_.front());
  rest_.pop_front();
  return restored_or_said(wanted, true, context);
}

// Fails when cancelled only.
Status WorkspaceRestorer::restored_or_said(const ShownItem& wanted, bool repeats,
                                           const JobContext& context) {
  const Status done = restore(wanted, repeats, context);
  if (done) return {};
  if (done.error().cancelled()) return done.error();
  Error error = done.error();
  if (error.where.empty()) error.where = wanted.name;
  // A missing file takes its results with it: once is enough.
  const bool said = std::any_of(errors_.begin(), errors_.end(),
                                [&](const Error& e) { return e.message() == error.message(); });
  if (!said) errors_.push_back(std::move(error));
  return {};
}

// Parents come first, so that a child starts from its parent's data.
Status WorkspaceRestorer::restore(const ShownItem& wanted, bool repeats,
                                  const JobContext& context) {
  Item item;
  const Restored* parent = find(wanted.parent);
  const std::vector<Operation>& steps = wanted.recipe.steps;
  item.costs = wanted.costs;
  std::shared_ptr<const Dataset> converted_from;
  bool read = false;
  std::optional<Error> doubt;
  if (!steps.empty() && !wanted.file.empty()) {
    auto written = from_file(wanted, context);
    if (!written && written.error().cancelled()) return written.error();
    read = written.ok();
    if (read) {
      item.dataset = *std::move(written);
      take_origins(wanted, parent, item, converted_from);
    } else {
      doubt = written.error();
    }
  }
  if (!read) {
    if (!repeats && !steps.empty()) {
      rest_.push_back(wanted);
      return {};
    }
    if (Status done = replay(wanted, parent, item, converted_from, context); !done) return done;
  }
  if (doubt) doubts_.push_back(*std::move(doubt));
  item.dataset = released_elsewhere(std::move(item.dataset));
  // Those of a whole are not those of a box of it.
  if (item.is_apr() && converted_from && converted_from->size() == item.dataset->size()) {
    item.pixels = std::move(converted_from);
  }
  item.histogram = histogram_of(*item.dataset);
  item.name = QString::fromStdString(wanted.name);
  item.origin = QString::fromStdString(wanted.origin);
  item.typed_voxel = wanted.voxel;
  item.left_out = wanted.left_out;
  const bool of_level = wanted.parent == 0 && shown_level(steps) && !wanted.recipe.input.empty();
  if (of_level && !item.source) {
    auto info = inspect(wanted.recipe.input, context);
    if (info) item.source = *std::move(info);
  }
  if (item.source) {
    item.file_channels = static_cast<int>(item.source->channels.size());
    item.file_times = item.source->times;
  } else if (parent != nullptr) {
    item.file_channels = parent->item.file_channels;
    item.file_times = parent->item.file_times;
  }
  // Only an original and an overview show other parts of their file.
  if (!steps.empty() && !of_level) item.source.reset();
  item.recipe = wanted.recipe;
  item.selection = {wanted.recipe.channel, wanted.recipe.time};
  const WorkspaceDisplay& d = wanted.display;
  item.display = {show_mode_from(d.mode).value_or(ShowMode::constant),
                  d.contrast,
                  d.colours ? add_colormap(d.colormap, *d.colours) : d.colormap,
                  d.scale_bar,
                  d.crosshair,
                  d.composite,
                  {}};
  for (const WorkspaceChannel& c : d.channels) {
    item.display.channels.push_back({c.visible, c.colour, c.contrast});
  }
  if (!item.supports(item.display.mode)) {
    item.display.mode = first_mode(*item.dataset);
  }
  // Children of what is missing hang on nothing.
  items_.push_back({std::move(item), wanted.id, parent != nullptr ? wanted.parent : 0});
  return {};
}

bool WorkspaceRestorer::shares(const ShownItem& wanted, std::size_t done) const {
  const std::vector<Operation>& steps = wanted.recipe.steps;
  if (wanted.recipe.input.empty() ||
      !share_structure({steps.begin() + static_cast<std::ptrdiff_t>(done), steps.end()})) {
    return false;
  }
  return made_together(wanted, workspace_.items).size() > 1;
}

Result<Execution> WorkspaceRestorer::run_shared(const ShownItem& wanted,
                                                std::optional<SourceInfo>& source,
                                                const JobContext& context) {
  const auto ready = std::find_if(together_.begin(), together_.end(),
                                  [&](const Together& made) { return made.id == wanted.id; });
  if (ready != together_.end()) {
    Execution run = std::move(ready->run);
    source = std::move(ready->source);
    together_.erase(ready);
    return run;
  }
  const std::vector<ShownItem> listed = made_together(wanted, workspace_.items);
  std::vector<SharedChannel> channels;
  const double n = static_cast<double>(listed.size());
  for (const ShownItem& one : listed) {
    const double at = 0.3 * static_cast<double>(channels.size()) / n;
    auto image = original(one, source, context.part(at, at + 0.3 / n));
    if (!image) return image.error();
    channels.push_back({one.recipe.steps, std::move(image->data)});
  }
  auto runs = execute_shared(channels, *backend_, context.part(0.3, 1.0));
  if (!runs) return runs.error();
  for (std::size_t i = 1; i < listed.size(); ++i) {
    // What was read from a file, or made with others, is not waited for.
    const std::uint64_t id = listed[i].id;
    const bool made = std::any_of(together_.begin(), together_.end(),
                                  [id](const Together& one) { return one.id == id; });
    if (find(id) == nullptr && !made) together_.push_back({id, std::move((*runs)[i]), source});
  }
  return std::move(runs->front());
}

Status WorkspaceRestorer::replay(const ShownItem& wanted, const Restored* parent, Item& item,
                                 std::shared_ptr<const Dataset>& converted_from,
                                 const JobContext& context) {
  if (wanted.beside_level != 0 && wanted.recipe.steps.size() == 1) {
    return measure_again(wanted, parent != nullptr ? &parent->item : nullptr, item, context);
  }
  const std::vector<Operation>& steps = wanted.recipe.steps;
  std::size_t done = 0;
  // Nothing goes on from a measurement: its steps are done again on its data.
  if (parent != nullptr && !parent->item.is_measurement() && leads_to(parent->item, wanted)) {
    item.dataset = parent->item.dataset;
    item.deconvolved_from = parent->item.deconvolved_from;
    converted_from = parent->item.pixels;
    done = parent->item.recipe.steps.size();
  }
  const bool together = shares(wanted, done);
  if (together) {
    done = 0;
  } else if (done == 0 && !item.dataset && (!may_take_part(steps) || wanted.recipe.input.empty())) {
    auto begin = original(wanted, item.source, context.part(0.0, 0.3));
    if (!begin) return begin.error();
    item.dataset = std::move(begin->data);
  }
  if (done == steps.size()) return {};
  const std::vector<Operation> rest(steps.begin() + static_cast<std::ptrdiff_t>(done), steps.end());
  if (!together && share_structure(rest)) {
    doubts_.push_back({"shared its structure with channels that this workspace does not list",
                       wanted.name, "it has one of its own now"});
  }
  const auto again = [&]() -> Result<Execution> {
    if (together) return run_shared(wanted, item.source, context);
    if (!item.dataset) return of_file(wanted, item.source, *backend_, context);
    return execute(rest, item.dataset, *backend_, context.part(0.3, 1.0), item.deconvolved_from);
  };
  auto run = again();
  if (!run) return run.error();
  item.deconvolved_from = std::move(run->deconvolved_from);
  item.dataset = std::move(run->data);
  if (!run->measured.empty() && run->measured.back().step + 1 == rest.size()) {
    item.measurement = run->measured.back().found;
  }
  if (run->converted_from) converted_from = std::move(run->converted_from);
  costs_.insert(costs_.end(), run->costs.begin(), run->costs.end());
  // What it took here and now.
  item.costs.resize(std::min(item.costs.size(), done));
  if (item.costs.size() == done) {
    item.costs.insert(item.costs.end(), run->costs.begin(), run->costs.end());
  }
  return {};
}

}  // namespace aprscope::gui

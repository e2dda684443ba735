// The items of the document as a workspace, and back.
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/gui/device_text.hpp"
#include "app/gui/document.hpp"
#include "app/gui/release.hpp"
#include "app/gui/show_mode_names.hpp"
#include "core/image/synthetic.hpp"
#include "core/pipeline/deconvolution_operation.hpp"

namespace aprscope::gui {
namespace {

WorkspaceItem described(const Item& item) {
  WorkspaceItem out;
  out.id = item.id;
  out.name = item.name.toStdString();
  out.recipe = item.recipe;
  out.file = item.saved_as;
  out.file_stamp = item.saved_stamp;
  out.costs = item.costs;
  const DisplaySettings& d = item.display;
  out.display = {show_mode_name(d.mode), d.contrast, d.colormap, d.scale_bar, d.crosshair};
  return out;
}

// An item on its way, with what the others need of it.
struct Restored {
  Item item;
  std::uint64_t old_id = 0;
  std::uint64_t old_parent = 0;
};

struct Outcome {
  std::vector<Restored> items;
  std::vector<Error> errors;
  /// What was done otherwise than wanted.
  std::vector<Error> doubts;
  /// Of the steps that were done again.
  std::vector<StepCost> costs;
};

bool begins_with(const std::vector<Operation>& steps, const std::vector<Operation>& first) {
  return steps.size() >= first.size() && std::equal(first.begin(), first.end(), steps.begin());
}

// Whether the steps can be gone on with from an item: what goes on from a deconvolution needs the
// image that was deconvolved.
bool leads_to(const Item& item, const std::vector<Operation>& steps) {
  const std::size_t done = item.recipe.steps.size();
  return begins_with(steps, item.recipe.steps) &&
         (done == steps.size() || !goes_on(steps[done]) || item.deconvolved_from);
}

Result<Execution> original(const WorkspaceItem& wanted, std::optional<SourceInfo>& source,
                           const JobContext& context) {
  Execution out;
  if (wanted.recipe.input.empty()) {
    out.data = Dataset::create(demo_image());
    return out;
  }
  auto info = inspect(wanted.recipe.input, context);
  if (!info) return info.error();
  auto data = load(*info, {wanted.recipe.channel, wanted.recipe.time}, context);
  if (!data) return data.error();
  source = *info;
  out.data = Dataset::create(*std::move(data));
  return out;
}

// The file that a result was written to, if it still holds the same bytes. Error: why it is not to
// be trusted.
Result<std::shared_ptr<const Dataset>> from_file(const WorkspaceItem& wanted,
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

class Restorer {
 public:
  explicit Restorer(const Backend& backend) : backend_(backend) {}

  // Parents come first, so that a child starts from its parent's data.
  Status restore(const WorkspaceItem& wanted, const JobContext& context) {
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
      if (Status done = replay(wanted, parent, item, converted_from, context); !done) return done;
    }
    if (doubt) doubts.push_back(*std::move(doubt));
    item.dataset = released_elsewhere(std::move(item.dataset));
    if (item.is_apr()) item.pixels = std::move(converted_from);
    item.histogram = histogram_of(*item.dataset);
    item.name = QString::fromStdString(wanted.name);
    item.recipe = wanted.recipe;
    item.selection = {wanted.recipe.channel, wanted.recipe.time};
    const WorkspaceDisplay& d = wanted.display;
    item.display = {show_mode_from(d.mode).value_or(ShowMode::constant), d.contrast, d.colormap,
                    d.scale_bar, d.crosshair};
    if (!item.supports(item.display.mode)) {
      item.display.mode = !item.is_apr()              ? ShowMode::pixel
                          : has_values(*item.dataset) ? ShowMode::constant
                                                      : ShowMode::level;
    }
    // Children of what is missing hang on nothing.
    items.push_back({std::move(item), wanted.id, parent != nullptr ? wanted.parent : 0});
    return {};
  }

  std::vector<Restored> items;
  /// Why exported files were not read.
  std::vector<Error> doubts;
  /// What steps took that were done again.
  std::vector<StepCost> costs;

 private:
  // What an exported item was made from, as far as its parent is there.
  static void take_origins(const WorkspaceItem& wanted, const Restored* parent, Item& item,
                           std::shared_ptr<const Dataset>& converted_from) {
    item.saved_as = wanted.file;
    item.saved_stamp = wanted.file_stamp;
    if (parent == nullptr) return;
    const Item& from = parent->item;
    converted_from = from.is_apr() ? from.pixels : from.dataset;
    const std::vector<Operation>& steps = wanted.recipe.steps;
    if (steps.back().id != "deconvolve" || steps.size() != from.recipe.steps.size() + 1 ||
        !begins_with(steps, from.recipe.steps)) {
      return;
    }
    item.deconvolved_from = goes_on(steps.back()) ? from.deconvolved_from : from.dataset;
  }

  [[nodiscard]] const Restored* find(std::uint64_t id) const {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [id](const Restored& r) { return r.old_id == id; });
    return id == 0 || found == items.end() ? nullptr : &*found;
  }

  Status replay(const WorkspaceItem& wanted, const Restored* parent, Item& item,
                std::shared_ptr<const Dataset>& converted_from, const JobContext& context) {
    const std::vector<Operation>& steps = wanted.recipe.steps;
    std::size_t done = 0;
    if (parent != nullptr && leads_to(parent->item, steps)) {
      item.dataset = parent->item.dataset;
      item.deconvolved_from = parent->item.deconvolved_from;
      converted_from = parent->item.pixels;
      done = parent->item.recipe.steps.size();
    } else {
      auto begin = original(wanted, item.source, context.part(0.0, 0.3));
      if (!begin) return begin.error();
      item.dataset = std::move(begin->data);
    }
    if (done == steps.size()) return {};
    const std::vector<Operation> rest(steps.begin() + static_cast<std::ptrdiff_t>(done),
                                      steps.end());
    auto run = execute(rest, item.dataset, backend_, context.part(0.3, 1.0), item.deconvolved_from);
    if (!run) return run.error();
    item.deconvolved_from = std::move(run->deconvolved_from);
    item.dataset = std::move(run->data);
    if (run->converted_from) converted_from = std::move(run->converted_from);
    costs.insert(costs.end(), run->costs.begin(), run->costs.end());
    // What it took here and now.
    item.costs.resize(std::min(item.costs.size(), done));
    if (item.costs.size() == done) {
      item.costs.insert(item.costs.end(), run->costs.begin(), run->costs.end());
    }
    return {};
  }

  const Backend& backend_;
};

Result<Outcome> restore_all(const Workspace& workspace, const Backend& backend,
                            const JobContext& context) {
  Outcome outcome;
  Restorer restorer(backend);
  const auto count = static_cast<double>(std::max<std::size_t>(workspace.items.size(), 1));
  for (std::size_t i = 0; i < workspace.items.size(); ++i) {
    const WorkspaceItem& wanted = workspace.items[i];
    const auto at = static_cast<double>(i);
    context.report(at / count, wanted.name);
    const Status done = restorer.restore(wanted, context.part(at / count, (at + 1.0) / count));
    if (done) continue;
    if (done.error().cancelled()) return done.error();
    Error error = done.error();
    if (error.where.empty()) error.where = wanted.name;
    // A missing file takes its results with it: once is enough.
    const bool said = std::any_of(outcome.errors.begin(), outcome.errors.end(),
                                  [&](const Error& e) { return e.message() == error.message(); });
    if (!said) outcome.errors.push_back(std::move(error));
  }
  outcome.items = std::move(restorer.items);
  outcome.doubts = std::move(restorer.doubts);
  outcome.costs = std::move(restorer.costs);
  return outcome;
}

}  // namespace

Workspace Document::workspace() const {
  Workspace out;
  // Parents first, whatever their order in the list.
  std::vector<const Item*> waiting;
  for (const Item& i : items_) waiting.push_back(&i);
  const auto written = [&](std::uint64_t id) {
    return std::any_of(out.items.begin(), out.items.end(),
                       [id](const WorkspaceItem& w) { return w.id == id; });
  };
  while (!waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(), [&](const Item* i) {
      return item(i->parent) == nullptr || written(i->parent);
    });
    WorkspaceItem described_item = described(**next);
    described_item.parent = item((*next)->parent) != nullptr ? (*next)->parent : 0;
    out.items.push_back(std::move(described_item));
    waiting.erase(next);
  }
  out.current = current_;
  out.crosshair = crosshair_;
  return out;
}

void Document::open_workspace(
    const Workspace& workspace,
    std::function<void(const std::map<std::uint64_t, std::uint64_t>&)> done) {
  jobs_->post(
      Lane::full, tr("Opening the workspace"), {}, this,
      [workspace, backend = backend_](const JobContext& context) {
        return restore_all(workspace, *backend, context);
      },
      [this, workspace, done](const Result<Outcome>& outcome) {
        if (!outcome) {
          say(outcome.error());
          return;
        }
        undo_.clear();
        set_current(0);  // nobody need follow the items that go
        while (!items_.empty()) take_item(items_.back().id);
        std::map<std::uint64_t, std::uint64_t> ids;
        for (const Restored& restored : outcome->items) {
          Item item = restored.item;
          item.id = next_id_++;
          ids[restored.old_id] = item.id;
          const auto parent = ids.find(restored.old_parent);
          item.parent = parent != ids.end() ? parent->second : 0;
          insert_item(std::move(item), items_.size());
        }
        const auto now = ids.find(workspace.current);
        if (now != ids.end()) {
          set_current(now->second);
        } else if (!items_.empty()) {
          set_current(items_.front().id);
        }
        set_crosshair(workspace.crosshair);
        done(ids);
        QStringList sentences;
        for (const auto* list : {&outcome->errors, &outcome->doubts}) {
          for (const Error& error : *list) sentences << QString::fromStdString(error.message());
        }
        const QString moves = moved_text(outcome->costs);
        if (!moves.isEmpty()) sentences << moves;
        const MessageKind kind =
            outcome->errors.empty() ? MessageKind::warning : MessageKind::error;
        if (!sentences.isEmpty()) say(kind, sentences.join(QLatin1Char('\n')));
      });
}

}  // namespace aprscope::gui

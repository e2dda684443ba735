// The items of the document as a workspace, and back.
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/gui/document.hpp"
#include "app/gui/release.hpp"
#include "app/gui/show_mode_names.hpp"
#include "core/image/synthetic.hpp"

namespace aprscope::gui {
namespace {

WorkspaceItem described(const Item& item) {
  WorkspaceItem out;
  out.id = item.id;
  out.name = item.name.toStdString();
  out.recipe = item.recipe;
  out.file = item.saved_as;
  out.file_bytes = item.saved_bytes;
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
};

bool begins_with(const std::vector<Operation>& steps, const std::vector<Operation>& first) {
  return steps.size() >= first.size() && std::equal(first.begin(), first.end(), steps.begin());
}

Result<Execution> original(const WorkspaceItem& wanted, std::optional<SourceInfo>& source,
                           const JobContext& context) {
  Execution out;
  if (wanted.recipe.input.empty()) {
    out.data = Dataset::create(demo_image());
    return out;
  }
  auto info = inspect(wanted.recipe.input);
  if (!info) return info.error();
  auto data = load(*info, {wanted.recipe.channel, wanted.recipe.time}, context);
  if (!data) return data.error();
  source = *info;
  out.data = Dataset::create(*std::move(data));
  return out;
}

// The file that a result was written to, if it is still the same.
std::shared_ptr<const Dataset> from_file(const WorkspaceItem& wanted, const JobContext& context) {
  std::error_code code;
  if (wanted.file.empty() || std::filesystem::file_size(wanted.file, code) != wanted.file_bytes ||
      code) {
    return nullptr;
  }
  auto data = load_file(wanted.file, context);
  return data ? Dataset::create(*std::move(data)) : nullptr;
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
    if (auto written = steps.empty() ? nullptr : from_file(wanted, context)) {
      item.dataset = std::move(written);
      item.saved_as = wanted.file;
      item.saved_bytes = wanted.file_bytes;
      const bool made_here = parent != nullptr && !parent->item.is_apr();
      if (parent != nullptr) {
        converted_from = made_here ? parent->item.dataset : parent->item.pixels;
      }
    } else if (Status done = replay(wanted, parent, item, converted_from, context); !done) {
      return done;
    }
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

 private:
  [[nodiscard]] const Restored* find(std::uint64_t id) const {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [id](const Restored& r) { return r.old_id == id; });
    return id == 0 || found == items.end() ? nullptr : &*found;
  }

  Status replay(const WorkspaceItem& wanted, const Restored* parent, Item& item,
                std::shared_ptr<const Dataset>& converted_from, const JobContext& context) {
    const std::vector<Operation>& steps = wanted.recipe.steps;
    std::size_t done = 0;
    if (parent != nullptr && begins_with(steps, parent->item.recipe.steps)) {
      item.dataset = parent->item.dataset;
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
    auto run = execute(rest, item.dataset, backend_, context.part(0.3, 1.0));
    if (!run) return run.error();
    item.dataset = std::move(run->data);
    if (run->converted_from) converted_from = std::move(run->converted_from);
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
        for (const Error& error : outcome->errors) {
          sentences << QString::fromStdString(error.message());
        }
        if (!sentences.isEmpty()) say(MessageKind::error, sentences.join(QLatin1Char('\n')));
      });
}

}  // namespace aprscope::gui

#include "app/gui/document/workspace_state.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/device_text.hpp"
#include "app/gui/document/workspace_restorer.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "app/gui/widgets/show_mode_names.hpp"

namespace aprscope::gui {
namespace {

ShownItem described(const Item& item) {
  ShownItem out;
  out.id = item.id;
  out.name = item.name.toStdString();
  out.origin = item.origin.toStdString();
  out.recipe = item.recipe;
  out.file = item.saved_as;
  out.file_stamp = item.saved_stamp;
  out.costs = item.costs;
  out.voxel = item.typed_voxel;
  out.left_out = item.left_out;
  out.beside_level = item.beside_level;
  const DisplaySettings& d = item.display;
  out.display = {
      show_mode_name(d.mode), d.contrast, d.colormap, d.scale_bar, d.crosshair, d.composite, {}};
  for (const ChannelDisplay& c : d.channels) {
    out.display.channels.push_back({c.visible, c.colour, c.contrast});
  }
  // A workspace takes along colours that another computer may not have.
  const std::vector<std::string> added = added_colormaps();
  if (std::find(added.begin(), added.end(), d.colormap) != added.end()) {
    out.display.colours = colormap(d.colormap);
  }
  return out;
}

}  // namespace

// A workspace that is being opened.
struct WorkspaceState::Opening {
  WorkspaceRestorer restorer;
  WindowWorkspace workspace;
  /// New ids by old ones, of all items at once.
  std::map<std::uint64_t, std::uint64_t> ids;
  /// Those whose steps are still to be done again.
  std::set<std::uint64_t> waiting{};
  std::size_t shown = 0;
  /// See ItemList::choices(): whoever has chosen an item meanwhile is not called away from it.
  std::uint64_t choice = 0;
  std::function<void(const std::map<std::uint64_t, std::uint64_t>&)> done;

  [[nodiscard]] std::uint64_t new_id(std::uint64_t old) const {
    const auto found = ids.find(old);
    return found != ids.end() ? found->second : 0;
  }
};

WorkspaceState::WorkspaceState(ItemList& items, ViewState& view, Services& services)
    : items_(items), view_(view), services_(services) {}

WorkspaceState::~WorkspaceState() = default;

WindowWorkspace WorkspaceState::capture() const {
  WindowWorkspace out;
  // Parents first, whatever their order in the list.
  std::vector<const Item*> waiting;
  for (const Item& i : items_.all()) {
    if (!i.growing) waiting.push_back(&i);
  }
  const auto written = [&](std::uint64_t id) {
    return std::any_of(out.items.begin(), out.items.end(),
                       [id](const ShownItem& w) { return w.id == id; });
  };
  while (!waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(), [&](const Item* i) {
      return items_.find(i->parent) == nullptr || written(i->parent);
    });
    ShownItem described_item = described(items_.detached(**next));
    described_item.parent = items_.find((*next)->parent) != nullptr ? (*next)->parent : 0;
    out.items.push_back(std::move(described_item));
    waiting.erase(next);
  }
  // Results that are still to come are not lost when it is saved before they are there.
  if (opening_) {
    for (const ShownItem& wanted : opening_->workspace.items) {
      if (!opening_->waiting.contains(wanted.id)) continue;
      ShownItem coming = wanted;
      coming.id = opening_->new_id(wanted.id);
      coming.parent = opening_->new_id(wanted.parent);
      if (!written(coming.parent)) coming.parent = 0;
      out.items.push_back(std::move(coming));
    }
  }
  out.current = items_.current() != nullptr && items_.current()->growing ? items_.current()->parent
                                                                         : items_.current_id();
  out.crosshair = view_.crosshair();
  return out;
}

void WorkspaceState::open(const WindowWorkspace& workspace,
                          std::function<void(const std::map<std::uint64_t, std::uint64_t>&)> done) {
  auto opening = std::make_shared<Opening>(
      Opening{{workspace, services_.backend}, workspace, {}, {}, 0, 0, std::move(done)});
  services_.jobs.post(
      Lane::full, tr("Opening the workspace"), {}, this,
      [opening](const JobContext& context) { return opening->restorer.read(context); },
      [this, opening](const Status& read) {
        if (!read) {
          services_.messages.say(read.error());
          return;
        }
        items_.undo_stack().clear();
        items_.set_current(0);  // nobody need follow the items that go
        while (!items_.all().empty()) items_.take(items_.all().back().id);
        for (const ShownItem& wanted : opening->workspace.items) {
          opening->ids[wanted.id] = items_.new_id();
        }
        for (const ShownItem& later : opening->restorer.rest()) {
          opening->waiting.insert(later.id);
        }
        opening_ = opening;
        show_restored(*opening);
        const std::uint64_t wanted = opening->new_id(opening->workspace.current);
        if (items_.find(wanted) != nullptr) items_.set_current(wanted);
        view_.set_crosshair(opening->workspace.crosshair);
        opening->choice = items_.choices();
        opening->done(opening->ids);
        repeat_next();
      });
}

// What has come since the last time, as steps of the history that can be undone.
void WorkspaceState::show_restored(Opening& opening) {
  const std::vector<WorkspaceRestorer::Restored>& all = opening.restorer.items();
  for (; opening.shown < all.size(); ++opening.shown) {
    const WorkspaceRestorer::Restored& restored = all[opening.shown];
    Item item = restored.item;
    item.id = opening.new_id(restored.old_id);
    item.parent = opening.new_id(restored.old_parent);
    const QString what = item.recipe.steps.empty() ? tr("Open %1").arg(item.name)
                                                   : short_text(item.recipe.steps.back());
    const bool saved = items_.undo_stack().isClean();
    items_.undo_stack().push(new AddItemCommand(items_, std::move(item), what, false));
    if (saved) items_.undo_stack().setClean();
  }
}

// The results whose steps are done again come one by one, while one looks at what is there.
void WorkspaceState::repeat_next() {
  const auto opening = opening_;
  const auto& rest = opening->restorer.rest();
  if (rest.empty()) return end_opening();
  services_.jobs.post(
      Lane::full, tr("Repeating %1").arg(QString::fromStdString(rest.front().name)), {}, this,
      [opening](const JobContext& context) { return opening->restorer.repeat(context); },
      [this, opening, id = rest.front().id](const Status& repeated) {
        opening->waiting.erase(id);
        if (opening != opening_) return;  // another workspace was opened
        if (!repeated) {
          services_.messages.say(repeated.error());
          services_.messages.say(MessageKind::warning,
                                 tr("Cancelled: results whose steps were not repeated yet are "
                                    "missing. Open the workspace again to have them."));
          opening_.reset();
          return;
        }
        show_restored(*opening);
        repeat_next();
      });
}

void WorkspaceState::end_opening() {
  const auto opening = std::exchange(opening_, nullptr);
  const WorkspaceRestorer& restorer = opening->restorer;
  if (opening->choice == items_.choices()) {
    const std::uint64_t wanted = opening->new_id(opening->workspace.current);
    const bool late = items_.current() != nullptr && items_.current()->id != wanted &&
                      items_.find(wanted) != nullptr;
    const bool compared = opening->workspace.comparison.active && !opening->workspace.items.empty();
    if (late) items_.set_current(wanted);
    // A comparison may have waited for its sides.
    if (late || compared) opening->done(opening->ids);
  }
  QStringList sentences;
  for (const auto* list : {&restorer.errors(), &restorer.doubts()}) {
    for (const Error& error : *list) sentences << QString::fromStdString(error.message());
  }
  const QString moves = moved_text(restorer.costs());
  if (!moves.isEmpty()) sentences << moves;
  const MessageKind kind = restorer.errors().empty() ? MessageKind::warning : MessageKind::error;
  if (!sentences.isEmpty()) services_.messages.say(kind, sentences.join(QLatin1Char('\n')));
}

}  // namespace aprscope::gui

#include "app/gui/document/corrections.hpp"

#include <chrono>
#include <new>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope::gui {
namespace {

// Finds what a step changes and applies it; values are shared. Labels of pixels are large: they are
// changed, and restored by undo, in one of two copies. Particles have few labels, so that each
// state gets a copy of its own, with its line of history.
Result<Amendment> amended_by_change(const Operation& step, const Dataset& dataset,
                                    AmendedLabels& amended, const JobContext& context) {
  const auto start = std::chrono::steady_clock::now();
  try {
    auto found = change_of(step, dataset, context);
    if (!found) return found.error();
    const auto change = std::make_shared<const LabelChange>(*std::move(found));
    Amendment made;
    std::shared_ptr<const Labels> labels;
    std::string history;
    if (dataset.is_apr()) {
      auto other = std::make_shared<Labels>(*dataset.labels());
      change->apply(*other);
      labels = std::move(other);
      history = made_by_cpu(step);
    } else {
      made.change = change;
      labels = amended.applied(dataset.labels(), change);
    }
    made.data = released_elsewhere(dataset.with_labels(
        std::move(labels), history, known_after(dataset.known_labels(), *change)));
    made.step = step;
    made.cost.operation = step.id;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    made.cost.seconds = took.count();
    made.cost.bytes = own_bytes(dataset.data());
    made.cost.backend = cpu_backend()->name();
    return made;
  } catch (const std::bad_alloc&) {
    return too_little_memory(dataset, dataset.labels()->bytes());
  }
}

}  // namespace

Corrections::Corrections(ItemList& items, Services& services)
    : items_(items), services_(services), amended_(std::make_shared<AmendedLabels>()) {}

bool Corrections::amends(const Operation& operation) {
  const Traits& traits = traits_of(operation);
  return traits.takes_labels && traits.gives == Gives::labels;
}

std::uint64_t Corrections::amend(const Operation& operation) {
  const Item* item = items_.current();
  if (item == nullptr) return 0;
  if (item->is_measurement()) {
    services_.messages.say(Error{"is a table, whose cells are those of the data it was measured on",
                                 item->name.toStdString(),
                                 "choose that data and correct it there"});
    return 0;
  }
  // Corrections run one after the other, since each starts from the result of the one before.
  waiting_.push_back({item->id, operation});
  if (waiting_.size() > 1) return running_;
  return start_next();
}

std::uint64_t Corrections::start_next() {
  while (!waiting_.empty() && items_.find(waiting_.front().first) == nullptr) {
    waiting_.erase(waiting_.begin());
  }
  if (waiting_.empty()) return 0;
  const auto id = waiting_.front().first;
  const auto operation = waiting_.front().second;
  const auto dataset = items_.find(id)->dataset;
  const QString title = short_text(operation);
  running_ = services_.jobs.post(
      Lane::full, tr("%1 · %2").arg(title, items_.full_name(id)), {}, this,
      [operation, dataset, amended = amended_](const JobContext& context) {
        return amended_by_change(operation, *dataset, *amended, context);
      },
      [this, id, title, dataset](const Result<Amendment>& made) {
        waiting_.erase(waiting_.begin());
        const Item* still = items_.find(id);
        if (std::exchange(running_in_vain_, false)) {
          // The user has taken this correction back while it was computed.
        } else if (!made) {
          services_.messages.say(made.error());
          // Later clicks may have been meant for the result of this one.
          waiting_.clear();
        } else if (still == nullptr || still->dataset != dataset) {
          services_.messages.say(
              MessageKind::warning,
              tr("%1 was not done: the cells changed meanwhile. Do it again").arg(title));
        } else {
          items_.undo_stack().push(new AmendCommand(items_, *this, id, *made, title));
          services_.messages.say_moves({made->cost});
          prepare();
        }
        start_next();
      });
  return running_;
}

void Corrections::prepare() {
  const Item* now = items_.current();
  if (now == nullptr || !now->dataset->labels()) return;
  services_.background.post(
      Lane::preview, tr("Preparing corrections"), "corrections", this,
      [dataset = now->dataset, amended = amended_](const JobContext& context) -> Status {
        const auto records = records_of(*dataset, context);
        if (!records) return records.error();
        // A second copy of the labels; without it only the first correction takes longer.
        if (!dataset->is_apr() && check_memory(2 * dataset->labels()->bytes(), *dataset)) {
          amended->prepare(dataset->labels());
        }
        return {};
      },
      [](const Status&) {});
}

void Corrections::take_back() {
  if (waiting_.size() > 1) {
    waiting_.pop_back();
  } else if (!waiting_.empty()) {
    running_in_vain_ = true;
  } else if (QUndoStack& undo = items_.undo_stack();
             undo.index() > 0 &&
             dynamic_cast<const AmendCommand*>(undo.command(undo.index() - 1)) != nullptr) {
    undo.undo();
  }
}

void Corrections::forget() {
  // Copies of labels are large, so they are freed on another thread.
  released_elsewhere(std::exchange(amended_, std::make_shared<AmendedLabels>()));
}

}  // namespace aprscope::gui

// Labels of items: their previews, and corrections, which change an item instead of making another.
#include <chrono>
#include <new>
#include <utility>

#include "app/gui/document/commands.hpp"
#include "app/gui/document/document.hpp"
#include "app/gui/document/label_preview.hpp"
#include "app/gui/document/release.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/operations/engine/known_records.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/registry.hpp"
#include "core/operations/segment/segments.hpp"

namespace aprscope::gui {
namespace {

// Labels of pixels: what changes is found and changed, the image stays where it is.
Result<Amendment> amended_by_change(const Operation& step, const Dataset& dataset,
                                    AmendedLabels& amended, const JobContext& context) {
  const auto start = std::chrono::steady_clock::now();
  try {
    auto found = change_of(step, dataset, context);
    if (!found) return found.error();
    Amendment made;
    made.change = std::make_shared<const LabelChange>(*std::move(found));
    auto labels = amended.applied(dataset.labels(), made.change);
    made.data = released_elsewhere(dataset.with_labels(
        std::move(labels), {}, known_after(dataset.known_labels(), *made.change)));
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

// Those of particles as any other step does it.
Result<Amendment> amended_by_step(const Operation& step,
                                  const std::shared_ptr<const Dataset>& dataset,
                                  const Backend& backend, const JobContext& context) {
  auto run = execute({step}, dataset, backend, context);
  if (!run) return run.error();
  Amendment made;
  made.data = released_elsewhere(std::move(run->data));
  made.step = std::move(run->steps.front());
  made.cost = std::move(run->costs.front());
  return made;
}

}  // namespace

bool Document::amends(const Operation& operation) {
  const Traits& traits = traits_of(operation);
  return traits.takes_labels && traits.gives == Gives::labels;
}

std::uint64_t Document::amend(const Operation& operation) {
  const Item* item = current();
  if (item == nullptr) return 0;
  if (item->is_measurement()) {
    say(Error{"is a table, whose cells are those of the data it was measured on",
              item->name.toStdString(), "choose that data and correct it there"});
    return 0;
  }
  // One after the other: each starts from what the one before made.
  amendments_.push_back({item->id, operation});
  if (amendments_.size() > 1) return amending_;
  return start_amendment();
}

std::uint64_t Document::start_amendment() {
  while (!amendments_.empty() && item(amendments_.front().first) == nullptr) {
    amendments_.erase(amendments_.begin());
  }
  if (amendments_.empty()) return 0;
  const auto [id, operation] = amendments_.front();
  const auto dataset = item(id)->dataset;
  const QString title = short_text(operation);
  amending_ = jobs_->post(
      Lane::full, tr("%1 · %2").arg(title, full_name(id)), {}, this,
      [operation, dataset, backend = backend_, amended = amended_](const JobContext& context) {
        return dataset->is_apr() ? amended_by_step(operation, dataset, *backend, context)
                                 : amended_by_change(operation, *dataset, *amended, context);
      },
      [this, id, title, dataset](const Result<Amendment>& made) {
        amendments_.erase(amendments_.begin());
        const Item* still = item(id);
        if (std::exchange(amending_in_vain_, false)) {
          // It is as if it had not been asked for.
        } else if (!made) {
          say(made.error());
          // What was clicked after it may have been meant for what it would have made.
          amendments_.clear();
        } else if (still == nullptr || still->dataset != dataset) {
          say(MessageKind::warning,
              tr("%1 was not done: the cells changed meanwhile. Do it again").arg(title));
        } else {
          undo_.push(new AmendCommand(*this, id, *made, title));
          say_moves({made->cost});
          prepare_corrections();
        }
        start_amendment();
      });
  return amending_;
}

void Document::prepare_corrections() {
  const Item* now = current();
  if (now == nullptr || now->is_apr() || !now->dataset->labels()) return;
  background_->post(
      Lane::preview, tr("Preparing corrections"), "corrections", this,
      [dataset = now->dataset, amended = amended_](const JobContext& context) -> Status {
        const auto records = records_of(*dataset, context);
        if (!records) return records.error();
        // Without it the first one takes longer.
        if (check_memory(2 * dataset->labels()->bytes(), *dataset)) {
          amended->prepare(dataset->labels());
        }
        return {};
      },
      [](const Status&) {});
}

void Document::take_back_amendment() {
  if (amendments_.size() > 1) {
    amendments_.pop_back();
  } else if (!amendments_.empty()) {
    amending_in_vain_ = true;
  } else if (undo_.index() > 0 &&
             dynamic_cast<const AmendCommand*>(undo_.command(undo_.index() - 1)) != nullptr) {
    undo_.undo();
  }
}

bool Document::fits_labels_of(const Item& other) const {
  const Item* now = current();
  if (now == nullptr || other.is_measurement() || !other.dataset->labels()) return false;
  if (other.is_apr()) {
    return now->is_apr() && now->dataset->apr().access == other.dataset->apr().access;
  }
  return now->dataset->size() == other.dataset->size();
}

void Document::show_labels_of(std::uint64_t id) {
  const Item* other = item(id);
  if (other != nullptr && !fits_labels_of(*other)) id = 0;
  if (other == nullptr || other == current()) id = 0;
  if (id == labels_of_) return;
  labels_of_ = id;
  emit shown_labels_changed();
}

std::shared_ptr<const Labels> Document::shown_labels() const {
  const Item* item = current();
  if (item == nullptr) return nullptr;
  if (preview_ && traits_of(*preview_).preview == Previewed::labels && label_preview_->labels()) {
    return label_preview_->labels();
  }
  // That may be gone, or have become another image.
  const Item* other = labels_of_ != 0 ? this->item(labels_of_) : nullptr;
  return other != nullptr && fits_labels_of(*other) ? other->dataset->labels()
                                                    : item->dataset->labels();
}

}  // namespace aprscope::gui

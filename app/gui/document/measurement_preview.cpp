#include "app/gui/document/measurement_preview.hpp"

#include <algorithm>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/data/paired.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/projections/projections.hpp"

namespace aprscope::gui {
namespace {

// Whether both show images of the same set of projections, so that its table is unchanged.
bool shows_others(const Dataset& before, const Dataset& now) {
  if (before.is_apr() || now.is_apr() || before.voxel() != now.voxel()) return false;
  const Projections* a = before.volume().projections.get();
  const Projections* b = now.volume().projections.get();
  return a != nullptr && b != nullptr && a->first_shown != b->first_shown &&
         a->table.path == b->table.path && a->table.rows.size() == b->table.rows.size();
}

// Whether the measurement is about the rows of a set, and not about the pixels shown.
bool is_of_table(const Measurement& measurement) {
  return std::any_of(measurement.tables.begin(), measurement.tables.end(),
                     [](const Table& table) { return table.column("in_stack") != nullptr; });
}

}  // namespace

MeasurementPreview::MeasurementPreview(Document& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document.items(), &ItemList::current_changed, this, &MeasurementPreview::follow);
  connect(&document.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    if (document_.items().current() == nullptr) return;
    if (document_.items().current()->id == id) {
      // The table stays for other images of its set, and after a correction of labels until the new
      // table is there: hiding it would lay out all views anew. The old data still exists here.
      const auto before = measured_on_.lock();
      if (before && tried_ && is_of_table(*tried_) &&
          shows_others(*before, *document_.items().current()->dataset)) {
        measured_on_ = document_.items().current()->dataset;
        return;
      }
      if (operation_ && tried_ && before &&
          before->shares_values(*document_.items().current()->dataset)) {
        measure();
      } else {
        follow();
      }
    } else if (id == beside_ && operation_) {
      measure();
    }
  });
  connect(&document.preview(), &PreviewState::changed, this, &MeasurementPreview::follow_filter);
  connect(&document.items(), &ItemList::items_changed, this, [this] {
    if (beside_ != 0 && document_.items().find(beside_) == nullptr &&
        document_.items().current() != nullptr) {
      set_beside(0);
    }
  });
}

// Cancels the request that is being computed.
void MeasurementPreview::forget() {
  ++newest_;
  if (job_ != 0) document_.background().cancel(job_);
  job_ = 0;
}

// Forgets the measurement when other data becomes current.
void MeasurementPreview::follow() {
  forget();
  operation_.reset();
  tried_.reset();
  emit changed();
}

void MeasurementPreview::set_operation(const Operation& operation) {
  if (document_.items().current() == nullptr || operation_ == operation) return;
  operation_ = operation;
  measure();
}

void MeasurementPreview::set_beside(std::uint64_t id) {
  if (id == beside_) return;
  beside_ = id;
  if (operation_) measure();
}

void MeasurementPreview::measure() {
  const Item* item = document_.items().current();
  const Item* beside = document_.items().find(beside_);
  measured_on_ = item->dataset;
  if (item->is_measurement() && item->recipe.steps.back() == *operation_ && beside == nullptr) {
    forget();
    tried_.reset();
    emit changed();
    return;
  }
  post(beside != nullptr,
       [operation = *operation_, dataset = item->dataset, name = item->name,
        other = beside != nullptr ? beside->dataset : nullptr,
        other_name = beside != nullptr ? beside->name : QString(),
        backend = document_.shared_backend()](const JobContext& context) -> Result<Found> {
         auto found = backend->measure(operation, *dataset, context.part(0.0, other ? 0.5 : 1.0));
         if (!found) return found.error();
         if (!other) return std::make_shared<const Measurement>(*std::move(found));
         auto second = backend->measure(operation, *other, context.part(0.5, 1.0));
         if (!second) return second.error();
         found->name = name.toStdString();
         second->name = other_name.toStdString();
         return std::make_shared<const Measurement>(paired(*found, *second));
       });
}

// In the background lane, where it does not delay slices.
void MeasurementPreview::post(bool pair,
                              const std::function<Result<Found>(const JobContext&)>& work) {
  forget();
  job_ =
      document_.background().post(Lane::preview, tr("Measuring"), "measure", this, work,
                                  [this, pair, request = newest_](const Result<Found>& found) {
                                    if (request != newest_) return;
                                    job_ = 0;
                                    tried_ = found ? *found : nullptr;
                                    pair_ = pair;
                                    if (!found && !found.error().cancelled()) {
                                      emit failed(QString::fromStdString(found.error().message()));
                                    }
                                    emit changed();
                                  });
}

// Measures the preview of a filter, to show the effect on the curves before it is applied.
void MeasurementPreview::follow_filter() {
  const Item* item = document_.items().current();
  const auto& filter = document_.preview().operation();
  if (item == nullptr || !item->is_measurement() || item->beside_level != 0 || !filter ||
      traits_of(*filter).preview != Previewed::region) {
    if (std::exchange(filtered_, false)) follow();
    return;
  }
  filtered_ = true;
  post(true,
       [filter = *filter, operation = item->recipe.steps.back(), dataset = item->dataset,
        before = item->measurement,
        backend = document_.shared_backend()](const JobContext& context) -> Result<Found> {
         auto made = backend->run(filter, *dataset, context.part(0.0, 0.5));
         if (!made) return made.error();
         const auto filtered = Dataset::create(*std::move(made));
         auto after = backend->measure(operation, *filtered, context.part(0.5, 1.0));
         if (!after) return after.error();
         Measurement now = *before;
         now.name = tr("as it is").toStdString();
         after->name = short_text(filter).toStdString();
         return std::make_shared<const Measurement>(paired(now, *after));
       });
}

void MeasurementPreview::clear() {
  if (!operation_ && !tried_) return;
  follow();
}

void MeasurementPreview::show(std::shared_ptr<const Measurement> measurement) {
  forget();
  operation_.reset();
  pair_ = false;
  tried_ = std::move(measurement);
  emit changed();
}

std::shared_ptr<const Measurement> MeasurementPreview::shown() const {
  if (tried_) return tried_;
  const Item* item = document_.items().current();
  return item != nullptr ? item->measurement : nullptr;
}

}  // namespace aprscope::gui

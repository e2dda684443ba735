#include "app/gui/measurement_preview.hpp"

#include "app/gui/document.hpp"

namespace aprscope::gui {

MeasurementPreview::MeasurementPreview(Document& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document, &Document::current_changed, this, &MeasurementPreview::follow);
  connect(&document, &Document::data_changed, this, [this](std::uint64_t id) {
    if (document_.current() != nullptr && document_.current()->id == id) follow();
  });
}

// Whoever waits for another answer does not wait for this one.
void MeasurementPreview::forget() {
  ++newest_;
  if (job_ != 0) document_.background().cancel(job_);
  job_ = 0;
}

// Of other data nothing is known yet.
void MeasurementPreview::follow() {
  forget();
  operation_.reset();
  tried_.reset();
  emit changed();
}

void MeasurementPreview::set_operation(const Operation& operation) {
  const Item* item = document_.current();
  if (item == nullptr || operation_ == operation) return;
  forget();
  operation_ = operation;
  if (item->is_measurement() && item->recipe.steps.back() == operation) {
    tried_.reset();
    emit changed();
    return;
  }
  using Found = std::shared_ptr<const Measurement>;
  // Not where slices wait for their turn.
  job_ = document_.background().post(
      Lane::preview, tr("Measuring"), "measure", this,
      [operation, dataset = item->dataset,
       backend = document_.shared_backend()](const JobContext& context) -> Result<Found> {
        auto found = backend->measure(operation, *dataset, context);
        if (!found) return found.error();
        return std::make_shared<const Measurement>(*std::move(found));
      },
      [this, request = newest_](const Result<Found>& found) {
        if (request != newest_) return;
        job_ = 0;
        tried_ = found ? *found : nullptr;
        if (!found && !found.error().cancelled()) {
          emit failed(QString::fromStdString(found.error().message()));
        }
        emit changed();
      });
}

void MeasurementPreview::clear() {
  if (!operation_ && !tried_) return;
  follow();
}

std::shared_ptr<const Measurement> MeasurementPreview::shown() const {
  if (tried_) return tried_;
  const Item* item = document_.current();
  return item != nullptr ? item->measurement : nullptr;
}

}  // namespace aprscope::gui

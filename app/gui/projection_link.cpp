#include "app/gui/projection_link.hpp"

#include "app/gui/document.hpp"
#include "app/gui/measurement_preview.hpp"
#include "app/gui/measurement_view.hpp"
#include "app/gui/table_view.hpp"

namespace aprscope::gui {

ProjectionLink::ProjectionLink(Document& document, MeasurementPreview& measured,
                               MeasurementView& view, QObject* parent)
    : QObject(parent), document_(document), view_(view) {
  connect(&view.table(), &TableView::rows_chosen, this, &ProjectionLink::rows_to_slice);
  connect(&document, &Document::crosshair_changed, this, &ProjectionLink::slice_to_rows);
  connect(&measured, &MeasurementPreview::changed, this, &ProjectionLink::slice_to_rows);
}

// A table with a row for each image of the current set.
bool ProjectionLink::applies() const {
  const Item* item = document_.current();
  return item != nullptr && !item->is_apr() && item->dataset->volume().projections != nullptr &&
         view_.table().table().column("in_stack") != nullptr;
}

void ProjectionLink::rows_to_slice() {
  if (!applies()) return;
  const auto rows = view_.table().chosen_rows();
  if (rows.size() != 1) return;
  const auto row = static_cast<std::int64_t>(rows.front());
  if (row >= document_.current()->dataset->size().z) {
    document_.say(MessageKind::info, tr("The slices show the first %L1 images of this set.")
                                         .arg(document_.current()->dataset->size().z));
    return;
  }
  Index3 at = document_.crosshair();
  at.z = row;
  document_.set_crosshair(at);
}

void ProjectionLink::slice_to_rows() {
  if (!applies()) return;
  const auto row = static_cast<std::size_t>(document_.crosshair().z);
  if (row >= view_.table().table().rows()) return;
  const auto now = view_.table().chosen_rows();
  if (now.size() == 1 && now.front() == row) return;
  view_.table().choose_rows({row});
}

}  // namespace aprscope::gui

#include "app/gui/views/projection_link.hpp"

#include <QAction>
#include <QTableView>
#include <utility>

#include "app/gui/document/document.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/projections/left_out_rows.hpp"
#include "core/projections/projections.hpp"

namespace aprscope::gui {

ProjectionLink::ProjectionLink(Document& document, MeasurementPreview& measured,
                               MeasurementView& view, QObject* parent)
    : QObject(parent), document_(document), view_(view) {
  connect(&view.table(), &TableView::rows_chosen, this, &ProjectionLink::rows_to_slice);
  connect(&document.view(), &ViewState::crosshair_changed, this, &ProjectionLink::slice_to_rows);
  connect(&measured, &MeasurementPreview::changed, this, [this] {
    show_ticks();
    slice_to_rows();
  });
  connect(&view.table(), &TableView::ticks_asked, this, &ProjectionLink::tick);
  connect(&document.items(), &ItemList::left_out_changed, this, &ProjectionLink::show_ticks);
  connect(&document.items(), &ItemList::current_changed, this, &ProjectionLink::show_ticks);
  connect(&document.items(), &ItemList::data_changed, this, [this](std::uint64_t id) {
    const auto wanted = wanted_;
    if (!wanted || wanted->item != id) {
      // Later, when the crosshair has its final position.
      QMetaObject::invokeMethod(
          this, [this] { slice_to_rows(); }, Qt::QueuedConnection);
      return;
    }
    wanted_.reset();
    if (id == document_.items().current_id() && applies()) go_to(wanted->row);
  });
  connect(&document.opener(), &Opener::not_selected, this, [this] { wanted_.reset(); });
  add_actions();
}

void ProjectionLink::add_actions() {
  TableView& table = view_.table();
  const auto add = [&](const QString& text, const char* name, bool on) {
    auto* action = new QAction(text, &table.view());
    action->setObjectName(QLatin1String(name));
    action->setVisible(false);
    connect(action, &QAction::triggered, this,
            [this, on] { tick(view_.table().chosen_rows(), on); });
    table.view().addAction(action);
    actions_.push_back(action);
  };
  add(tr("Leave selected rows out"), "leave_rows_out", false);
  add(tr("Use selected rows"), "use_rows", true);
}

// Rows that are disabled in the file cannot be ticked.
void ProjectionLink::show_ticks() {
  const bool on = applies();
  for (QAction* action : actions_) action->setVisible(on);
  TableView& table = view_.table();
  if (!on) {
    if (table.ticks()) table.set_ticks({});
    return;
  }
  const Item& item = *document_.items().current();
  const std::vector<Projection>& rows = item.dataset->volume().projections->table.rows;
  if (table.table().rows() != rows.size()) return;
  const auto left_out = rows_of_ranges(item.left_out, rows.size());
  std::vector<bool> ticks(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ticks[i] = rows[i].enabled && !(left_out && (*left_out)[i]);
  }
  table.set_ticks(std::move(ticks));
}

void ProjectionLink::tick(const std::vector<std::size_t>& rows, bool on) {
  if (!applies() || rows.empty()) return;
  const Item& item = *document_.items().current();
  const std::size_t count = item.dataset->volume().projections->table.rows.size();
  const auto known = rows_of_ranges(item.left_out, count);
  std::vector<bool> left_out = known ? *known : std::vector<bool>(count, false);
  for (const std::size_t row : rows) {
    if (row < count) left_out[row] = !on;
  }
  document_.edits().set_left_out(item.id, row_ranges(left_out));
}

// Whether the table has a row for each image of the current set.
bool ProjectionLink::applies() const {
  const Item* item = document_.items().current();
  return item != nullptr && !item->is_apr() && item->dataset->volume().projections != nullptr &&
         view_.table().table().column("in_stack") != nullptr;
}

void ProjectionLink::rows_to_slice() {
  if (!applies()) return;
  const auto rows = view_.table().chosen_rows();
  if (rows.size() != 1) return;
  go_to(static_cast<std::int64_t>(rows.front()));
}

// Goes to the image of a row; reads it first if it is not among the present slices.
void ProjectionLink::go_to(std::int64_t row) {
  const Item& item = *document_.items().current();
  const std::int64_t at_a_time = item.source ? item.source->size.z : 0;
  const std::int64_t first = item.dataset->volume().projections->first_shown;
  const bool shown = row >= first && row < first + item.dataset->size().z;
  // Also selects if another part is being read, as that would replace the present slices.
  if (at_a_time > 0 && (!shown || document_.opener().selecting(item.id))) {
    wanted_ = Wanted{item.id, row};
    document_.opener().select(
        item.id, {item.selection.channel, item.selection.time, row / at_a_time * at_a_time});
    return;
  }
  wanted_.reset();
  if (!shown) return;
  Index3 at = document_.view().crosshair();
  at.z = row - first;
  document_.view().set_crosshair(at);
}

void ProjectionLink::slice_to_rows() {
  if (!applies() || (wanted_ && wanted_->item == document_.items().current_id())) return;
  const auto row = static_cast<std::size_t>(
      shown_row(*document_.items().current(), document_.view().crosshair().z));
  if (row >= view_.table().table().rows()) return;
  const auto now = view_.table().chosen_rows();
  if (now.size() == 1 && now.front() == row) return;
  view_.table().choose_rows({row});
}

}  // namespace aprscope::gui

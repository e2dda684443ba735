#include "app/gui/views/cell_link.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "app/gui/document/document.hpp"
#include "app/gui/document/label_choice.hpp"
#include "app/gui/document/measurement_preview.hpp"
#include "app/gui/views/measurement_view.hpp"
#include "app/gui/widgets/curve_view.hpp"
#include "app/gui/widgets/table_view.hpp"
#include "core/cells/label_colours.hpp"
#include "core/data/column_histogram.hpp"

namespace aprscope::gui {
namespace {

const std::vector<std::int64_t>* whole_numbers(const Table& table, const std::string& id) {
  const Column* column = table.column(id);
  return column != nullptr ? std::get_if<std::vector<std::int64_t>>(&column->cells) : nullptr;
}
const std::vector<double>* numbers(const Table& table, const std::string& id) {
  const Column* column = table.column(id);
  return column != nullptr ? std::get_if<std::vector<double>>(&column->cells) : nullptr;
}

// The pairs of labels that touch, from a measurement's tables.
std::vector<LabelContact> contacts_of(const Measurement& measurement) {
  std::vector<LabelContact> contacts;
  for (const Table& table : measurement.tables) {
    const auto* a = whole_numbers(table, "label");
    const auto* b = whole_numbers(table, "neighbour");
    if (a == nullptr || b == nullptr) continue;
    for (std::size_t i = 0; i < a->size(); ++i) {
      contacts.push_back(
          {static_cast<std::uint32_t>((*a)[i]), static_cast<std::uint32_t>((*b)[i]), {}});
    }
  }
  return contacts;
}

}  // namespace

CellLink::CellLink(Document& document, LabelChoice& labels, MeasurementPreview& measured,
                   MeasurementView& view, QObject* parent)
    : QObject(parent), document_(document), labels_(labels), measured_(measured), view_(view) {
  connect(&measured, &MeasurementPreview::changed, this, &CellLink::follow_measurement);
  connect(&view.table(), &TableView::rows_chosen, this, &CellLink::rows_to_labels);
  connect(&view.table(), &TableView::row_opened, this, &CellLink::go_to);
  connect(&view.curve(), &CurveView::brushed, this, &CellLink::choose_range);
  connect(&view, &MeasurementView::curve_shown, this, &CellLink::follow_curve);
  connect(&labels, &LabelChoice::chosen_changed, this, &CellLink::labels_to_rows);
  connect(&document.items(), &ItemList::current_changed, this, [this] { visited_.clear(); });
}

void CellLink::follow_measurement() {
  const auto shown = measured_.shown();
  follow_curve();
  const Item* item = document_.items().current();
  if (!shown || item == nullptr || !item->dataset->labels()) return;
  const auto contacts = contacts_of(*shown);
  labels_.set_colours(
      colour_indices(contacts, item->dataset->labels()->largest, labels_.colours()));
  labels_to_rows();
}

// If the curve is a histogram of the table's values, a drag in it chooses cells by value.
void CellLink::follow_curve() {
  const Table& rows = view_.table().table();
  const Column* const values = rows.column(view_.curve().curve().x.id);
  view_.curve().set_brush(whole_numbers(rows, "label") != nullptr && values != nullptr);
}

void CellLink::rows_to_labels() {
  const auto* labels = whole_numbers(view_.table().table(), "label");
  const Item* item = document_.items().current();
  if (labels == nullptr || item == nullptr || !item->dataset->labels()) return;
  std::vector<std::uint32_t> chosen;
  const auto rows = view_.table().chosen_rows();
  for (const std::size_t row : rows) {
    chosen.push_back(static_cast<std::uint32_t>((*labels)[row]));
  }
  labels_.choose(chosen);
  if (rows.size() == 1) go_to(rows.front());
}

void CellLink::labels_to_rows() {
  const auto* labels = whole_numbers(view_.table().table(), "label");
  if (labels == nullptr) return;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < labels->size(); ++i) {
    const auto label = static_cast<std::uint32_t>((*labels)[i]);
    if (std::binary_search(labels_.chosen().begin(), labels_.chosen().end(), label)) {
      rows.push_back(i);
    }
  }
  auto now = view_.table().chosen_rows();
  std::sort(now.begin(), now.end());
  if (now != rows) view_.table().choose_rows(rows);
}

void CellLink::choose_range(double low, double high) {
  const Table& table = view_.table().table();
  const auto* labels = whole_numbers(table, "label");
  const Column* const values = table.column(view_.curve().curve().x.id);
  if (labels == nullptr || values == nullptr) return;
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < labels->size() && low < high; ++i) {
    const double value = cell_number(*values, i);
    if (value >= low && value <= high) chosen.push_back(static_cast<std::uint32_t>((*labels)[i]));
  }
  labels_.choose(std::move(chosen));
}

QString CellLink::words_of(std::uint32_t label) const {
  const Table& table = view_.table().table();
  const auto* labels = whole_numbers(table, "label");
  if (label == 0 || labels == nullptr || !view_.isVisible()) return {};
  // Rows are in ascending order of labels.
  const auto at = std::lower_bound(labels->begin(), labels->end(), std::int64_t{label});
  if (at == labels->end() || *at != std::int64_t{label}) return {};
  const auto row = static_cast<std::size_t>(at - labels->begin());
  const Column* size = table.column("volume");
  if (size == nullptr) size = table.column("area");
  if (size == nullptr) return {};
  QString words = tr("cell %1: %2 %3")
                      .arg(label)
                      .arg(std::get<std::vector<double>>(size->cells)[row], 0, 'g', 5)
                      .arg(QString::fromStdString(size->unit));
  const Column* flags = table.column("flags");
  const std::string flag = flags != nullptr ? cell_text(*flags, row) : std::string();
  if (!flag.empty()) words += QStringLiteral(" (%1)").arg(QString::fromStdString(flag));
  return words;
}

void CellLink::go_to(std::size_t row) {
  const Table& table = view_.table().table();
  const auto* z = numbers(table, "z");
  const auto* x = numbers(table, "x");
  const auto* y = numbers(table, "y");
  const auto at = [row](const std::vector<double>* of) {
    return of != nullptr && row < of->size() ? std::llround((*of)[row]) : 0LL;
  };
  if (x == nullptr || y == nullptr) return;
  document_.view().set_crosshair({at(z), at(x), at(y)});
}

void CellLink::next_suspicious() {
  const Table& table = view_.table().table();
  const auto* labels = whole_numbers(table, "label");
  const auto* scores = numbers(table, "suspicion");
  if (labels == nullptr || scores == nullptr || labels->empty()) return;
  const auto seen = [&](std::size_t i) {
    return std::find(visited_.begin(), visited_.end(), static_cast<std::uint32_t>((*labels)[i])) !=
           visited_.end();
  };
  std::size_t best = labels->size();
  for (std::size_t i = 0; i < labels->size(); ++i) {
    if ((*scores)[i] > 0.0 && !seen(i) &&
        (best == labels->size() || (*scores)[i] > (*scores)[best])) {
      best = i;
    }
  }
  if (best == labels->size()) {
    document_.messages().say(MessageKind::info, visited_.empty()
                                                    ? tr("No cell looks suspicious.")
                                                    : tr("That was the last suspicious cell."));
    visited_.clear();
    return;
  }
  const auto label = static_cast<std::uint32_t>((*labels)[best]);
  visited_.push_back(label);
  labels_.choose({label});
  go_to(best);
  const Column* reason = table.column("reason");
  if (reason != nullptr) {
    document_.messages().say(
        MessageKind::info,
        tr("Cell %1: %2").arg(label).arg(QString::fromStdString(cell_text(*reason, best))));
  }
}

}  // namespace aprscope::gui

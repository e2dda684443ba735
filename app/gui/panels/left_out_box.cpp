#include "app/gui/panels/left_out_box.hpp"

#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "app/gui/document/document.hpp"
#include "app/gui/document/map_growth.hpp"
#include "app/gui/panels/reconstruct_items.hpp"
#include "app/gui/widgets/elided_label.hpp"
#include "core/projections/left_out_rows.hpp"

namespace aprscope::gui {
namespace {

// Which rows of a table are used, and how many cannot be.
struct RowUse {
  // For each row: whether it is left out (out); the same with unusable rows left out too (better).
  std::vector<bool> out;
  std::vector<bool> better;
  // Rows that `better` adds: because of the table (unusable) / of their pixels (unsound).
  std::int64_t unusable = 0;
  std::int64_t unsound = 0;
};

RowUse use_of(const ProjectionTable& table, const std::string& left_out,
              const std::vector<bool>& refused) {
  RowUse use;
  use.out.assign(table.rows.size(), false);
  if (const auto rows = rows_of_ranges(left_out, table.rows.size())) use.out = *rows;
  use.better = use.out;
  const auto add = [&](std::size_t row) {
    if (use.better[row] || !table.rows[row].enabled) return false;
    use.better[row] = true;
    return true;
  };
  if (!table.unusable.empty() || !table.stack_problems.empty()) {
    ProjectionTable usable = table;
    leave_out_unusable(usable);
    for (std::size_t i = 0; i < usable.rows.size(); ++i) {
      if (!usable.rows[i].enabled && add(i)) ++use.unusable;
    }
  }
  for (std::size_t i = 0; i < std::min(refused.size(), table.rows.size()); ++i) {
    if (refused[i] && add(i)) ++use.unsound;
  }
  return use;
}

}  // namespace

LeftOutBox::LeftOutBox(Document& document, const MapGrowth& growth, QWidget* parent)
    : QWidget(parent), document_(document), growth_(growth) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  words_ = new ElidedLabel(this);
  words_->setObjectName(QStringLiteral("reconstruct_left_out"));
  row->addWidget(words_, 1);
  const auto link = [&](const char* name, const QString& text, const QString& says) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setProperty("link", true);
    button->setToolTip(says);
    row->addWidget(button);
    return button;
  };
  leave_out_ = link("reconstruct_leave_out", tr("Leave them out"),
                    tr("Removes the ticks of all rows that cannot be used, and of all images with "
                       "pixels that are no numbers"));
  use_all_ = link("reconstruct_use_all", tr("Use all"), tr("Ticks all rows again"));
  connect(leave_out_, &QPushButton::clicked, this, &LeftOutBox::leave_out);
  connect(use_all_, &QPushButton::clicked, this, [this] {
    const Item* item = document_.items().current();
    if (projection_table_of(item) != nullptr) document_.edits().set_left_out(item->id, {});
  });
  const ItemList& items = document_.items();
  connect(&items, &ItemList::current_changed, this, &LeftOutBox::renew);
  connect(&items, &ItemList::data_changed, this, &LeftOutBox::renew);
  connect(&items, &ItemList::left_out_changed, this, &LeftOutBox::renew);
  connect(&growth, &MapGrowth::images_refused, this, &LeftOutBox::renew);
  renew();
}

std::vector<bool> LeftOutBox::refused(const Item& item) const {
  const MapGrowth::RefusedImages& found = growth_.refused();
  const bool its =
      found.item == item.id && found.rows.size() == projection_table_of(&item)->rows.size();
  return its ? found.rows : std::vector<bool>();
}

void LeftOutBox::renew() {
  const Item* item = document_.items().current();
  const ProjectionTable* table = projection_table_of(item);
  setVisible(table != nullptr);
  if (table == nullptr) return;
  const RowUse use = use_of(*table, item->left_out, refused(*item));
  const auto count = std::count(use.out.begin(), use.out.end(), true);
  QStringList words;
  if (use.unusable > 0) words << tr("%L1 rows cannot be used").arg(use.unusable);
  if (use.unsound == 1) words << tr("1 image has pixels that are no numbers");
  if (use.unsound > 1) words << tr("%L1 images have pixels that are no numbers").arg(use.unsound);
  if (count > 0) words << tr("%L1 rows are left out").arg(count);
  if (words.isEmpty()) words << tr("All rows are used");
  words_->setText(words.join(QStringLiteral(", ")));
  leave_out_->setVisible(use.unusable + use.unsound > 0);
  use_all_->setVisible(count > 0);
}

void LeftOutBox::leave_out() {
  const Item* item = document_.items().current();
  const ProjectionTable* table = projection_table_of(item);
  if (table == nullptr) return;
  const RowUse use = use_of(*table, item->left_out, refused(*item));
  document_.edits().set_left_out(item->id, row_ranges(use.better));
}

}  // namespace aprscope::gui

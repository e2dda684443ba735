#include "app/gui/widgets/table_view.hpp"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "app/gui/widgets/elided_label.hpp"
#include "app/gui/widgets/table_model.hpp"
#include "core/data/row_conditions.hpp"

namespace aprscope::gui {

// Sorts rows by number; unknown numbers come last in ascending order.
class SortedTable : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

  // Shows only the rows that are true; none: shows all.
  void keep(std::optional<std::vector<bool>> rows) {
    kept_ = std::move(rows);
    invalidateFilter();
  }

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    if (!kept_) return QSortFilterProxyModel::filterAcceptsRow(row, parent);
    return static_cast<std::size_t>(row) < kept_->size() && (*kept_)[static_cast<std::size_t>(row)];
  }

  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const QVariant a = left.data(sortRole());
    const QVariant b = right.data(sortRole());
    if (a.typeId() == QMetaType::Double && b.typeId() == QMetaType::Double) {
      const double x = a.toDouble();
      const double y = b.toDouble();
      return std::isnan(y) ? !std::isnan(x) : x < y;
    }
    return QSortFilterProxyModel::lessThan(left, right);
  }

 private:
  std::optional<std::vector<bool>> kept_;
};

namespace {

// A filter is offered for this many rows; fewer can be read at a glance.
constexpr std::size_t kRowsToFilter = 12;
// Number of rows besides the visible ones that determine the width of a column.
constexpr int kRowsToFit = 100;

bool same_columns(const Table& a, const Table& b) {
  return a.id == b.id && std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(),
                                    b.columns.end(), [](const Column& one, const Column& two) {
                                      return one.id == two.id && one.label == two.label &&
                                             one.unit == two.unit;
                                    });
}

}  // namespace

TableView::TableView(QWidget* parent)
    : QWidget(parent),
      model_(new TableModel(this)),
      sorted_(new SortedTable(this)),
      view_(new QTableView(this)),
      filter_(new QLineEdit(this)),
      count_(new ElidedLabel(this)),
      untick_(new QPushButton(tr("Leave these out"), this)) {
  setObjectName(QStringLiteral("table_view"));
  sorted_->setSourceModel(model_);
  sorted_->setSortRole(Qt::UserRole);
  sorted_->setFilterKeyColumn(-1);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  view_->setObjectName(QStringLiteral("table_cells"));
  view_->setModel(sorted_);
  view_->setSortingEnabled(true);
  view_->setAlternatingRowColors(false);
  view_->setShowGrid(false);
  view_->setWordWrap(false);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
  view_->horizontalHeader()->setHighlightSections(false);
  view_->horizontalHeader()->setResizeContentsPrecision(kRowsToFit);
  filter_->setObjectName(QStringLiteral("table_filter"));
  filter_->setPlaceholderText(tr("Find rows"));
  filter_->setAccessibleName(tr("Find rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setToolTip(tr("A word, or conditions on columns with commas between them: tilt > 30"));
  untick_->setObjectName(QStringLiteral("table_untick"));
  untick_->setProperty("link", true);
  untick_->setToolTip(tr("Removes the ticks of all rows that were found"));
  untick_->hide();
  count_->setObjectName(QStringLiteral("table_count"));
  count_->setProperty("muted", true);

  // The key is handled here, as the view would only copy one cell.
  auto* copy = new QAction(tr("Copy"), view_);
  view_->addAction(copy);
  view_->setContextMenuPolicy(Qt::ActionsContextMenu);
  view_->installEventFilter(this);
  connect(copy, &QAction::triggered, this, &TableView::copy);
  connect(filter_, &QLineEdit::textChanged, this, &TableView::find_rows);
  connect(untick_, &QPushButton::clicked, this, &TableView::untick_found);
  connect(model_, &TableModel::tick_asked, this, &TableView::ask_tick);
  // Follows the selection and not the current index, which also changes with focus and filter.
  connect(view_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    emit row_opened(static_cast<std::size_t>(sorted_->mapToSource(index).row()));
  });
  connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (choosing_) return;
    emit rows_chosen();
    const QModelIndex now = view_->currentIndex();
    if (now.isValid() && view_->selectionModel()->isRowSelected(now.row())) {
      emit row_chosen(static_cast<std::size_t>(sorted_->mapToSource(now).row()));
    }
  });

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  auto* head = new QHBoxLayout;
  head->addWidget(filter_, 1);
  head->addWidget(count_, 1);
  head->addWidget(untick_);
  column->addLayout(head);
  column->addWidget(view_, 1);
}

void TableView::set_table(const Table& table) {
  // A table with the same columns, e.g. after a correction, keeps sorting, filter and widths.
  const bool same = model_->table().rows() > 0 && same_columns(model_->table(), table);
  const bool many = table.rows() > kRowsToFilter;
  std::vector<int> widths;
  for (int c = 0; same && c < model_->columnCount({}); ++c) widths.push_back(view_->columnWidth(c));
  sorted_->keep(std::nullopt);
  model_->set_table(table);
  if (!same) {
    sorted_->sort(-1);
    view_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view_->resizeColumnsToContents();
  }
  for (std::size_t c = 0; c < widths.size(); ++c) {
    view_->setColumnWidth(static_cast<int>(c), widths[c]);
  }
  // A filter without its field would hide rows without the user knowing why.
  if (!same || !many) filter_->clear();
  filter_->setVisible(many);
  count_->setVisible(many);
  find_rows();
}

const Table& TableView::table() const { return model_->table(); }

void TableView::set_ticks(std::optional<std::vector<bool>> ticks) {
  const bool widen = ticks.has_value() && !model_->ticks().has_value();
  model_->set_ticks(std::move(ticks));
  if (widen) view_->resizeColumnToContents(0);
  count_rows();
}

const std::optional<std::vector<bool>>& TableView::ticks() const { return model_->ticks(); }

// A tick of a selected row applies to all selected rows.
void TableView::ask_tick(std::size_t row, bool on) {
  std::vector<std::size_t> rows = chosen_rows();
  if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows = {row};
  emit ticks_asked(rows, on);
}

// Ticks of the selected rows: off if one of them is on, else on.
void TableView::turn_ticks() {
  const std::vector<std::size_t> rows = chosen_rows();
  const auto& ticks = model_->ticks();
  if (!ticks || rows.empty()) return;
  const bool any =
      std::any_of(rows.begin(), rows.end(), [&](std::size_t row) { return (*ticks)[row]; });
  emit ticks_asked(rows, !any);
}

// Removes the ticks of the rows that the filter shows.
void TableView::untick_found() {
  std::vector<std::size_t> rows;
  for (int row = 0; row < sorted_->rowCount(); ++row) {
    rows.push_back(static_cast<std::size_t>(sorted_->mapToSource(sorted_->index(row, 0)).row()));
  }
  if (!rows.empty()) emit ticks_asked(rows, false);
}

void TableView::find_rows() {
  const QString text = filter_->text();
  auto held = rows_that_hold(model_->table(), text.toStdString());
  sorted_->setFilterFixedString(held ? QString() : text);
  sorted_->keep(std::move(held));
  count_rows();
}

void TableView::copy() const { QGuiApplication::clipboard()->setText(selected_text()); }

bool TableView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
    copy();
    return true;
  }
  if (watched == view_ && event->type() == QEvent::KeyPress && model_->ticks() &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    turn_ticks();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void TableView::count_rows() {
  const auto all = static_cast<int>(model_->table().rows());
  const int shown = sorted_->rowCount();
  count_->setText(shown == all ? tr("%L1 rows").arg(all)
                               : tr("%L1 of %L2 rows").arg(shown).arg(all));
  // Hidden if the filter shows all rows, as nobody wants to leave all out.
  untick_->setVisible(model_->ticks().has_value() && shown > 0 && shown < all);
}

std::vector<std::size_t> TableView::chosen_rows() const {
  std::vector<std::size_t> rows;
  for (const QModelIndex& index : view_->selectionModel()->selectedRows()) {
    rows.push_back(static_cast<std::size_t>(sorted_->mapToSource(index).row()));
  }
  return rows;
}

void TableView::choose_rows(const std::vector<std::size_t>& rows) {
  choosing_ = true;
  QItemSelection selection;
  for (const std::size_t row : rows) {
    const QModelIndex at = sorted_->mapFromSource(model_->index(static_cast<int>(row), 0));
    if (at.isValid()) selection.select(at, at);
  }
  view_->selectionModel()->select(selection,
                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (!selection.isEmpty()) {
    const QModelIndex first = selection.first().topLeft();
    view_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    view_->scrollTo(first, QAbstractItemView::EnsureVisible);
  }
  choosing_ = false;
}

QString TableView::selected_text() const {
  std::set<int> rows;
  for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows.insert(index.row());
  if (rows.empty()) {
    for (int row = 0; row < sorted_->rowCount(); ++row) rows.insert(row);
  }
  const Table& table = model_->table();
  QString text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) text += QLatin1Char('\t');
    text += QString::fromStdString(head_of(table.columns[c]));
  }
  for (const int row : rows) {
    const auto of = static_cast<std::size_t>(sorted_->mapToSource(sorted_->index(row, 0)).row());
    text += QLatin1Char('\n');
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += QLatin1Char('\t');
      text += QString::fromStdString(cell_text(table.columns[c], of));
    }
  }
  return text + QLatin1Char('\n');
}

}  // namespace aprscope::gui

#include "app/gui/table_model.hpp"

#include <QLocale>
#include <cmath>

namespace aprscope::gui {
namespace {

constexpr int kDigits = 6;

QString shown(const Column& column, std::size_t row) {
  if (const auto* real = std::get_if<std::vector<double>>(&column.cells)) {
    const double value = (*real)[row];
    return std::isfinite(value) ? QString::number(value, 'g', kDigits) : QString();
  }
  return QString::fromStdString(cell_text(column, row));
}

QVariant alignment(const Column& column) {
  const bool words = std::holds_alternative<std::vector<std::string>>(column.cells);
  return {(words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter};
}

QVariant whole(const Column& column, std::size_t row) {
  if (const auto* real = std::get_if<std::vector<double>>(&column.cells)) return (*real)[row];
  if (const auto* count = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return static_cast<qlonglong>((*count)[row]);
  }
  return QString::fromStdString(cell_text(column, row));
}

}  // namespace

void TableModel::set_table(const Table& table) {
  beginResetModel();
  table_ = table;
  endResetModel();
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Column& column = table_.columns[static_cast<std::size_t>(index.column())];
  const auto row = static_cast<std::size_t>(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return shown(column, row);
    case Qt::UserRole:
      return whole(column, row);
    case Qt::ToolTipRole:
      return QString::fromStdString(cell_text(column, row));
    case Qt::TextAlignmentRole:
      return alignment(column);
    default:
      return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const Column& column = table_.columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return QString::fromStdString(head_of(column));
  if (role == Qt::TextAlignmentRole) return alignment(column);
  return {};
}

}  // namespace aprscope::gui

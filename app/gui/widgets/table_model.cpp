#include "app/gui/widgets/table_model.hpp"

#include <QGuiApplication>
#include <QLocale>
#include <QPalette>
#include <cmath>
#include <utility>

namespace aprscope::gui {
namespace {

constexpr int kCellDigits = 6;

QString shown(const Column& column, std::size_t row) {
  if (const auto* real = std::get_if<std::vector<double>>(&column.cells)) {
    const double value = (*real)[row];
    return std::isfinite(value) ? QString::number(value, 'g', kCellDigits) : QString();
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
  ticks_.reset();
  endResetModel();
}

void TableModel::set_ticks(std::optional<std::vector<bool>> ticks) {
  if (ticks && ticks->size() != table_.rows()) ticks.reset();
  if (ticks == ticks_ || columnCount() == 0) return;
  const bool appear = ticks.has_value() != ticks_.has_value();
  ticks_ = std::move(ticks);
  if (rowCount() == 0) return;
  const QList<int> roles =
      appear ? QList<int>{} : QList<int>{Qt::CheckStateRole, Qt::ForegroundRole};
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), roles);
}

bool TableModel::has_tick(const QModelIndex& index) const {
  return ticks_ && index.isValid() && index.column() == 0;
}

Qt::ItemFlags TableModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  return has_tick(index) ? usual | Qt::ItemIsUserCheckable : usual;
}

bool TableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !has_tick(index)) return false;
  emit tick_asked(static_cast<std::size_t>(index.row()), value.toInt() == Qt::Checked);
  return true;
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
    case Qt::CheckStateRole:
      if (!has_tick(index)) return {};
      return (*ticks_)[row] ? Qt::Checked : Qt::Unchecked;
    case Qt::ForegroundRole:
      if (!ticks_ || (*ticks_)[row]) return {};
      return QGuiApplication::palette().brush(QPalette::PlaceholderText);
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

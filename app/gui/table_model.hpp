#pragma once

#include <QAbstractTableModel>

#include "core/data/table.hpp"

namespace aprscope::gui {

/// A table as views of Qt take it. Numbers are rounded to what people read; Qt::UserRole has them
/// whole, for sorting.
class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit TableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void set_table(const Table& table);
  [[nodiscard]] const Table& table() const { return table_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  Table table_;
};

}  // namespace aprscope::gui

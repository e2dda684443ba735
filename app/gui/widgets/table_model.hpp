#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "core/data/table.hpp"

namespace aprscope::gui {

/// A table as a model for Qt's views. Shown numbers are rounded; Qt::UserRole has the exact values,
/// for sorting.
class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit TableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void set_table(const Table& table);
  [[nodiscard]] const Table& table() const { return table_; }
  /// Ticks in the first column of each row; none: no ticks. A click on a tick does not change it
  /// here, but emits tick_asked().
  void set_ticks(std::optional<std::vector<bool>> ticks);
  [[nodiscard]] const std::optional<std::vector<bool>>& ticks() const { return ticks_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  void tick_asked(std::size_t row, bool on);

 private:
  [[nodiscard]] bool has_tick(const QModelIndex& index) const;

  Table table_;
  std::optional<std::vector<bool>> ticks_;
};

}  // namespace aprscope::gui

#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

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
  /// A tick in the first column of each row, which nobody changes here: who clicks one asks for it,
  /// see tick_asked(). None: there are no ticks.
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

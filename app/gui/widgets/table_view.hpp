#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/data/table.hpp"

class QLineEdit;
class QPushButton;
class QTableView;

namespace aprscope::gui {

class ElidedLabel;
class SortedTable;
class TableModel;

/// Shows a table: a click on a column's head sorts, a text keeps the rows that contain it, a
/// condition those that hold it (see rows_that_hold()). Ctrl+C copies the selected rows (all if
/// none is selected) in a form for spreadsheets.
class TableView : public QWidget {
  Q_OBJECT

 public:
  explicit TableView(QWidget* parent = nullptr);

  void set_table(const Table& table);
  [[nodiscard]] const Table& table() const;
  /// The ticks of the rows of table(), until the next set_table(); none: no ticks. The caller has
  /// to update them when ticks_asked() is emitted.
  void set_ticks(std::optional<std::vector<bool>> ticks);
  [[nodiscard]] const std::optional<std::vector<bool>>& ticks() const;
  [[nodiscard]] QTableView& view() { return *view_; }
  [[nodiscard]] QLineEdit& filter() { return *filter_; }
  /// The selected rows, as indices in table(), in the order shown.
  [[nodiscard]] std::vector<std::size_t> chosen_rows() const;
  /// Selects these rows of table() and scrolls to the first; emits nothing.
  void choose_rows(const std::vector<std::size_t>& rows);
  /// The selected rows as text with tabs, including the column heads, in the order shown.
  [[nodiscard]] QString selected_text() const;

 signals:
  /// The user clicked a row or went to it with keys; its index in table().
  void row_chosen(std::size_t row);
  /// The user changed chosen_rows().
  void rows_chosen();
  /// The user asks to set or remove the ticks of these rows: by a click on one, Space for all
  /// selected rows, or the button beside the filter for all rows found.
  void ticks_asked(const std::vector<std::size_t>& rows, bool on);
  /// A row was double-clicked; its index in table().
  void row_opened(std::size_t row);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void copy() const;
  void ask_tick(std::size_t row, bool on);
  void turn_ticks();
  void untick_found();
  void find_rows();
  void count_rows();

  TableModel* model_ = nullptr;
  SortedTable* sorted_ = nullptr;
  QTableView* view_ = nullptr;
  QLineEdit* filter_ = nullptr;
  ElidedLabel* count_ = nullptr;
  QPushButton* untick_ = nullptr;
  bool choosing_ = false;
};

}  // namespace aprscope::gui

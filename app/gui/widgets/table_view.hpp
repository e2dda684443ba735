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

/// Shows a table: a click on a head sorts, a text keeps the rows that have it, and conditions those
/// that hold them (see rows_that_hold()); Ctrl+C copies the selected rows (all where none is) as a
/// spreadsheet takes them.
class TableView : public QWidget {
  Q_OBJECT

 public:
  explicit TableView(QWidget* parent = nullptr);

  void set_table(const Table& table);
  [[nodiscard]] const Table& table() const;
  /// A tick for each row of table(), until the next set_table(); none: there are no ticks. Whoever
  /// gives them changes them when ticks_asked() comes.
  void set_ticks(std::optional<std::vector<bool>> ticks);
  [[nodiscard]] const std::optional<std::vector<bool>>& ticks() const;
  [[nodiscard]] QTableView& view() { return *view_; }
  [[nodiscard]] QLineEdit& filter() { return *filter_; }
  /// Places in table() of the rows that are selected, in the order that is shown.
  [[nodiscard]] std::vector<std::size_t> chosen_rows() const;
  /// Selects these rows of table() and shows the first; emits nothing.
  void choose_rows(const std::vector<std::size_t>& rows);
  /// Tab-separated, with the heads, in the order that is shown.
  [[nodiscard]] QString selected_text() const;

 signals:
  /// A row was clicked or reached by keys; its place in table().
  void row_chosen(std::size_t row);
  /// chosen_rows() changed by mouse or keys.
  void rows_chosen();
  /// Somebody wants the ticks of these rows on or off: a click on one, Space for all that are
  /// selected, the button beside the filter for all that it found.
  void ticks_asked(const std::vector<std::size_t>& rows, bool on);
  /// A row was double-clicked; its place in table().
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

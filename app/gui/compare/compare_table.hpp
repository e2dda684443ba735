#pragma once

#include <QGroupBox>
#include <QString>
#include <array>
#include <vector>

class QGridLayout;

namespace aprscope::gui {

/// One row of a CompareTable.
struct CompareRow {
  const char* name;
  QString text;
  QString tip;
};

/// A box with a table of figures: named rows, two columns. Values can be selected; each is a label
/// called "<row>_<column>".
class CompareTable : public QGroupBox {
  Q_OBJECT

 public:
  CompareTable(const QString& title, const std::array<QString, 2>& heads,
               const std::vector<CompareRow>& rows, QWidget* parent = nullptr);

  [[nodiscard]] QString text(const QString& row, int column) const;
  void set_text(const QString& row, int column, const QString& text, const QString& tip = {});
  /// Sets all values of a column.
  void set_all(int column, const QString& text);
  /// Adds a widget below the rows, over all columns.
  void add_below(QWidget* widget);
  /// Adds a widget below one column.
  void add_below(QWidget* widget, int column);

 private:
  QGridLayout* grid_ = nullptr;
  std::vector<CompareRow> rows_;
  int next_ = 0;
};

}  // namespace aprscope::gui

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace aprscope {

/// One column: cells of one type, all in one unit. Numbers that are not known are NaN.
struct Column {
  using Cells =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;
  /// The name in programs and files ("mean"): lower case, one word.
  std::string id;
  /// The name that users see ("Mean").
  std::string label;
  /// The unit, such as "µm³" or "%"; empty for none.
  std::string unit;
  Cells cells;

  [[nodiscard]] std::size_t rows() const;
  friend bool operator==(const Column&, const Column&) = default;
};

/// Rows of measured things. All columns have as many rows, and ids of their own.
struct Table {
  std::string id;
  std::string label;
  std::vector<Column> columns;

  [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
  /// The column with this id; null for an unknown id.
  [[nodiscard]] const Column* column(const std::string& id) const;
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Table&, const Table&) = default;
};

/// The head of a column for users: "Volume (µm³)", or the label alone.
std::string head_of(const Column& column);

/// A cell with all the digits that reading it back needs; empty for a number that is not known.
/// `row` must be one of the column's.
std::string cell_text(const Column& column, std::size_t row);

/// A head line of ids, each with its unit where it has one ("volume (µm³)"), and a line a row. See
/// csv_line() on text that spreadsheets would compute.
std::string to_csv(const Table& table);

}  // namespace aprscope

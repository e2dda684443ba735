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
  /// How programs call it ("mean"), in lower case, one word.
  std::string id;
  /// How people call it ("Mean").
  std::string label;
  /// "µm³", "%" …; empty for none.
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
  /// Null for an unknown id.
  [[nodiscard]] const Column* column(const std::string& id) const;
  [[nodiscard]] std::uint64_t bytes() const;
  friend bool operator==(const Table&, const Table&) = default;
};

/// "Volume (µm³)", or the label alone.
std::string head_of(const Column& column);

/// A cell with all the digits that reading it back needs; empty for a number that is not known.
/// `row` must be one of the column's.
std::string cell_text(const Column& column, std::size_t row);

/// A head line of ids, each with its unit where it has one ("volume (µm³)"), and a line a row. See
/// csv_line() for what spreadsheets are kept from.
std::string to_csv(const Table& table);

}  // namespace aprscope

#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/printable.hpp"
#include "core/io/projections/star_table.hpp"
#include "core/projections/projection_table.hpp"

// Private to core/io: reads the rows of a table one after the other, by the names of columns.

namespace aprscope {

/// A column that is looked for under one or several names.
struct StarColumn {
  std::optional<std::size_t> at;
  std::string label;
  [[nodiscard]] bool there() const { return at.has_value(); }
};

inline StarColumn find_column(const StarTable& table, std::initializer_list<const char*> labels) {
  for (const char* label : labels) {
    if (const auto at = table.column(label)) return {at, label};
  }
  return {{}, *labels.begin()};
}

/// A number, which need not be finite; none: the text is no number at all.
std::optional<double> star_number(std::string_view text);

/// Gives the values of the current row. What is wrong with them is kept in why().
class StarRowReader {
 public:
  StarRowReader(const StarFile& file, const StarTable& table) : file_(file), table_(table) {}

  void move_to(std::size_t row) {
    line_ = file_.row(table_, row, values_);
    why_.clear();
  }
  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] const std::string& why() const { return why_; }

  /// Keeps the first complaint only.
  void complain(const std::string& what) {
    if (why_.empty()) why_ = what;
  }

  [[nodiscard]] std::string_view text(const StarColumn& column) const {
    return column.at ? values_[*column.at] : std::string_view();
  }

  /// `missing` where the column is not there or the value is no finite number, which is complained
  /// about.
  double number(const StarColumn& column, double missing) {
    if (!column.at) return missing;
    const std::string_view text = values_[*column.at];
    const auto value = star_number(text);
    if (value && std::isfinite(*value)) return *value;
    complain("its " + column.label + " is not a finite number (" +
             printable_line(utf8_prefix(text, 40)) + ")");
    return missing;
  }

 private:
  const StarFile& file_;
  const StarTable& table_;
  std::vector<std::string_view> values_;
  std::uint32_t line_ = 0;
  std::string why_;
};

/// Numbers the stacks and puts "000012@path/stack.mrcs", or the name of a file of one image, into a
/// row.
class StackNames {
 public:
  explicit StackNames(ProjectionTable& table) : table_(table) {}
  void put(std::string_view name, StarRowReader& reader, Projection& row);

 private:
  ProjectionTable& table_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

/// Numbers the optics of tables that repeat them in every row.
class OpticsOfRows {
 public:
  explicit OpticsOfRows(ProjectionTable& table) : table_(table) {}
  std::uint32_t group(double voltage, double aberration, double contrast, double pixel_size,
                      double beam_tilt_x = 0.0, double beam_tilt_y = 0.0);

 private:
  ProjectionTable& table_;
  std::map<std::vector<double>, std::uint32_t> numbers_;
};

}  // namespace aprscope

#include "core/data/table.hpp"

#include <algorithm>

#include "core/base/csv.hpp"

namespace aprscope {

std::size_t Column::rows() const {
  return std::visit([](const auto& all) { return all.size(); }, cells);
}

const Column* Table::column(const std::string& wanted) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.id == wanted; });
  return found != columns.end() ? &*found : nullptr;
}

std::uint64_t Table::bytes() const {
  std::uint64_t sum = 0;
  for (const Column& column : columns) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.cells)) {
      for (const std::string& text : *texts) sum += sizeof(std::string) + text.capacity();
    } else {
      sum += column.rows() * sizeof(double);
    }
  }
  return sum;
}

std::string head_of(const Column& column) {
  return column.unit.empty() ? column.label : column.label + " (" + column.unit + ")";
}

std::string cell_text(const Column& column, std::size_t row) {
  if (const auto* numbers = std::get_if<std::vector<double>>(&column.cells)) {
    return csv_number((*numbers)[row]);
  }
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return std::to_string((*whole)[row]);
  }
  return std::get<std::vector<std::string>>(column.cells)[row];
}

std::string to_csv(const Table& table) {
  std::vector<std::string> line;
  for (const Column& column : table.columns) {
    line.push_back(column.unit.empty() ? column.id : column.id + " (" + column.unit + ")");
  }
  std::string text = csv_line(line);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    line.clear();
    for (const Column& column : table.columns) line.push_back(cell_text(column, row));
    text += csv_line(line);
  }
  return text;
}

}  // namespace aprscope

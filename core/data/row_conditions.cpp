#include "core/data/row_conditions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace aprscope {

namespace {

enum class Relation { less, at_most, more, at_least, equal, unequal };

// Longer signs first: "<" begins "<=".
constexpr std::array<std::pair<std::string_view, Relation>, 9> kSigns = {
    {{"<=", Relation::at_most},
     {"≤", Relation::at_most},
     {">=", Relation::at_least},
     {"≥", Relation::at_least},
     {"!=", Relation::unequal},
     {"≠", Relation::unequal},
     {"<", Relation::less},
     {">", Relation::more},
     {"=", Relation::equal}}};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '_') continue;
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

bool has_numbers(const Column& column) {
  return !std::holds_alternative<std::vector<std::string>>(column.cells);
}

const Column* column_named(const Table& table, std::string_view name) {
  const std::string wanted = plain(name);
  if (wanted.empty()) return nullptr;
  const Column* begins = nullptr;
  bool several = false;
  for (const Column& column : table.columns) {
    if (!has_numbers(column)) continue;
    const std::string id = plain(column.id);
    const std::string label = plain(column.label);
    if (id == wanted || label == wanted) return &column;
    if (!id.starts_with(wanted) && !label.starts_with(wanted)) continue;
    several = begins != nullptr;
    begins = &column;
  }
  return several ? nullptr : begins;
}

double value_at(const Column& column, std::size_t row) {
  if (const auto* const whole = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return static_cast<double>((*whole)[row]);
  }
  return std::get<std::vector<double>>(column.cells)[row];
}

bool holds(double value, Relation relation, double limit) {
  if (std::isnan(value)) return false;
  switch (relation) {
    case Relation::less:
      return value < limit;
    case Relation::at_most:
      return value <= limit;
    case Relation::more:
      return value > limit;
    case Relation::at_least:
      return value >= limit;
    case Relation::equal:
      return value == limit;
    case Relation::unequal:
      return value != limit;
  }
  return false;
}

// Clears the rows that do not fulfil one condition; false: the text is no condition.
bool keep_those_that_hold(const Table& table, std::string_view condition, std::vector<bool>& rows) {
  for (const auto& [sign, relation] : kSigns) {
    const auto at = condition.find(sign);
    if (at == std::string_view::npos) continue;
    const Column* const column = column_named(table, trimmed(condition.substr(0, at)));
    const std::string_view digits = trimmed(condition.substr(at + sign.size()));
    double limit = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
    if (column == nullptr || error != std::errc() || end != digits.data() + digits.size()) {
      return false;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] && !holds(value_at(*column, i), relation, limit)) rows[i] = false;
    }
    return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<bool>> rows_that_hold(const Table& table, std::string_view words) {
  std::vector<bool> rows(table.rows(), true);
  bool any = false;
  while (!words.empty()) {
    const auto end = std::min(words.find(','), words.size());
    const std::string_view condition = trimmed(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    if (condition.empty()) continue;
    if (!keep_those_that_hold(table, condition, rows)) return std::nullopt;
    any = true;
  }
  if (!any) return std::nullopt;
  return rows;
}

}  // namespace aprscope

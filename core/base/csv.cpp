#include "core/base/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace aprscope {

namespace {

bool is_number(std::string_view text) {
  // from_chars() does not accept a leading "+", which spreadsheets write.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0.0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && std::isfinite(value);
}

bool would_be_computed(const std::string& field) {
  return !field.empty() && std::string_view("=+-@\t\r\n").find(field[0]) != std::string::npos &&
         !is_number(field);
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    const bool formula = would_be_computed(fields[i]);
    if (!formula && fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += fields[i];
      continue;
    }
    line += formula ? "\"'" : "\"";
    for (const char c : fields[i]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + "\n";
}

std::vector<std::string_view> csv_records(std::string_view text) {
  std::vector<std::string_view> records;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // An escaped quote ("") inside a quoted field toggles twice, so `quoted` stays as it was.
    if (text[i] == '"') quoted = !quoted;
    if (text[i] != '\n' || quoted) continue;
    records.push_back(text.substr(start, i + 1 - start));
    start = i + 1;
  }
  if (start < text.size()) records.push_back(text.substr(start));
  return records;
}

std::vector<std::string> csv_fields(std::string_view record) {
  if (!record.empty() && record.back() == '\n') record.remove_suffix(1);
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool was_quoted = false;
  const auto finish = [&] {
    std::string& field = fields.back();
    if (was_quoted && field.size() > 1 && field[0] == '\'' && would_be_computed(field.substr(1))) {
      field.erase(0, 1);
    }
    was_quoted = false;
  };
  for (std::size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (c == '"' && quoted && i + 1 < record.size() && record[i + 1] == '"') {
      fields.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
      was_quoted = true;
    } else if (c == ',' && !quoted) {
      finish();
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  finish();
  return fields;
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return "";
  std::array<char, 32> text{};
  // to_chars() ignores the locale: a decimal comma would break the table.
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

}  // namespace aprscope

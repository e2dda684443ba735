#include "core/base/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace aprscope {

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += fields[i];
      continue;
    }
    line += '"';
    for (const char c : fields[i]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + "\n";
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return "";
  std::array<char, 32> text{};
  // No locale: a comma in place of the point would break the table.
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

}  // namespace aprscope

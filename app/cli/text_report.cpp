#include "app/cli/text_report.hpp"

#include <algorithm>
#include <vector>

#include "app/cli/printed.hpp"
#include "core/base/printable.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

using Json = nlohmann::ordered_json;

bool is_bytes(const std::string& key) {
  return key == "bytes" || (key.size() > 6 && key.compare(key.size() - 6, 6, "_bytes") == 0);
}

std::string label(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return printable(key);
}

std::string value_text(const std::string& key, const Json& value) {
  if (is_bytes(key) && value.is_number_unsigned()) {
    return format_bytes(value.get<std::uint64_t>());
  }
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_number_float()) return printed("%.6g", value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_null()) return "-";
  if (value.is_array()) {
    std::string out;
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + value_text("", item);
    return out;
  }
  if (value.is_object()) {
    std::string out;
    for (const auto& [name, item] : value.items()) {
      if (item.is_null()) continue;
      out += (out.empty() ? "" : ", ") + label(name) + " " +
             (key == "seconds" ? printed("%.3f", item.get<double>()) : value_text(name, item));
    }
    return out;
  }
  return value.dump();
}

// Columns as wide as their widest cell, numbers to the right.
std::string table(const Json& rows) {
  if (rows.empty()) return "";
  std::vector<std::string> names;
  std::vector<std::size_t> widths;
  for (const auto& [name, value] : rows.front().items()) {
    names.push_back(name);
    widths.push_back(name.size());
  }
  std::vector<std::vector<std::string>> cells;
  for (const Json& row : rows) {
    std::vector<std::string> line;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Json& value = row.at(names[i]);
      line.push_back(value.is_number_float() ? printed("%.4g", value.get<double>())
                                             : value_text(names[i], value));
      widths[i] = std::max(widths[i], line.back().size());
    }
    cells.push_back(std::move(line));
  }
  std::string out;
  const auto add = [&](const std::vector<std::string>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - line[i].size(), ' ');
      const bool words = rows.front().at(names[i]).is_string();
      out += (i == 0 ? "" : "  ") + (words ? line[i] + space : space + line[i]);
    }
    out += '\n';
  };
  add(names);
  for (const auto& line : cells) add(line);
  return out;
}

}  // namespace

std::string text_report(const Json& report) {
  std::string out;
  for (const auto& [key, value] : report.items()) {
    if (key == "rows") {
      out += table(value);
    } else if (!value.empty() || !value.is_structured()) {
      out += label(key) + ": " + value_text(key, value) + "\n";
    }
  }
  return out;
}

}  // namespace aprscope::cli

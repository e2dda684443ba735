#include "app/cli/shared/text_report.hpp"

#include <algorithm>
#include <vector>

#include "core/base/printable.hpp"
#include "core/base/printed.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

using Json = nlohmann::ordered_json;

// Tables with more rows are not printed; they belong in a file.
constexpr std::size_t kMostCells = 12;

// The length in characters, not in bytes.
std::size_t shown_length(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

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

// A table with columns as wide as their widest cell, and numbers aligned to the right.
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

std::string cell_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_number_float()) return printed("%.6g", value.get<double>());
  return value_text("", value);
}

// Prints a line for each column, as there are more columns than rows.
std::string measured_table(const Json& table) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::size_t> widths;
  for (const Json& column : table.at("columns")) {
    const auto unit = column.at("unit").get<std::string>();
    std::vector<std::string> line{printable(column.at("label").get<std::string>()) +
                                  (unit.empty() ? "" : " (" + printable(unit) + ")")};
    for (const Json& cell : column.at("cells")) {
      if (line.size() > kMostCells) {
        line.emplace_back("…");
        break;
      }
      line.push_back(cell_text(cell));
    }
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], shown_length(line[i]));
    }
    lines.push_back(std::move(line));
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - shown_length(line[i]), ' ');
      out += i == 0 ? line[i] + space : "  " + space + line[i];
    }
    out += '\n';
  }
  return out;
}

// The marks of a curve as text, such as "; zero 123, Otsu 306".
std::string marks_of(const Json& curve) {
  std::string out;
  for (const Json& mark : curve.at("marks")) {
    out += (out.empty() ? "; " : ", ") + printable(mark.at("words").get<std::string>()) + " " +
           cell_text(mark.at("x"));
  }
  return out;
}

std::string measured_text(const Json& measured) {
  std::string out;
  for (const Json& one : measured) {
    for (const Json& note : one.at("notes")) {
      out += "note: " + printable(note.get<std::string>()) + "\n";
    }
    std::string said;
    for (const Json& curve : one.at("curves")) {
      // Curves over the same values have the same marks; print these once.
      std::string marks = marks_of(curve);
      if (marks == said) marks.clear();
      if (!marks.empty()) said = marks;
      out += printable(curve.at("label").get<std::string>()) + ": " +
             std::to_string(curve.at("x").at("values").size()) + " points" + marks + "\n";
    }
    for (const Json& table : one.at("tables")) out += measured_table(table);
  }
  return out;
}

// Texts of files, which are fit to be shown already, below their titles.
std::string metadata_text(const Json& parts) {
  if (parts.empty()) return "metadata: none\n";
  std::string out;
  for (const Json& part : parts) {
    const auto text = part.at("text").get<std::string>();
    out += "\n== " + printable(part.at("title").get<std::string>()) + " ==\n" + text;
    if (!text.ends_with('\n')) out += '\n';
    if (part.at("cut").get<bool>()) out += "== cut here: the file says more ==\n";
  }
  return out;
}

}  // namespace

std::string text_report(const Json& report) {
  std::string out;
  std::string texts;
  for (const auto& [key, value] : report.items()) {
    if (key == "metadata") {
      texts = metadata_text(value);
    } else if (key == "measured" && value.is_array() && !value.empty() &&
               value.front().is_object()) {
      out += measured_text(value);
    } else if (key == "rows") {
      out += table(value);
    } else if (!value.empty() || !value.is_structured()) {
      out += label(key) + ": " + value_text(key, value) + "\n";
    }
  }
  return out + texts;
}

}  // namespace aprscope::cli

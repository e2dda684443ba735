#include "core/io/measurement_write.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  auto json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

Json to_json(const CurveLine& line) {
  auto json = Json::object();
  json["id"] = line.id;
  json["label"] = line.label;
  json["unit"] = line.unit;
  json["values"] = numbers(line.values);
  return json;
}

Json to_json(const Curve& curve) {
  auto json = Json::object();
  json["id"] = curve.id;
  json["label"] = curve.label;
  json["x"] = to_json(curve.x);
  json["ys"] = Json::array();
  for (const CurveLine& y : curve.ys) json["ys"].push_back(to_json(y));
  json["marks"] = Json::array();
  for (const CurveMark& mark : curve.marks) {
    auto one = Json::object();
    one["x"] = number(mark.x);
    one["words"] = mark.words;
    json["marks"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const Table& table) {
  auto json = Json::object();
  json["id"] = table.id;
  json["label"] = table.label;
  json["columns"] = Json::array();
  for (const Column& column : table.columns) {
    auto one = Json::object();
    one["id"] = column.id;
    one["label"] = column.label;
    one["unit"] = column.unit;
    const auto* real = std::get_if<std::vector<double>>(&column.cells);
    one["cells"] = real != nullptr
                       ? numbers(*real)
                       : std::visit([](const auto& cells) { return Json(cells); }, column.cells);
    json["columns"].push_back(std::move(one));
  }
  return json;
}

// Comments for later readers of the file. Only for points of curves, since tables are read by
// programs that may not know comments.
std::vector<std::string> comments_of(const Measurement& measurement, const Table& table) {
  const bool curves = std::ranges::any_of(
      measurement.curves, [&](const Curve& curve) { return curve.in_table == table.id; });
  if (!curves) return {};
  std::vector<std::string> lines{"aprscope " APRSCOPE_VERSION};
  if (!measurement.name.empty()) lines.push_back("of " + measurement.name);
  lines.insert(lines.end(), measurement.history.begin(), measurement.history.end());
  lines.insert(lines.end(), measurement.notes.begin(), measurement.notes.end());
  for (std::string& line : lines) {
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  }
  return lines;
}

}  // namespace

std::string to_json(const Measurement& measurement) {
  auto json = Json::object();
  json["aprscope_measurement"] = 1;
  json["name"] = measurement.name;
  json["history"] = measurement.history;
  json["notes"] = measurement.notes;
  json["curves"] = Json::array();
  for (const Curve& curve : measurement.curves) json["curves"].push_back(to_json(curve));
  json["tables"] = Json::array();
  for (const Table& table : measurement.tables) json["tables"].push_back(to_json(table));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<TableFile> table_files(std::span<const std::shared_ptr<const Measurement>> measured,
                                   const fs::path& path) {
  std::vector<TableFile> files;
  for (const auto& one : measured) {
    for (Table& table : all_tables(*one)) {
      auto comments = comments_of(*one, table);
      files.push_back({path, std::move(table), std::move(comments)});
    }
  }
  if (files.size() < 2) return files;
  std::set<std::string> taken;
  for (TableFile& file : files) {
    const std::string plain = path.stem().string() + "-" + file.table.id;
    std::string name = plain;
    for (int n = 2; !taken.insert(name).second; ++n) name = plain + "-" + std::to_string(n);
    file.path.replace_filename(name + path.extension().string());
  }
  return files;
}

Status write_tables(const std::vector<TableFile>& files) {
  for (const TableFile& file : files) {
    std::string text;
    for (const std::string& line : file.comments) text += "# " + line + "\n";
    if (Status ok = write_text_atomically(file.path, text + to_csv(file.table)); !ok) return ok;
  }
  return {};
}

Table stacked(const std::vector<std::pair<std::string, Table>>& tables, const std::string& id,
              const std::string& label) {
  Table all;
  std::vector<std::string> words;
  for (const auto& [word, table] : tables) {
    if (words.empty()) all = table;
    const bool alike =
        std::equal(all.columns.begin(), all.columns.end(), table.columns.begin(),
                   table.columns.end(), [](const Column& a, const Column& b) {
                     return a.id == b.id && a.unit == b.unit && a.cells.index() == b.cells.index();
                   });
    if (!alike) return {};
    for (std::size_t i = 0; i < table.columns.size() && !words.empty(); ++i) {
      std::visit(
          [&]<class Cells>(const Cells& more) {
            auto& cells = std::get<Cells>(all.columns[i].cells);
            cells.insert(cells.end(), more.begin(), more.end());
          },
          table.columns[i].cells);
    }
    words.resize(words.size() + table.rows(), word);
  }
  if (!words.empty()) all.columns.insert(all.columns.begin(), {id, label, "", std::move(words)});
  return all;
}

}  // namespace aprscope

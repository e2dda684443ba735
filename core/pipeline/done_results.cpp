#include "core/pipeline/done_results.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/build_id.hpp"
#include "core/base/csv.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/schema/parameter_json.hpp"
#include "core/pipeline/recipe_json.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path record_of(const fs::path& folder, const std::string& name) {
  return folder / ".done" / (name + ".json");
}

// A file as it is now: its name says which, bytes and time whether it is the same one. Device and
// inode would differ between the hosts of a cluster.
Result<Json> state_json(const fs::path& path, const std::string& name) {
  const auto state = state_of(path);
  if (!state) return state.error();
  auto json = Json::object();
  json["path"] = name;
  json["bytes"] = state->bytes;
  json["modified_ns"] = state->modified_ns;
  return json;
}

// The same of a file, or of all files of a folder, with whole paths.
Status add_states(const fs::path& path, Json& states) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    // Such a parameter may hold numbers instead of a file name, or a file that these steps do not
    // read: a step that needs a missing file reports it.
    auto json = Json::object();
    json["path"] = path.string();
    json["bytes"] = nullptr;
    states.push_back(std::move(json));
    return {};
  }
  const fs::path whole = fs::weakly_canonical(path, code);
  if (code) return Error{"cannot be looked at (" + code.message() + ")", path.string(), ""};
  if (!fs::is_directory(whole, code)) {
    auto state = state_json(whole, whole.string());
    if (!state) return state.error();
    states.push_back(*std::move(state));
    return {};
  }
  std::set<fs::path> files;
  for (fs::recursive_directory_iterator at(whole, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code failed;
    if (at->is_regular_file(failed)) files.insert(at->path());
  }
  if (code) return Error{"cannot be looked at (" + code.message() + ")", path.string(), ""};
  // One hash for thousands of chunks (FNV-1a, 64 bits), which need not withstand forgery.
  std::uint64_t hash = 0xcbf29ce484222325U;
  std::uint64_t bytes = 0;
  for (const fs::path& file : files) {
    const auto state = state_json(file, file.lexically_relative(whole).string());
    if (!state) return state.error();
    bytes += (*state)["bytes"].get<std::uint64_t>();
    for (const char c : dump(*state, -1)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
  }
  auto json = Json::object();
  json["path"] = whole.string();
  json["files"] = files.size();
  json["bytes"] = bytes;
  // As text, since JSON readers may not keep all 64 bits of a number.
  json["hash"] = std::to_string(hash);
  states.push_back(std::move(json));
  return {};
}

// The path inside an HDF5 file: "/group/volume".
std::string inside_of(const std::string& input) {
  std::error_code code;
  const auto colon = input.find(":/");
  return colon == std::string::npos || fs::exists(input, code) ? "" : input.substr(colon + 1);
}

const char* type_of(const Column& column) {
  constexpr const char* kTypes[] = {"real", "whole", "text"};
  return kTypes[column.cells.index()];
}

std::optional<Column::Cells> no_cells(const std::string& type) {
  if (type == "real") return Column::Cells(std::vector<double>());
  if (type == "whole") return Column::Cells(std::vector<std::int64_t>());
  if (type == "text") return Column::Cells(std::vector<std::string>());
  return std::nullopt;
}

template <class Number>
bool read_number(const std::string& field, Number& value) {
  const char* const end = field.data() + field.size();
  const auto read = std::from_chars(field.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

bool add_cell(const std::string& field, Column& column) {
  if (auto* texts = std::get_if<std::vector<std::string>>(&column.cells)) {
    texts->push_back(field);
    return true;
  }
  if (auto* whole = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    return read_number(field, whole->emplace_back());
  }
  double& value = std::get<std::vector<double>>(column.cells).emplace_back();
  if (!field.empty()) return read_number(field, value);
  value = std::numeric_limits<double>::quiet_NaN();
  return true;
}

Json shape_of(const Table& table) {
  auto json = Json::object();
  json["id"] = table.id;
  json["label"] = table.label;
  json["columns"] = Json::array();
  for (const Column& column : table.columns) {
    auto one = Json::object();
    one["id"] = column.id;
    one["label"] = column.label;
    one["unit"] = column.unit;
    one["type"] = type_of(column);
    json["columns"].push_back(std::move(one));
  }
  return json;
}

// Reads a table of this shape from its file. None: the file has another shape.
std::optional<TableFile> table_in(const fs::path& path, const Json& shape) {
  const auto text = read_text(path, std::size_t{1} << 30U);
  if (!text) return std::nullopt;
  TableFile file{path,
                 {shape.at("id").get<std::string>(), shape.at("label").get<std::string>(), {}}};
  for (const Json& column : shape.at("columns")) {
    auto cells = no_cells(column.at("type").get<std::string>());
    if (!cells) return std::nullopt;
    file.table.columns.push_back({column.at("id").get<std::string>(),
                                  column.at("label").get<std::string>(),
                                  column.at("unit").get<std::string>(), *std::move(cells)});
  }
  std::string_view rest = *text;
  while (rest.substr(0, 2) == "# ") {
    const auto end = std::min(rest.find('\n'), rest.size() - 1);
    file.comments.emplace_back(rest.substr(2, end - 2));
    rest.remove_prefix(end + 1);
  }
  const auto records = csv_records(rest);
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto fields = csv_fields(records[i]);
    if (fields.size() != file.table.columns.size()) return std::nullopt;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (!add_cell(fields[c], file.table.columns[c])) return std::nullopt;
    }
  }
  // Accept it only if it can be written again byte for byte.
  if (records.empty() || to_csv(file.table) != rest) return std::nullopt;
  return file;
}

// A record speaks of its own folder only.
bool is_plain(const std::string& name) { return fs::path(name).filename() == name; }

// Throws where the record has another form.
std::optional<BatchRow> row_in(const Json& record, const fs::path& folder, const Json& origin) {
  if (record.at("made_from") != origin) return std::nullopt;
  for (const Json& output : record.at("outputs")) {
    const auto name = output.at("path").get<std::string>();
    if (!is_plain(name)) return std::nullopt;
    const auto now = state_json(folder / name, name);
    if (!now || *now != output) return std::nullopt;
  }
  BatchRow row;
  const auto result = record.at("result").get<std::string>();
  if (!is_plain(result)) return std::nullopt;
  if (!result.empty()) row.output = folder / result;
  row.particles = record.at("particles").get<std::uint64_t>();
  row.computational_ratio = record.at("cr").get<double>();
  row.bytes = record.at("bytes").get<std::uint64_t>();
  row.file_bytes = record.at("file_bytes").get<std::uint64_t>();
  for (const Json& measured : record.at("measured")) {
    const auto name = measured.at("path").get<std::string>();
    auto table = is_plain(name) ? table_in(folder / name, measured.at("table")) : std::nullopt;
    if (!table) return std::nullopt;
    row.measured.push_back(*std::move(table));
  }
  row.done_before = true;
  return row;
}

}  // namespace

Result<Json> origin_of(const Recipe& recipe, const std::string& input, const SourceInfo& info,
                       const SourceSelection& selection, const std::string& device) {
  auto json = Json::object();
  json["program"] = APRSCOPE_VERSION;
  // Versions are rare: what was built from other sources counts as another program.
  json["build"] = build_id();
  json["device"] = device.substr(0, device.find(':'));
  json["steps"] = recipe_json(recipe).at("steps");
  json["channel"] = selection.channel;
  json["time"] = selection.time;
  json["inside"] = inside_of(input);
  json["files"] = Json::array();
  std::vector<fs::path> files{info.path};
  files.insert(files.end(), info.further.begin(), info.further.end());
  for (const Operation& step : recipe.steps) {
    for (const std::string& name : files_of(step)) {
      if (name.empty() || name == kInputFile) continue;
      // An image may be read from several files; a stencil or a table is no image.
      const auto other = inspect(name);
      files.emplace_back(other ? other->path : fs::path(name));
      if (other) files.insert(files.end(), other->further.begin(), other->further.end());
    }
  }
  for (const fs::path& file : files) {
    if (Status ok = add_states(file, json["files"]); !ok) return ok.error();
  }
  // Parsed again, to be exactly as it will be read later.
  return parse_json(dump(json, -1), "record");
}

Status keep_done(const fs::path& folder, const std::string& name, const Json& origin,
                 const BatchRow& row) {
  auto json = Json::object();
  json["aprscope_done"] = 1;
  json["made_from"] = origin;
  json["outputs"] = Json::array();
  const auto add_output = [&](const fs::path& path) -> Status {
    auto state = state_json(path, path.filename().string());
    if (!state) return state.error();
    json["outputs"].push_back(*std::move(state));
    return {};
  };
  if (!row.output.empty()) {
    if (Status ok = add_output(row.output); !ok) return ok;
  }
  json["result"] = row.output.filename().string();
  json["particles"] = row.particles;
  json["cr"] = row.computational_ratio;
  json["bytes"] = row.bytes;
  json["file_bytes"] = row.file_bytes;
  json["measured"] = Json::array();
  for (const TableFile& file : row.measured) {
    if (Status ok = add_output(file.path); !ok) return ok;
    auto one = Json::object();
    one["path"] = file.path.filename().string();
    one["table"] = shape_of(file.table);
    json["measured"].push_back(std::move(one));
  }
  std::error_code code;
  fs::create_directory(folder / ".done", code);
  return write_text_atomically(record_of(folder, name), dump(json, 1) + "\n");
}

bool find_done(const fs::path& folder, const std::string& name, const Json& origin, BatchRow& row) {
  const auto text = read_text(record_of(folder, name));
  if (!text) return false;
  const auto record = parse_json(*text, "record");
  if (!record) return false;
  try {
    auto done = row_in(*record, folder, origin);
    if (!done) return false;
    done->input = row.input;
    done->number = row.number;
    row = *std::move(done);
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace aprscope

#include "core/pipeline/batch_merge.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/base/csv.hpp"
#include "core/io/common/json_parser.hpp"
#include "core/operations/schema/parameter_json.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{4} << 30U;

struct PartRow {
  std::size_t file = 0;
  std::string record;
};

struct PartTable {
  fs::path path;
  PartMark mark;
  std::string head;
  std::vector<PartRow> rows;
};

Error no_part(const fs::path& path) {
  return {"is not the table of a part of a batch", path.string(),
          "name the tables that run --part K/N --csv TABLE.csv wrote, TABLE.partK.csv"};
}

std::vector<std::string> words_in(const Json& json, const char* key) {
  std::vector<std::string> words;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return words;
  for (const Json& one : *found) {
    if (one.is_string()) words.push_back(one.get<std::string>());
  }
  return words;
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Result<PartMark> mark_in(std::string_view line, const fs::path& path) {
  constexpr std::string_view kBegin = "# {";
  if (line.substr(0, kBegin.size()) != kBegin) return no_part(path);
  const auto json = parse_json(line.substr(2), path.string());
  if (!json || !json->is_object()) return no_part(path);
  const auto number = [&](const char* key) {
    const auto found = json->find(key);
    return found == json->end() ? std::optional<std::int64_t>() : whole_number(*found);
  };
  const auto part = number("aprscope_part");
  const auto of = number("of");
  const auto files = number("files");
  if (!part || !of || !files || *part < 1 || *part > *of || *of > kMostParts || *files < 0) {
    return no_part(path);
  }
  const auto tables = words_in(*json, "tables");
  // Ids become names of files, so they must not hold a slash.
  const bool plain = std::all_of(tables.begin(), tables.end(), [](const std::string& id) {
    return !id.empty() && id.find('/') == std::string::npos;
  });
  if (!plain) return no_part(path);
  const auto ended = json->find("ended");
  return PartMark{
      {static_cast<int>(*part), static_cast<int>(*of)},
      static_cast<std::size_t>(*files),
      text_in(*json, "batch"),
      text_in(*json, "table"),
      text_in(*json, "folder"),
      tables,
      words_in(*json, "unlike"),
      ended != json->end() && ended->is_boolean() && ended->get<bool>(),
      static_cast<std::size_t>(std::max<std::int64_t>(0, number("of_files").value_or(0)))};
}

Result<PartTable> read_part(const fs::path& path) {
  const auto text = read_text(path, kMostBytes);
  if (!text) return text.error();
  const auto line_end = std::min(text->find('\n'), text->size());
  auto mark = mark_in(std::string_view(*text).substr(0, line_end), path);
  if (!mark) return mark.error();
  const auto records =
      csv_records(std::string_view(*text).substr(std::min(line_end + 1, text->size())));
  constexpr std::string_view kNumber = "nr,";
  if (records.empty() || records[0].substr(0, kNumber.size()) != kNumber) return no_part(path);
  PartTable table{path, *std::move(mark), std::string(records[0].substr(kNumber.size())), {}};
  for (std::size_t i = 1; i < records.size(); ++i) {
    const std::string_view record = records[i];
    std::size_t file = 0;
    const auto end = std::from_chars(record.data(), record.data() + record.size(), file);
    const auto length = static_cast<std::size_t>(end.ptr - record.data());
    if (end.ec != std::errc() || length >= record.size() || record[length] != ',' || file < 1 ||
        file > table.mark.files || record.back() != '\n') {
      return Error{"has a line that is no row of a part (line " + std::to_string(i + 2) + ")",
                   path.string(), "run this part again"};
    }
    table.rows.push_back({file, std::string(record.substr(length + 1))});
  }
  return table;
}

std::string part_words(const BatchPart& part) {
  return "part " + std::to_string(part.number) + " of " + std::to_string(part.of);
}

Status check_same_batch(const PartTable& one, const PartTable& other) {
  const auto differs = [&](const char* what, const char* advice) {
    return Error{std::string(what) + " than " + one.path.string(), other.path.string(), advice};
  };
  if (one.mark.batch != other.mark.batch || one.mark.part.of != other.mark.part.of ||
      one.mark.files != other.mark.files) {
    return differs("is of another batch", "merge the parts of one run: the same recipe and inputs");
  }
  if (one.mark.table != other.mark.table) {
    return differs("is another table", "merge each table by itself");
  }
  if (one.head != other.head) {
    return differs("has other columns", "run both with the same version of the program");
  }
  return {};
}

// Numbers in words: "2, 5 and 7"; only the first few of many.
std::string some_of(const std::vector<int>& numbers) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < kShown; ++i) {
    const bool last = i + 1 == numbers.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + std::to_string(numbers[i]);
  }
  return numbers.size() > kShown ? text + ", …" : text;
}

Status check_all_parts(const std::vector<PartTable>& parts) {
  std::map<int, const PartTable*> seen;
  for (const PartTable& part : parts) {
    const auto [at, is_new] = seen.emplace(part.mark.part.number, &part);
    if (!is_new) {
      return Error{part_words(part.mark.part) + " is there twice",
                   at->second->path.string() + " and " + part.path.string(), "name each part once"};
    }
  }
  std::vector<int> missing;
  const BatchPart& any = parts.front().mark.part;
  for (int number = 1; number <= any.of; ++number) {
    if (seen.count(number) == 0) missing.push_back(number);
  }
  if (missing.empty()) return {};
  return Error{"of " + std::to_string(any.of) + " parts " + some_of(missing) +
                   (missing.size() == 1 ? " is" : " are") + " missing",
               parts.front().path.string(),
               parts.front().mark.table.empty()
                   ? "run it again with --part K/N, or name its table, too"
                   : "name its table, too; where it measured nothing, merge the tables of --csv, "
                     "which know that"};
}

// Checks that each file is in one part; in the table of the batch, that all files occur once.
Status check_files(const std::vector<PartTable>& parts) {
  std::map<std::size_t, const PartTable*> part_of;
  std::size_t rows = 0;
  constexpr const char* kAdvice =
      "inputs were changed while the parts were run: run all parts again";
  for (const PartTable& part : parts) {
    for (const PartRow& row : part.rows) {
      ++rows;
      const auto [at, is_new] = part_of.emplace(row.file, &part);
      const bool again = part.mark.table.empty() ? !is_new : at->second != &part;
      if (again) {
        return Error{"file " + std::to_string(row.file) + " of the batch is there twice",
                     at->second->path.string() + " and " + part.path.string(), kAdvice};
      }
    }
  }
  const PartMark& mark = parts.front().mark;
  if (!mark.table.empty() || rows == mark.files) return {};
  std::size_t missing = 1;
  while (part_of.count(missing) > 0) ++missing;
  return Error{"file " + std::to_string(missing) + " of the batch is in no part",
               parts.front().path.string(), kAdvice};
}

std::string in_order(const std::vector<PartTable>& parts) {
  std::vector<const PartRow*> rows;
  for (const PartTable& part : parts) {
    for (const PartRow& row : part.rows) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const PartRow* a, const PartRow* b) { return a->file < b->file; });
  std::string text = parts.front().head;
  for (const PartRow* row : rows) text += row->record;
  return text;
}

Result<std::vector<PartTable>> read_parts(const std::vector<fs::path>& paths) {
  std::vector<PartTable> parts;
  for (const fs::path& path : paths) {
    auto part = read_part(path);
    if (!part) return part.error();
    parts.push_back(*std::move(part));
    if (Status ok = check_same_batch(parts.front(), parts.back()); !ok) return ok.error();
  }
  return parts;
}

// A table that a part wrote, by what the table of the part says.
Result<PartTable> read_table(const fs::path& path, const std::string& id,
                             const std::string& batch) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    return Error{"is not there, though its part wrote it", path.string(),
                 "merge in the folder where the parts were run, or run this part again"};
  }
  auto table = read_part(path);
  if (!table || (table->mark.batch == batch && table->mark.table == id)) return table;
  return Error{"is not the table that its batch wrote", path.string(), "run this part again"};
}

// The tables of many files that these parts wrote: all of each, since who wrote one says so.
Status merge_tables(const std::vector<PartTable>& parts, MergedBatch& merged) {
  std::map<std::string, std::vector<fs::path>> paths_of;
  std::set<std::string> unlike;
  std::map<std::string, fs::path> target_of;
  for (const PartTable& part : parts) {
    if (!part.mark.ended) merged.unfinished.push_back(part.mark.part.number);
    unlike.insert(part.mark.unlike.begin(), part.mark.unlike.end());
    for (const std::string& id : part.mark.tables) {
      const std::string target = (fs::path(part.mark.folder) / (id + ".csv")).string();
      paths_of[id].emplace_back(name_of_part(target, part.mark.part));
      target_of[id] = target;
    }
  }
  for (const auto& [id, paths] : paths_of) {
    if (unlike.count(id) > 0) continue;
    std::vector<PartTable> tables;
    std::size_t of_files = 0;
    for (const fs::path& path : paths) {
      auto table = read_table(path, id, parts.front().mark.batch);
      if (!table) return table.error();
      of_files += table->mark.of_files;
      tables.push_back(*std::move(table));
    }
    const bool alike = std::all_of(tables.begin(), tables.end(), [&](const PartTable& table) {
      return table.head == tables.front().head;
    });
    if (!alike) {
      unlike.insert(id);
      continue;
    }
    if (Status ok = check_files(tables); !ok) return ok;
    // The table of a single file exists already, as in a batch that is not shared out.
    if (of_files > 1) merged.tables.push_back({target_of[id], in_order(tables)});
  }
  merged.unlike.assign(unlike.begin(), unlike.end());
  std::sort(merged.unfinished.begin(), merged.unfinished.end());
  return {};
}

}  // namespace

std::string batch_id(const std::string& recipe, const std::vector<std::string>& inputs, int parts) {
  // FNV-1a, 64 bits: good enough to tell apart batches that are mixed up by mistake.
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    hash *= 0x100000001b3U;  // where one text ends
  };
  add(recipe);
  for (const std::string& input : inputs) add(input);
  add(std::to_string(parts));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text += kDigits[static_cast<std::size_t>(hash >> static_cast<unsigned>(shift) & 0xFU)];
  }
  return text;
}

std::string to_line(const PartMark& mark) {
  auto json = Json::object();
  json["aprscope_part"] = mark.part.number;
  json["of"] = mark.part.of;
  json["files"] = mark.files;
  json["batch"] = mark.batch;
  if (!mark.table.empty()) {
    json["table"] = mark.table;
    json["of_files"] = mark.of_files;
  } else {
    json["ended"] = mark.ended;
    json["folder"] = mark.folder;
    json["tables"] = mark.tables;
    json["unlike"] = mark.unlike;
  }
  return "# " + dump(json, -1) + "\n";
}

Result<MergedBatch> merge_parts(const std::vector<fs::path>& paths) {
  if (paths.empty()) return Error{"there is no part to merge", "", "name the tables of the parts"};
  const auto parts = read_parts(paths);
  if (!parts) return parts.error();
  if (Status ok = check_all_parts(*parts); !ok) return ok.error();
  if (Status ok = check_files(*parts); !ok) return ok.error();
  MergedBatch merged;
  merged.csv = in_order(*parts);
  merged.parts = parts->size();
  const bool of_batch = parts->front().mark.table.empty();
  for (const PartTable& part : *parts) {
    merged.rows += part.rows.size();
    // The error is the last column.
    merged.failed += static_cast<std::size_t>(
        std::count_if(part.rows.begin(), part.rows.end(), [&](const PartRow& row) {
          return of_batch && row.record.size() > 1 && row.record[row.record.size() - 2] != ',';
        }));
  }
  if (!of_batch) return merged;
  if (Status ok = merge_tables(*parts, merged); !ok) return ok.error();
  return merged;
}

}  // namespace aprscope

// Cells of several files, or of several time points, in one table.
#include "app/cli/commands/cell_series.hpp"

#include <filesystem>

#include "app/cli/commands/cell_report.hpp"
#include "app/cli/shared/series.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/pipeline/batch.hpp"

namespace aprscope::cli {
namespace {

using NamedTables = std::vector<std::pair<std::string, std::vector<TableFile>>>;

// Stacks the tables of all files (or time points), with a column that names the file or time.
Result<std::vector<TableFile>> stacked_files(const NamedTables& of_files, const char* id,
                                             const char* label) {
  std::vector<TableFile> files;
  for (std::size_t i = 0; !of_files.empty() && i < of_files.front().second.size(); ++i) {
    std::vector<std::pair<std::string, Table>> tables;
    for (const auto& [input, all] : of_files) tables.emplace_back(input, all[i].table);
    Table all = stacked(tables, id, label);
    if (all.columns.empty()) {
      return Error{"cannot hold all cells: their columns or units differ",
                   of_files.front().second[i].path.string(),
                   "choose files with the same unit of length, or give --voxel-size"};
    }
    all.id = tables.front().second.id;
    files.push_back({of_files.front().second[i].path, std::move(all)});
  }
  return files;
}

// Makes the folder for labels, if labels are written.
Status make_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) return {};
  std::error_code code;
  fs::create_directory(folder, code);
  if (fs::is_directory(folder, code)) return {};
  return Error{"cannot be made a folder", folder,
               "give an existing folder, or a new one in an existing folder"};
}

Status write_cells(const Dataset& data, const std::filesystem::path& output,
                   const std::vector<std::string>& inputs, Session& session) {
  if (Status ok = check_output(output, inputs, session); !ok) return ok;
  return session.timed("write", [&] {
    return data.is_apr() ? write_apr(data.apr(), output, {}, session.context())
                         : write_labels_of(data, output, session.context());
  });
}

void say_cells(const Json& cells, const Session& session, Json& row) {
  if (!session.options().json) {
    row["result"] = cells_text(cells);
    return;
  }
  for (const auto& [key, value] : cells.items()) row[key] = value;
}

// The failures of a series: how many, and the reason of the first.
struct Failures {
  std::size_t count = 0;
  std::string first;

  void add(const Error& error) {
    if (count++ == 0) first = error.message();
  }
};

// The column that names the file or time point of a row.
struct SeriesColumn {
  const char* id;
  const char* label;
  /// The plural of what the series consists of.
  const char* many;
};

// Writes one table of all that succeeded; returns an error if others failed.
Status end_series(const CellsOptions& options, const NamedTables& tables,
                  const SeriesColumn& column, const Failures& failed, std::size_t count,
                  Session& session) {
  session.report()["failed"] = failed.count;
  if (!options.csv.empty() && !tables.empty()) {
    const auto files = stacked_files(tables, column.id, column.label);
    if (!files) return files.error();
    if (Status ok = write_cell_tables(options, *files, session); !ok) return ok;
  }
  if (failed.count == 0) return {};
  // Reports now, as the error below would hide the rows that succeeded.
  session.finish();
  return Error{
      failed.first,
      std::to_string(failed.count) + " of " + std::to_string(count) + " " + column.many + " failed",
      ""};
}

// Checked after each file and not at the end, hours later: tables must have the same columns.
Status check_columns(const std::vector<TableFile>& files, const NamedTables& before,
                     const std::string& path) {
  for (std::size_t i = 0; !before.empty() && i < files.size(); ++i) {
    const Table& first = before.front().second[i].table;
    if (!stacked({{"", first}, {"", files[i].table}}, "", "").columns.empty()) continue;
    return Error{
        "has tables with other columns or units than at time point " + before.front().first, path,
        "channels that are equal are measured once: choose other --channels"};
  }
  return {};
}

// Pads numbers with zeros, as 007 for 7 of up to 120, so that names sort in the order of time.
std::string name_of_time(int time, int last) {
  const std::string digits = std::to_string(time);
  const std::size_t width = std::to_string(last).size();
  return "t" + std::string(width - std::min(width, digits.size()), '0') + digits;
}

}  // namespace

Status cells_of_files(const CellsOptions& options, Session& session) {
  namespace fs = std::filesystem;
  const std::vector<std::string> inputs = files_for_cells(options);
  if (!options.csv.empty()) {
    if (Status ok = check_output(options.csv, inputs, session); !ok) return ok;
  }
  if (Status ok = make_folder(options.output); !ok) return ok;
  const std::vector<std::string> names = result_names(options.inputs);
  NamedTables tables;
  Failures failed;
  Json& rows = session.report()["rows"] = Json::array();
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    InputOptions input = options.input;
    input.path = options.inputs[i];
    fs::path output;
    const auto one = [&]() -> Result<MeasuredCells> {
      auto found = find_cells(options, input, session);
      if (!found || options.output.empty()) return found;
      const Dataset& data = *found->run.data;
      output = fs::path(options.output) / (names[i] + (data.is_apr() ? ".apr" : "-labels.tif"));
      if (Status ok = write_cells(data, output, inputs, session); !ok) return ok.error();
      return found;
    };
    auto found = one();
    if (!found && found.error().cancelled()) return found.error();
    Json row = Json::object();
    row["file"] = input.path;
    if (found) {
      say_cells(found->row, session, row);
      row["output"] = output.string();
      row["error"] = "";
      tables.emplace_back(input.path, std::move(found->tables));
    } else {
      if (!session.options().json) row["result"] = "";
      row["output"] = "";
      row["error"] = found.error().message();
      failed.add(found.error());
    }
    rows.push_back(std::move(row));
  }
  return end_series(options, tables, {"file", "File", "files"}, failed, options.inputs.size(),
                    session);
}

Status cells_of_times(const CellsOptions& options, Session& session) {
  namespace fs = std::filesystem;
  const std::vector<std::string> inputs = files_for_cells(options);
  if (!options.csv.empty()) {
    if (Status ok = check_output(options.csv, inputs, session); !ok) return ok;
  }
  InputOptions input = options.input;
  input.path = options.inputs.front();
  input.time = 0;
  const auto info = inspect_input(input, session.context());
  if (!info) return info.error();
  const auto range = chosen_range(options.times, 0, info->times, "time point", input.path);
  if (!range) return range.error();
  if (Status ok = make_folder(options.output); !ok) return ok;
  const std::string name = result_names({input.path}).front();
  NamedTables tables;
  FollowedCells follow;
  Failures failed;
  Json& rows = session.report()["rows"] = Json::array();
  for (int time = range->first; time <= range->last; ++time) {
    input.time = time;
    fs::path output;
    const auto one = [&]() -> Result<MeasuredCells> {
      auto found = find_cells(options, input, session, options.follow ? &follow : nullptr);
      if (!found) return found;
      if (Status ok = check_columns(found->tables, tables, input.path); !ok) return ok.error();
      if (options.output.empty()) return found;
      const Dataset& data = *found->run.data;
      output = fs::path(options.output) / (name + "-" + name_of_time(time, range->last) +
                                           (data.is_apr() ? ".apr" : "-labels.tif"));
      if (Status ok = write_cells(data, output, inputs, session); !ok) return ok.error();
      return found;
    };
    auto found = one();
    if (!found && found.error().cancelled()) return found.error();
    Json row = Json::object();
    row["time"] = time;
    if (found) {
      say_cells(found->row, session, row);
    } else if (!session.options().json) {
      row["result"] = "";
    }
    if (options.follow) {
      row["kept"] = found ? Json(follow.kept) : Json(nullptr);
      row["gone"] = found ? Json(follow.earlier - follow.kept) : Json(nullptr);
    }
    row["output"] = found ? output.string() : "";
    row["error"] = found ? "" : found.error().message();
    rows.push_back(std::move(row));
    if (found) {
      tables.emplace_back(std::to_string(time), std::move(found->tables));
    } else {
      failed.add(found.error());
    }
  }
  const auto count = static_cast<std::size_t>(range->last - range->first) + 1;
  return end_series(options, tables, {"time", "Time", "time points"}, failed, count, session);
}

}  // namespace aprscope::cli

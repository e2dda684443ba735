// Runs one recipe on many files: all of them, or the share of one process.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/cli/commands/run_options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/pipeline/batch_share.hpp"

namespace aprscope::cli {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT: nobody sets it meanwhile
  return value != nullptr ? value : "";
}

Json seconds_of(const std::vector<StepCost>& costs) {
  Json seconds = Json::array();
  for (const StepCost& cost : costs) seconds.push_back(cost.seconds);
  return seconds;
}

Json row_json(const BatchRow& row, const Session& session) {
  const TotalCost sum = total(row.costs);
  auto json = Json::object();
  json["file"] = row.input;
  json["output"] = row.output.string();
  json["measured"] = Json::array();
  for (const TableFile& file : row.measured) json["measured"].push_back(file.path.string());
  json["read_s"] = row.read_seconds;
  json["steps_s"] = sum.seconds;
  json["step_seconds"] = seconds_of(row.costs);
  json["write_s"] = row.write_seconds;
  json["particles"] = row.particles;
  json["cr"] = row.computational_ratio;
  json["bytes"] = row.bytes;
  json["file_bytes"] = row.file_bytes;
  json["peak_bytes"] = sum.peak_bytes ? Json(*sum.peak_bytes) : Json(nullptr);
  json["backend"] = sum.backend;
  session.describe_devices(row.costs, json);
  json["done_before"] = row.done_before;
  json["error"] = row.error;
  return json;
}

// Reports how many files failed and why the first did; success if none did.
Status report_rows(const std::vector<BatchRow>& rows, Session& session) {
  std::string first;
  std::size_t failed = 0;
  std::size_t before = 0;
  std::vector<StepCost> all;
  session.report()["rows"] = Json::array();
  for (const BatchRow& row : rows) {
    session.report()["rows"].push_back(row_json(row, session));
    all.insert(all.end(), row.costs.begin(), row.costs.end());
    if (row.done_before) ++before;
    if (!row.error.empty() && failed++ == 0) first = row.error;
  }
  session.report()["failed"] = failed;
  session.report()["done_before"] = before;
  session.describe_devices(all, session.report());
  if (failed == 0) return {};
  return Error{first,
               std::to_string(failed) + " of " + std::to_string(rows.size()) +
                   (rows.size() == 1 ? " file failed" : " files failed"),
               ""};
}

}  // namespace

Result<BatchPart> chosen_part(const std::string& text) {
  if (text != "slurm") return part_from(text);
  const std::string count = variable("SLURM_ARRAY_TASK_COUNT");
  if (count.empty()) {
    return Error{"no task of a Slurm array is running here", "--part slurm",
                 "submit it with sbatch --array=1-N, or write --part K/N"};
  }
  const long id = std::atol(variable("SLURM_ARRAY_TASK_ID").c_str());
  const long first = std::atol(variable("SLURM_ARRAY_TASK_MIN").c_str());
  const long step = std::max(1L, std::atol(variable("SLURM_ARRAY_TASK_STEP").c_str()));
  if (id < first || (id - first) % step != 0) {
    return Error{"the tasks of the array have gaps", "--part slurm", "write --part K/N"};
  }
  auto part = part_from(std::to_string((id - first) / step + 1) + "/" + count);
  if (part) return part;
  return Error{"the tasks of the array have gaps", "--part slurm", "write --part K/N"};
}

SourceSelection chosen_selection(const RunOptions& options, const Recipe& recipe) {
  return {options.channel_given ? options.input.channel : recipe.channel,
          options.time_given ? options.input.time : recipe.time};
}

Status run_many(const RunOptions& options, Session& session) {
  namespace fs = std::filesystem;
  const fs::path folder = options.output;
  std::error_code code;
  fs::create_directory(folder, code);
  if (!fs::is_directory(folder, code)) {
    return Error{"cannot be made a folder", folder.string(),
                 "give an existing folder, or a new one in an existing folder"};
  }
  if (Status ok = check_output(folder / "result.apr", {}, session); !ok) return ok;
  BatchOptions batch;
  std::string csv = options.csv;
  if (!options.part.empty()) {
    const auto part = chosen_part(options.part);
    if (!part) return part.error();
    batch.part = *part;
    if (!csv.empty()) csv = name_of_part(csv, *part);
    session.report()["part"] = std::to_string(part->number) + "/" + std::to_string(part->of);
  }
  if (!csv.empty()) {
    std::vector<std::string> inputs = options.inputs;
    inputs.push_back(options.recipe);
    if (Status ok = check_output(csv, inputs, session); !ok) return ok;
  }
  auto recipe = load_recipe(options.recipe);
  if (!recipe) return recipe.error();
  batch.output_folder = folder;
  batch.replace_inputs = session.options().force;
  batch.selection = chosen_selection(options, *recipe);
  batch.keep_records = true;
  batch.skip_done = options.skip_done;
  const auto write_table = [&](const std::vector<BatchRow>& rows, const StackedTables* tables) {
    return csv.empty() ? Status()
                       : write_text_atomically(csv, batch.part ? part_csv(*recipe, options.inputs,
                                                                          rows, batch, tables)
                                                               : batch_csv(*recipe, rows));
  };
  Status table;
  const auto save_table = [&](const std::vector<BatchRow>& rows) {
    // Written after each file, so that a crash does not lose the table.
    table = write_table(rows, nullptr);
  };
  const auto rows = session.timed("run", [&] {
    return run_batch(*recipe, options.inputs, batch, session.backend(), session.context(),
                     save_table);
  });
  if (!rows) return rows.error();
  if (!table) return table;
  if (!csv.empty()) session.report()["csv"] = csv;
  Status failed = report_rows(*rows, session);
  std::vector<std::string> others;
  if (!csv.empty()) others.push_back(csv);
  const auto stacked = write_stacked(*recipe, options.inputs, *rows, batch, std::move(others));
  if (!stacked) return stacked.error();
  for (const fs::path& path : stacked->written) session.report()["tables"].push_back(path.string());
  if (batch.part) {
    if (Status ok = write_table(*rows, &*stacked); !ok) return ok;
  }
  if (failed.ok() || options.allow_failures) return {};
  // Reports now, as the error below would hide the files that succeeded.
  session.finish();
  return failed;
}

}  // namespace aprscope::cli

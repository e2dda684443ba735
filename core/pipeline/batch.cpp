#include "core/pipeline/batch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <new>
#include <numeric>
#include <optional>
#include <set>

#include "core/base/atomic_file.hpp"
#include "core/base/csv.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/batch_merge.hpp"
#include "core/pipeline/done_results.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// "file_group_volume" for "file.h5:/group/volume", "stack" for "stack.ome.tif".
std::string plain_name(const std::string& input) {
  std::string file = input;
  std::string inside;
  if (const auto colon = input.find(":/"); colon != std::string::npos) {
    file = input.substr(0, colon);
    inside = input.substr(colon + 1);
    for (char& c : inside) c = c == '/' ? '_' : c;
  }
  fs::path name = image_path(file).stem();
  if (name.extension() == ".ome") name = name.stem();
  return name.string() + inside;
}

Status check_target(const fs::path& path, const std::vector<std::string>& inputs,
                    const BatchOptions& options) {
  for (const std::string& input : inputs) {
    if (options.replace_inputs || !is_same_file(path, input)) continue;
    return Error{"would be overwritten by its result", path.string(),
                 "choose another folder for the results"};
  }
  return {};
}

Status write_measured(std::span<const std::shared_ptr<const Measurement>> measured, BatchRow& row,
                      const fs::path& target, const std::vector<std::string>& inputs,
                      const BatchOptions& options) {
  const Stopwatch watch;
  // A single table also gets its id in its name, since the folder holds those of many inputs.
  std::vector<TableFile> files = table_files(measured, target.string() + ".csv");
  if (files.size() == 1) {
    files.front().path = target.string() + "-" + files.front().table.id + ".csv";
  }
  for (const TableFile& file : files) {
    if (Status ok = check_target(file.path, inputs, options); !ok) return ok;
  }
  if (Status ok = write_tables(files); !ok) return ok;
  row.measured = std::move(files);
  row.write_seconds += watch.seconds();
  return {};
}

Status write_result(const Dataset& data, bool labels, BatchRow& row, const fs::path& target,
                    const std::vector<std::string>& inputs, const BatchOptions& options,
                    const JobContext& context) {
  const fs::path path = target.string() + (data.is_apr() ? ".apr"
                                           : labels      ? "-labels.tif"
                                                         : ".tif");
  if (Status ok = check_target(path, inputs, options); !ok) return ok;
  const Stopwatch watch;
  Status written = data.is_apr() ? write_apr(data.apr(), path, {options.with_tree}, context)
                   : labels      ? write_labels_of(data, path, context)
                                 : write_tiff(data.volume(), path, context);
  if (!written) return written;
  row.write_seconds += watch.seconds();
  row.output = path;
  std::error_code code;
  const auto bytes = fs::file_size(path, code);
  row.file_bytes = code ? 0 : static_cast<std::uint64_t>(bytes);
  return {};
}

Status run_file(const Recipe& recipe, BatchRow& row, const std::string& name,
                const std::vector<std::string>& inputs, const BatchOptions& options,
                const Backend& backend, const JobContext& context) {
  const fs::path target = options.output_folder / name;
  std::shared_ptr<const Dataset> input;
  std::optional<nlohmann::ordered_json> origin;
  {
    const Stopwatch watch;
    const auto info = inspect(row.input, context);
    if (!info) return info.error();
    const auto missing = [&](const char* what, int asked) {
      return Error{std::string("has no ") + what + " " + std::to_string(asked), row.input, ""};
    };
    if (options.selection.channel >= static_cast<int>(info->channels.size())) {
      return missing("channel", options.selection.channel);
    }
    if (options.selection.time >= info->times) {
      return missing("time point", options.selection.time);
    }
    if (options.keep_records || options.skip_done) {
      auto made_from = origin_of(recipe, row.input, *info, options.selection, backend.id());
      if (!made_from) return made_from.error();
      origin = *std::move(made_from);
      if (options.skip_done && find_done(options.output_folder, name, *origin, row)) return {};
    }
    auto data = load(*info, options.selection, context.part(0.0, 0.15));
    if (!data) return data.error();
    // Images of projections are read as they are needed, from files that nobody looked at here.
    const auto* volume = std::get_if<Volume>(&*data);
    if (!options.keep_records || (volume != nullptr && volume->projections)) origin.reset();
    input = Dataset::create(*std::move(data));
    row.read_seconds = watch.seconds();
  }
  auto done = execute(steps_for(recipe.steps, row.input), std::move(input), backend,
                      context.part(0.15, 0.85));
  if (!done) return done.error();
  row.costs = std::move(done->costs);
  if (Status ok = write_measured(found_in(*done), row, target, inputs, options); !ok) return ok;
  const auto keep = [&] {
    return origin ? keep_done(options.output_folder, name, *origin, row) : Status();
  };
  // A copy of the input is no result.
  const bool measures_only =
      !recipe.steps.empty() &&
      std::all_of(recipe.steps.begin(), recipe.steps.end(), [](const Operation& step) {
        return traits_of(step).gives == Gives::measurement;
      });
  if (measures_only) return keep();
  row.bytes = own_bytes(done->data->data());
  if (done->data->is_apr()) {
    row.particles = done->data->apr().access->count();
    row.computational_ratio = done->data->apr().access->computational_ratio();
  }
  if (Status ok = write_result(*done->data, ends_in_labels(recipe.steps), row, target, inputs,
                               options, context.part(0.85, 1.0));
      !ok) {
    return ok;
  }
  return keep();
}

// The same, with what the libraries throw as an error.
Status run_guarded(const Recipe& recipe, BatchRow& row, const std::string& name,
                   const std::vector<std::string>& inputs, const BatchOptions& options,
                   const Backend& backend, const JobContext& context) {
  try {
    return run_file(recipe, row, name, inputs, options, backend, context);
  } catch (const std::bad_alloc&) {
    return Error{"there is not enough memory", row.input, "use a machine with more"};
  } catch (const std::exception& failure) {
    return Error{failure.what(), row.input, ""};
  }
}

// The inputs that are run, by their place.
std::vector<std::size_t> chosen_inputs(const std::vector<std::string>& inputs,
                                       const BatchOptions& options) {
  if (options.part) {
    return shares(input_bytes(inputs),
                  options.part->of)[static_cast<std::size_t>(options.part->number - 1)];
  }
  std::vector<std::size_t> all(inputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

PartMark mark_of(const Recipe& recipe, const std::vector<std::string>& inputs,
                 const BatchOptions& options) {
  // Without the recipe's own input, which does not matter in a batch.
  const Recipe said{"", options.selection.channel, options.selection.time, recipe.steps};
  PartMark mark;
  mark.part = *options.part;
  mark.files = inputs.size();
  mark.batch = batch_id(to_json(said), inputs, options.part->of);
  return mark;
}

std::string count_text(std::uint64_t n) { return n == 0 ? "" : std::to_string(n); }
std::string seconds_text(double s) { return s > 0.0 ? csv_number(s) : ""; }

}  // namespace

std::vector<std::string> result_names(const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const std::string& input : inputs) {
    const std::string plain = plain_name(input);
    std::string name = plain;
    for (int n = 2; !taken.insert(name).second; ++n) name = plain + "-" + std::to_string(n);
    names.push_back(std::move(name));
  }
  return names;
}

Result<std::vector<BatchRow>> run_batch(
    const Recipe& recipe, const std::vector<std::string>& inputs, const BatchOptions& options,
    const Backend& backend, const JobContext& context,
    const std::function<void(const std::vector<BatchRow>&)>& on_row) {
  const std::vector<std::string> names = result_names(inputs);
  std::vector<BatchRow> rows;
  // For a part: rows that are done, followed by rows that still wait.
  std::vector<BatchRow> shown;
  const std::vector<std::size_t> chosen = chosen_inputs(inputs, options);
  for (const std::size_t i : chosen) {
    BatchRow row;
    row.input = inputs[i];
    row.number = i + 1;
    row.error =
        Error{"was not run", inputs[i], "its part was ended before; run it again"}.message();
    if (options.part) shown.push_back(std::move(row));
  }
  if (options.part && on_row) on_row(shown);
  for (std::size_t at = 0; at < chosen.size(); ++at) {
    if (context.stop_requested()) return cancelled_error();
    const std::size_t i = chosen[at];
    BatchRow row;
    row.input = inputs[i];
    row.number = i + 1;
    const auto n = static_cast<double>(chosen.size());
    const auto done = static_cast<double>(at);
    context.report(done / n, names[i]);
    const Status status = run_guarded(recipe, row, names[i], inputs, options, backend,
                                      context.part(done / n, (done + 1.0) / n));
    if (!status) {
      if (status.error().cancelled()) return cancelled_error();
      row.error = status.error().message();
    }
    rows.push_back(std::move(row));
    if (options.part) shown[at] = rows.back();
    if (on_row) on_row(options.part ? shown : rows);
  }
  return rows;
}

Result<StackedTables> write_stacked(const Recipe& recipe, const std::vector<std::string>& inputs,
                                    const std::vector<BatchRow>& rows, const BatchOptions& options,
                                    std::vector<std::string> others) {
  StackedTables made;
  if (rows.size() < 2 && !options.part) return made;
  // Tables by the place that they have among those of a file, with the number of the file.
  struct OfFile {
    std::size_t number;
    std::string input;
    const Table* table;
  };
  std::map<std::string, std::vector<OfFile>> alike;
  others.insert(others.end(), inputs.begin(), inputs.end());
  for (const BatchRow& row : rows) {
    std::map<std::string, int> seen;
    for (const TableFile& file : row.measured) {
      const int n = ++seen[file.table.id];
      const std::string name = file.table.id + (n > 1 ? "-" + std::to_string(n) : "");
      alike[name].push_back({row.number, row.input, &file.table});
    }
  }
  for (const auto& [name, of_files] : alike) {
    if (of_files.size() < 2 && !options.part) continue;
    std::vector<std::pair<std::string, Table>> tables;
    std::vector<std::int64_t> numbers;
    for (const OfFile& one : of_files) {
      tables.emplace_back(one.input, *one.table);
      numbers.resize(numbers.size() + one.table->rows(), static_cast<std::int64_t>(one.number));
    }
    Table all = stacked(tables, "file", "File");
    const bool empty = tables.front().second.columns.empty();
    if (all.columns.empty()) {
      if (!empty) made.unlike.push_back(name);
      continue;
    }
    // A table without rows lacks the column "file", which tables of other parts have.
    if (numbers.empty()) {
      all.columns.insert(all.columns.begin(), {"file", "File", "", std::vector<std::string>()});
    }
    std::string path = (options.output_folder / (name + ".csv")).string();
    std::string text;
    if (options.part) {
      PartMark mark = mark_of(recipe, inputs, options);
      mark.table = name;
      mark.of_files = of_files.size();
      path = name_of_part(path, *options.part);
      all.columns.insert(all.columns.begin(), {"nr", "Number", "", std::move(numbers)});
      text = to_line(mark);
    }
    if (Status ok = check_target(path, others, options); !ok) return ok.error();
    if (Status ok = write_text_atomically(path, text + to_csv(all)); !ok) return ok.error();
    made.written.emplace_back(path);
    made.ids.push_back(name);
  }
  return made;
}

std::string batch_csv(const Recipe& recipe, const std::vector<BatchRow>& rows, bool numbered) {
  std::vector<std::string> head{"file", "output", "read_s"};
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    head.push_back("step" + std::to_string(i + 1) + "_" + recipe.steps[i].id + "_s");
  }
  for (const char* name : {"write_s", "particles", "cr", "bytes", "file_bytes", "peak_bytes",
                           "backend", "device_reason", "done_before", "error"}) {
    head.emplace_back(name);
  }
  if (numbered) head.insert(head.begin(), "nr");
  std::string text = csv_line(head);
  for (const BatchRow& row : rows) {
    std::vector<std::string> line{row.input, row.output.string(), seconds_text(row.read_seconds)};
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
      line.push_back(i < row.costs.size() ? seconds_text(row.costs[i].seconds) : "");
    }
    const TotalCost sum = total(row.costs);
    line.push_back(seconds_text(row.write_seconds));
    line.push_back(count_text(row.particles));
    line.push_back(row.particles > 0 ? csv_number(row.computational_ratio) : "");
    line.push_back(count_text(row.bytes));
    line.push_back(count_text(row.file_bytes));
    line.push_back(sum.peak_bytes ? std::to_string(*sum.peak_bytes) : "");
    line.push_back(sum.backend);
    line.push_back(move_reasons(row.costs));
    line.emplace_back(row.done_before ? "yes" : "");
    line.push_back(row.error);
    if (numbered) line.insert(line.begin(), std::to_string(row.number));
    text += csv_line(line);
  }
  return text;
}

std::string part_csv(const Recipe& recipe, const std::vector<std::string>& inputs,
                     const std::vector<BatchRow>& rows, const BatchOptions& options,
                     const StackedTables* tables) {
  PartMark mark = mark_of(recipe, inputs, options);
  mark.ended = tables != nullptr;
  mark.folder = options.output_folder.string();
  if (tables != nullptr) {
    mark.tables = tables->ids;
    mark.unlike = tables->unlike;
  }
  return to_line(mark) + batch_csv(recipe, rows, true);
}

}  // namespace aprscope

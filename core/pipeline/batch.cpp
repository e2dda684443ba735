#include "core/pipeline/batch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <new>
#include <set>

#include "core/base/atomic_file.hpp"
#include "core/base/csv.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/registry.hpp"

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
  // Also one table has its name in that of its file: the folder holds those of many inputs.
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

Status run_file(const Recipe& recipe, BatchRow& row, const fs::path& target,
                const std::vector<std::string>& inputs, const BatchOptions& options,
                const Backend& backend, const JobContext& context) {
  std::shared_ptr<const Dataset> input;
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
    auto data = load(*info, options.selection, context.part(0.0, 0.15));
    if (!data) return data.error();
    input = Dataset::create(*std::move(data));
    row.read_seconds = watch.seconds();
  }
  auto done = execute(steps_for(recipe.steps, row.input), std::move(input), backend,
                      context.part(0.15, 0.85));
  if (!done) return done.error();
  row.costs = std::move(done->costs);
  if (Status ok = write_measured(found_in(*done), row, target, inputs, options); !ok) return ok;
  // A copy of the input is no result.
  const bool measures_only =
      !recipe.steps.empty() &&
      std::all_of(recipe.steps.begin(), recipe.steps.end(), [](const Operation& step) {
        return traits_of(step).gives == Gives::measurement;
      });
  if (measures_only) return {};
  row.bytes = own_bytes(done->data->data());
  if (done->data->is_apr()) {
    row.particles = done->data->apr().access->count();
    row.computational_ratio = done->data->apr().access->computational_ratio();
  }
  return write_result(*done->data, ends_in_labels(recipe.steps), row, target, inputs, options,
                      context.part(0.85, 1.0));
}

std::string whole_number(std::uint64_t n) { return n == 0 ? "" : std::to_string(n); }
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
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (context.stop_requested()) return cancelled_error();
    BatchRow row;
    row.input = inputs[i];
    const auto n = static_cast<double>(inputs.size());
    const auto done = static_cast<double>(i);
    context.report(done / n, names[i]);
    Status status;
    try {
      status = run_file(recipe, row, options.output_folder / names[i], inputs, options, backend,
                        context.part(done / n, (done + 1.0) / n));
    } catch (const std::bad_alloc&) {
      status = Error{"there is not enough memory", row.input, "use a machine with more"};
    } catch (const std::exception& failure) {
      status = Error{failure.what(), row.input, ""};
    }
    if (!status) {
      if (status.error().cancelled()) return cancelled_error();
      row.error = status.error().message();
    }
    rows.push_back(std::move(row));
    if (on_row) on_row(rows);
  }
  return rows;
}

Result<std::vector<fs::path>> write_stacked(const std::vector<BatchRow>& rows,
                                            const BatchOptions& options,
                                            std::vector<std::string> others) {
  std::vector<fs::path> written;
  if (rows.size() < 2) return written;
  // Tables by the place that they have among those of a file.
  std::map<std::string, std::vector<std::pair<std::string, Table>>> alike;
  for (const BatchRow& row : rows) {
    others.push_back(row.input);
    std::map<std::string, int> seen;
    for (const TableFile& file : row.measured) {
      const int n = ++seen[file.table.id];
      const std::string name = file.table.id + (n > 1 ? "-" + std::to_string(n) : "");
      alike[name].emplace_back(row.input, file.table);
    }
  }
  for (const auto& [name, tables] : alike) {
    const Table all = stacked(tables, "file", "File");
    if (tables.size() < 2 || all.columns.empty()) continue;
    const fs::path path = options.output_folder / (name + ".csv");
    if (Status ok = check_target(path, others, options); !ok) return ok.error();
    if (Status ok = write_text_atomically(path, to_csv(all)); !ok) return ok.error();
    written.push_back(path);
  }
  return written;
}

std::string batch_csv(const Recipe& recipe, const std::vector<BatchRow>& rows) {
  std::vector<std::string> head{"file", "output", "read_s"};
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    head.push_back("step" + std::to_string(i + 1) + "_" + recipe.steps[i].id + "_s");
  }
  for (const char* name : {"write_s", "particles", "cr", "bytes", "file_bytes", "peak_bytes",
                           "backend", "device_reason", "error"}) {
    head.emplace_back(name);
  }
  std::string text = csv_line(head);
  for (const BatchRow& row : rows) {
    std::vector<std::string> line{row.input, row.output.string(), seconds_text(row.read_seconds)};
    for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
      line.push_back(i < row.costs.size() ? seconds_text(row.costs[i].seconds) : "");
    }
    const TotalCost sum = total(row.costs);
    line.push_back(seconds_text(row.write_seconds));
    line.push_back(whole_number(row.particles));
    line.push_back(row.particles > 0 ? csv_number(row.computational_ratio) : "");
    line.push_back(whole_number(row.bytes));
    line.push_back(whole_number(row.file_bytes));
    line.push_back(sum.peak_bytes ? std::to_string(*sum.peak_bytes) : "");
    line.push_back(sum.backend);
    line.push_back(move_reasons(row.costs));
    line.push_back(row.error);
    text += csv_line(line);
  }
  return text;
}

}  // namespace aprscope

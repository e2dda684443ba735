// Cells: from images to labels and a table, with operations that a recipe can replay.
#include <algorithm>

#include "app/cli/commands/cell_report.hpp"
#include "app/cli/commands/cell_steps.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "core/base/atomic_file.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/io/formats.hpp"
#include "core/io/label_read.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/measure/background_note.hpp"
#include "core/operations/measure/wall_tables.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/pipeline/batch.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

struct CellsOptions {
  std::vector<std::string> inputs;
  /// With channel, time and voxel size; the path is that of each input.
  InputOptions input;
  CellSteps find;
  std::vector<Operation> steps;
  std::string output;
  std::string csv;
  std::string truth;
  /// Files whose channels are measured, too.
  std::vector<std::string> channels;
  bool all_channels = false;
  bool slices = false;
  bool contacts = false;
  bool walls = false;
  bool dark_walls = false;
  bool as_pixels = false;
};

constexpr std::initializer_list<OutputKind> kCellsOutputs{OutputKind::tiff, OutputKind::apr,
                                                          OutputKind::recipe};

// All steps for data of this kind: pixels first where that is asked for, the table last.
std::vector<Operation> all_steps(const CellsOptions& options, const InputOptions& input,
                                 bool is_apr, const Size3& size, const VoxelSize& voxel) {
  std::vector<Operation> steps;
  if (is_apr && options.as_pixels) steps.push_back({"reconstruct", {}});
  const std::vector<Operation> find = options.find.steps(voxel, size.z == 1);
  steps.insert(steps.end(), find.begin(), find.end());
  Operation measure{"cells", {{"per_slice", options.slices}}};
  std::vector<std::string> files = options.channels;
  if (options.all_channels) files.insert(files.begin(), kInputFile);
  if (options.walls) {
    measure.parameters["walls"] = true;
    measure.parameters["dark_walls"] = options.dark_walls || has_dark_walls(find);
  }
  if (!files.empty()) {
    measure.parameters["channels"] = list_of_files(files);
    measure.parameters["time"] = std::int64_t{input.time};
  }
  steps.push_back(std::move(measure));
  return steps;
}

// The tables that are asked for and the files that they become: that of cells, which is the first,
// and those beside it.
std::vector<TableFile> files_for(const CellsOptions& options, const Measurement& found) {
  const std::filesystem::path csv = options.csv;
  std::vector<TableFile> files{{csv, found.tables.front()}};
  for (const Table& table : found.tables) {
    const bool asked =
        (table.id == "slices" && options.slices) || (table.id == "contacts" && options.contacts);
    if (!asked) continue;
    std::filesystem::path beside = csv;
    beside.replace_filename(csv.stem().string() + "-" + table.id + csv.extension().string());
    files.push_back({beside, table});
  }
  return files;
}

struct FoundCells {
  Execution run;
  std::vector<TableFile> tables;
  Json row;
};

Result<FoundCells> find_cells(const CellsOptions& options, const InputOptions& input,
                              Session& session) {
  auto loaded = load_input(input, session);
  if (!loaded) return loaded.error();
  const auto data = Dataset::create(*std::move(loaded));
  if (!options.output.empty() && options.inputs.size() == 1 &&
      output_kind(options.output, kCellsOutputs) == OutputKind::apr &&
      (!data->is_apr() || options.as_pixels)) {
    return no_particles_error(options.output);  // before a long computation
  }
  auto done = session.timed("compute", [&] {
    return execute(steps_for(all_steps(options, input, data->is_apr(), data->size(), data->voxel()),
                             input.path),
                   data, session.backend(), session.context());
  });
  if (!done) return done.error();
  FoundCells found{*std::move(done), {}, {}};
  const Measurement& measured = *found.run.measured.back().found;
  if (!options.csv.empty()) found.tables = files_for(options, measured);
  found.row = cells_json(measured);
  const Dataset& labelled = *found.run.data;
  const double share = background_share_of(labelled, *labelled.labels());
  if (share > 0.0) found.row["background_share"] = share;
  return found;
}

// Labels of a file as pixels, those of particles too.
Result<Labels> labels_in(const std::string& path, const Size3& size, Session& session) {
  const auto info = inspect(path, session.context());
  if (!info) return info.error();
  if (!info->is_apr) return read_labels(path, size, {}, session.context());
  const auto data = load(*info, {}, session.context());
  if (!data) return data.error();
  const Apr& apr = std::get<Apr>(*data);
  if (!apr.labels) return Error{"has no labels", path, "choose a file with labels"};
  return pixel_labels(*apr.access, *apr.labels, session.context());
}

// What is to be compared with the truth, and how it does.
Status compare(const std::string& truth_file, const Size3& size, const Labels& found,
               Session& session) {
  const auto truth = session.timed("read", [&] { return labels_in(truth_file, size, session); });
  if (!truth) return truth.error();
  const auto agreement = session.timed(
      "compare", [&] { return compare_labels(*truth, found, 500, session.context()); });
  if (!agreement) return agreement.error();
  session.report()["truth"] = truth_file;
  const Json numbers = agreement_json(*agreement);
  for (const auto& [key, value] : numbers.items()) session.report()[key] = value;
  return {};
}

// Two files of labels.
Status compare_files(const CellsOptions& options, Session& session) {
  const auto info = inspect(options.truth, session.context());
  if (!info) return info.error();
  const auto found =
      session.timed("read", [&] { return labels_in(options.inputs.front(), info->size, session); });
  if (!found) return found.error();
  session.report()["labels"] = options.inputs.front();
  return compare(options.truth, info->size, *found, session);
}

Status compare_result(const CellsOptions& options, const Dataset& data, Session& session) {
  if (!data.is_apr()) return compare(options.truth, data.size(), *data.labels(), session);
  const auto pixels = pixel_labels(*data.apr().access, *data.labels(), session.context());
  if (!pixels) return pixels.error();
  return compare(options.truth, data.size(), *pixels, session);
}

std::vector<std::string> files_read(const CellsOptions& options) {
  std::vector<std::string> files = options.inputs;
  files.insert(files.end(), options.channels.begin(), options.channels.end());
  for (const Operation& step : options.steps) {
    for (std::string& file : files_of(step)) files.push_back(std::move(file));
  }
  if (!options.truth.empty()) files.push_back(options.truth);
  return files;
}

Status write_files(const CellsOptions& options, const std::vector<TableFile>& files,
                   Session& session) {
  const std::vector<std::string> inputs = files_read(options);
  for (const TableFile& file : files) {
    if (Status ok = check_output(file.path, inputs, session); !ok) return ok;
  }
  if (Status ok = session.timed("write", [&] { return write_tables(files); }); !ok) return ok;
  auto names = Json::array();
  for (const TableFile& file : files) names.push_back(file.path.string());
  session.report()["csv"] = names.size() == 1 ? names.front() : names;
  return {};
}

Status save_steps(const CellsOptions& options, const InputOptions& input, Session& session) {
  if (!input.voxel_size.empty()) {
    return Error{"a recipe cannot hold a voxel size", "--voxel-size",
                 "leave it out, or write the labels instead of a recipe"};
  }
  if (!options.csv.empty() || !options.truth.empty()) {
    return Error{"a recipe is written without running it, so there is nothing for a table",
                 options.output, "leave --csv and --truth out, or write the labels"};
  }
  const auto info = inspect_input(input, session.context());
  if (!info) return info.error();
  const std::vector<Operation> steps =
      all_steps(options, input, info->is_apr, info->size, info->voxel);
  auto described = Json::array();
  for (const Operation& step : steps) described.push_back(describe(step));
  session.report()["steps"] = std::move(described);
  session.report()["output"] = options.output;
  return save_recipe({input.path, input.channel, input.time, steps}, options.output);
}

Status one_file(const CellsOptions& options, Session& session) {
  const std::vector<std::string> inputs = files_read(options);
  for (const std::string& output : {options.output, options.csv}) {
    if (output.empty()) continue;
    if (Status ok = check_output(output, inputs, session); !ok) return ok;
  }
  // Said before anything is computed.
  if (is_zarr_name(options.output)) {
    return Error{"cannot be written: labels are not written as OME-Zarr", options.output,
                 "write a .tif or .mrc"};
  }
  InputOptions input = options.input;
  input.path = options.inputs.front();
  if (!options.output.empty() && output_kind(options.output, kCellsOutputs) == OutputKind::recipe) {
    return save_steps(options, input, session);
  }
  const auto found = find_cells(options, input, session);
  if (!found) return found.error();
  Json& report = session.report();
  report["input"] = input.path;
  report["method"] = options.find.method();
  report["steps"] = Json::array();
  // With the numbers that were chosen.
  for (const Operation& step : found->run.steps) report["steps"].push_back(describe(step));
  report["step_seconds"] = Json::array();
  for (const StepCost& cost : found->run.costs) report["step_seconds"].push_back(cost.seconds);
  session.describe_devices(found->run.costs, report);
  if (found->row.contains("background_share") && options.find.method() == "watershed") {
    report["try"] =
        "--method distance (bright objects), --dark (dark walls) or --method fill (a "
        "stained shell)";
  }
  if (session.options().json) {
    for (const auto& [key, value] : found->row.items()) report[key] = value;
    describe_measured(found_in(found->run), report);
  } else {
    report["result"] = cells_text(found->row);
    report["notes"] = found->row["notes"];
  }
  if (!options.truth.empty()) {
    if (Status ok = compare_result(options, *found->run.data, session); !ok) return ok;
  }
  if (!options.output.empty()) {
    // Those that were kept are labels, too.
    const bool tiff = output_kind(options.output, kCellsOutputs) == OutputKind::tiff;
    Status saved = tiff ? save_labels(*found->run.data, options.output, session)
                        : save_output(found->run.data->data(), options.output, session);
    if (!saved) return saved;
  }
  return found->tables.empty() ? Status() : write_files(options, found->tables, session);
}

// Tables of all files as one each.
Result<std::vector<TableFile>> stacked_files(
    const std::vector<std::pair<std::string, std::vector<TableFile>>>& of_files) {
  std::vector<TableFile> files;
  for (std::size_t i = 0; !of_files.empty() && i < of_files.front().second.size(); ++i) {
    std::vector<std::pair<std::string, Table>> tables;
    for (const auto& [input, all] : of_files) tables.emplace_back(input, all[i].table);
    Table all = stacked(tables, "file", "File");
    if (all.columns.empty()) {
      return Error{"cannot hold cells of all files: their columns or units differ",
                   of_files.front().second[i].path.string(),
                   "choose files with the same unit of length, or give --voxel-size"};
    }
    all.id = tables.front().second.id;
    files.push_back({of_files.front().second[i].path, std::move(all)});
  }
  return files;
}

Status many_files(const CellsOptions& options, Session& session) {
  namespace fs = std::filesystem;
  const std::vector<std::string> inputs = files_read(options);
  if (!options.csv.empty()) {
    if (Status ok = check_output(options.csv, inputs, session); !ok) return ok;
  }
  if (!options.output.empty()) {
    std::error_code code;
    fs::create_directory(options.output, code);
    if (!fs::is_directory(options.output, code)) {
      return Error{"cannot be made a folder", options.output,
                   "give an existing folder, or a new one in an existing folder"};
    }
  }
  const std::vector<std::string> names = result_names(options.inputs);
  std::vector<std::pair<std::string, std::vector<TableFile>>> tables;
  std::size_t failed = 0;
  std::string first;
  Json& rows = session.report()["rows"] = Json::array();
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    InputOptions input = options.input;
    input.path = options.inputs[i];
    fs::path output;
    const auto one = [&]() -> Result<FoundCells> {
      auto found = find_cells(options, input, session);
      if (!found || options.output.empty()) return found;
      const Dataset& data = *found->run.data;
      output = fs::path(options.output) / (names[i] + (data.is_apr() ? ".apr" : "-labels.tif"));
      if (Status ok = check_output(output, inputs, session); !ok) return ok.error();
      const Status saved = session.timed("write", [&] {
        return data.is_apr() ? write_apr(data.apr(), output, {}, session.context())
                             : write_labels_of(data, output, session.context());
      });
      if (!saved) return saved.error();
      return found;
    };
    auto found = one();
    if (!found && found.error().cancelled()) return found.error();
    Json row = Json::object();
    row["file"] = input.path;
    if (found) {
      const Json& cells = found->row;
      if (session.options().json) {
        for (const auto& [key, value] : cells.items()) row[key] = value;
      } else {
        row["result"] = cells_text(cells);
      }
      row["output"] = output.string();
      row["error"] = "";
      tables.emplace_back(input.path, std::move(found->tables));
    } else {
      if (!session.options().json) row["result"] = "";
      row["output"] = "";
      row["error"] = found.error().message();
      if (failed++ == 0) first = found.error().message();
    }
    rows.push_back(std::move(row));
  }
  session.report()["failed"] = failed;
  if (!options.csv.empty() && !tables.empty()) {
    const auto files = stacked_files(tables);
    if (!files) return files.error();
    if (Status ok = write_files(options, *files, session); !ok) return ok;
  }
  if (failed == 0) return {};
  // The rows tell what did come of the others.
  session.finish();
  return Error{
      first,
      std::to_string(failed) + " of " + std::to_string(options.inputs.size()) + " files failed",
      ""};
}

void check_usage(CellsOptions& options) {
  // Labels are measured on the image that is named with them, else by themselves.
  if (options.inputs.empty() && !options.find.labels_file().empty()) {
    options.inputs.push_back(options.channels.empty() ? options.find.labels_file()
                                                      : options.channels.front());
  }
  if (options.inputs.empty()) wrong_usage("IN", "name an image");
  if (!options.csv.empty() && std::filesystem::path(options.csv).extension() != ".csv") {
    wrong_usage("--csv", options.csv + " does not end in .csv");
  }
  if (options.csv.empty() && options.contacts) wrong_usage("--contacts", "goes with --csv");
  const bool several = options.inputs.size() > 1;
  if (several && !options.truth.empty()) wrong_usage("--truth", "goes with one file");
  if (several && !options.channels.empty()) {
    wrong_usage("--channels", "goes with one file; --all-channels takes those of each");
  }
  if (!several && !options.output.empty()) output_kind(options.output, kCellsOutputs);
}

}  // namespace

void add_cells(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "cells", "Find cells, measure them, and compare labels: labels, a table, or both");
  auto options = std::make_shared<CellsOptions>();
  command->add_option("IN", options->inputs,
                      format_names() +
                          " files; FILE.h5:/path picks a volume of an HDF5 file; with "
                          "--truth alone: an image of labels");
  options->input.add_series_to(*command);
  options->input.add_voxel_size(*command);
  add_output(
      *command, options->output,
      "The labels: .tif, .mrc (u16 where they fit, else u32), .apr (of particles), or .json: the "
      "recipe, without running; a folder for those of several inputs",
      false);
  command
      ->add_option("--csv", options->csv,
                   "The table, a row a cell; of several inputs one, with the input before each row")
      ->type_name("FILE.csv");
  command
      ->add_option("--truth", options->truth,
                   "True labels to compare with: those of IN, or, with --method or --labels, those "
                   "that are found")
      ->type_name("FILE");
  options->find.add_to(*command);
  command
      ->add_option("--channels", options->channels,
                   "Also measure the grey values of all channels of these files, of the size of "
                   "IN, with columns of their names (with --labels and without IN: the first is "
                   "IN)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE,…");
  command->add_flag("--all-channels", options->all_channels,
                    "Also measure the grey values of all other channels of IN");
  command->add_flag("--slices", options->slices,
                    "Also the area and perimeter of each label in each slice, in NAME-slices.csv "
                    "(with --per-slice, too)");
  command->add_flag("--dark-walls", options->dark_walls,
                    "With --walls of labels made elsewhere: walls are darker than cells");
  command->add_flag("--walls", options->walls,
                    "Also grey values on the wall of each cell, and with --contacts between two: "
                    "median, deviation, and where they are weakest");
  command->add_flag("--contacts", options->contacts,
                    "Also which cells touch, in NAME-contacts.csv");
  command->add_flag("--as-pixels", options->as_pixels,
                    "Reconstruct the pixels of an APR first (default: cells of its particles)");
  command->callback([options, &chosen] {
    check_usage(*options);
    if (!options->truth.empty() && !options->find.asked()) {
      chosen.run = [options](Session& session) { return compare_files(*options, session); };
      return;
    }
    options->steps = options->find.steps();
    options->slices = options->slices || options->find.per_slice();
    chosen.run = [options](Session& session) {
      return options->inputs.size() > 1 ? many_files(*options, session)
                                        : one_file(*options, session);
    };
  });
}

}  // namespace aprscope::cli

// Cells: from images to labels and a table, with operations that a recipe can replay.
#include <algorithm>

#include "app/cli/commands/cell_agreement.hpp"
#include "app/cli/commands/cell_report.hpp"
#include "app/cli/commands/cell_run.hpp"
#include "app/cli/commands/cell_series.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/series.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/formats.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/pipeline/batch.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

Status save_steps(const CellsOptions& options, const InputOptions& input, Session& session) {
  if (!input.voxel_size.empty()) {
    return Error{"a recipe cannot hold a voxel size", "--voxel-size",
                 "leave it out, or write the labels instead of a recipe"};
  }
  if (!options.csv.empty() || !options.truth.empty() || !options.check.empty()) {
    return Error{"a recipe is written without running it, so there is nothing for a table",
                 options.output, "leave --csv, --truth and --check out, or write the labels"};
  }
  const auto info = inspect_input(input, session.context());
  if (!info) return info.error();
  const auto steps =
      cell_operations(options, input, info->is_apr, info->size, info->voxel, session.context());
  if (!steps) return steps.error();
  auto described = Json::array();
  for (const Operation& step : *steps) described.push_back(describe(step));
  session.report()["steps"] = std::move(described);
  session.report()["output"] = options.output;
  return save_recipe({input.path, input.channel, input.time, *steps}, options.output);
}

Status one_file(const CellsOptions& options, Session& session) {
  const std::vector<std::string> inputs = files_for_cells(options);
  for (const std::string& output : {options.output, options.csv}) {
    if (output.empty()) continue;
    if (Status ok = check_output(output, inputs, session); !ok) return ok;
  }
  // Checked before the computation.
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
  // Listed with the values that automatic parameters got.
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
  if (!options.check.empty()) {
    if (Status ok = check_against_pixels(options, *found->run.data, session); !ok) return ok;
  }
  if (!options.truth.empty()) {
    if (Status ok = compare_result(options, *found->run.data, session); !ok) return ok;
  }
  if (!options.output.empty()) {
    // A TIFF gets the labels, also those that the data had before.
    const bool tiff = output_kind(options.output, kCellsOutputs) == OutputKind::tiff;
    Status saved = tiff ? save_labels(*found->run.data, options.output, session)
                        : save_output(found->run.data->data(), options.output, session);
    if (!saved) return saved;
  }
  return found->tables.empty() ? Status() : write_cell_tables(options, found->tables, session);
}

void check_usage(CellsOptions& options) {
  // Labels without an image are measured by themselves: the file of labels is the input.
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
  if (several && !options.check.empty()) wrong_usage("--check", "goes with one file");
  if (!options.check.empty() && options.as_pixels) {
    wrong_usage("--check", "is for cells of particles: leave --as-pixels out");
  }
  if (several && !options.channels.empty()) {
    wrong_usage("--channels", "goes with one file; --all-channels takes those of each");
  }
  if (options.follow && options.times.empty()) wrong_usage("--follow", "goes with --times");
  if (!options.times.empty()) {
    if (several) wrong_usage("--times", "goes with one file");
    if (std::filesystem::path(options.output).has_extension()) {
      wrong_usage("--output", "labels of several time points go into a folder");
    }
    if (!options.truth.empty()) wrong_usage("--truth", "goes with one time point");
    if (!options.check.empty()) wrong_usage("--check", "goes with one time point");
    if (options.input.time != 0) wrong_usage("--time", "leave it out beside --times");
    return;
  }
  if (!several && !options.output.empty()) output_kind(options.output, kCellsOutputs);
}

}  // namespace

void add_cells(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "cells", "Find cells, measure them, and compare labels; writes labels, a table, or both");
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
                   "Table with a row for each cell; several inputs share one table, with the input "
                   "in each row")
      ->type_name("FILE.csv");
  command
      ->add_option("--truth", options->truth,
                   "File of true labels to compare with the labels of IN (with --method or "
                   "--labels: with those that are found or read)")
      ->type_name("FILE");
  options->find.add_to(*command);
  command
      ->add_option("--channels", options->channels,
                   "Files of the size of IN whose channels are measured, too, in columns of their "
                   "names (with --labels and without IN, the first file stands for IN)")
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
  command
      ->add_option("--times", options->times,
                   "Cells of several time points: all, or FIRST-LAST from 0 on; one table with a "
                   "column for the time, labels into a folder")
      ->check(check_range)
      ->type_name("all|FIRST-LAST");
  command->add_flag("--follow", options->follow,
                    "With --times: a cell keeps its number where it overlaps with a cell of the "
                    "time point before by at least a tenth of their union, best pairs first");
  command
      ->add_option("--check", options->check,
                   "Also find cells on this image, which the particles were made from, in the same "
                   "way, and say what the conversion changed: cells, volumes, overlap, leaks")
      ->type_name("FILE");
  command->callback([options, &chosen] {
    check_usage(*options);
    if (!options->truth.empty() && !options->find.asked()) {
      // Only compares labels, so there is nothing to write.
      for (const auto& [name, file] :
           {std::pair("--csv", options->csv), std::pair("--output", options->output)}) {
        if (!file.empty()) {
          wrong_usage(name, "--truth alone compares labels; add --method or --labels");
        }
      }
      chosen.run = [options](Session& session) { return compare_files(*options, session); };
      return;
    }
    options->steps = options->find.steps();
    options->slices = options->slices || options->find.per_slice();
    chosen.run = [options](Session& session) {
      if (!options->times.empty()) return cells_of_times(*options, session);
      return options->inputs.size() > 1 ? cells_of_files(*options, session)
                                        : one_file(*options, session);
    };
  });
}

}  // namespace aprscope::cli

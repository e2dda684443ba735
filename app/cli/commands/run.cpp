#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/projection_output.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/formats.hpp"
#include "core/operations/registry.hpp"
#include "core/pipeline/batch.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

struct RunOptions {
  std::string recipe;
  std::vector<std::string> inputs;
  /// The first input, with channel and time.
  InputOptions input;
  bool channel_given = false;
  bool time_given = false;
  std::string output;
  std::string csv;
};

constexpr std::initializer_list<OutputKind> kRunOutputs{
    OutputKind::apr, OutputKind::tiff, OutputKind::png, OutputKind::csv, OutputKind::recipe};

Json step_seconds(const std::vector<StepCost>& costs) {
  Json seconds = Json::array();
  for (const StepCost& cost : costs) seconds.push_back(cost.seconds);
  return seconds;
}

bool measures(const std::vector<Operation>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Operation& step) {
    return traits_of(step).gives == Gives::measurement;
  });
}

bool projects(const std::vector<Operation>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const Operation& step) { return traits_of(step).gives_projections; });
}

// A recipe that cannot be read is everybody's own affair.
bool is_shared(const RunOptions& options) {
  if (!options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::recipe) {
    return false;
  }
  const auto recipe = load_recipe(options.recipe);
  return recipe && std::any_of(recipe->steps.begin(), recipe->steps.end(),
                               [](const Operation& step) { return traits_of(step).is_shared; });
}

// A recipe names its input as it was seen from where it was saved, or from beside itself.
std::string find_input(const std::string& input, const std::string& recipe) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (fs::path(input).is_absolute() || fs::exists(input, code)) return input;
  const fs::path beside = fs::path(recipe).parent_path() / input;
  return fs::exists(beside, code) ? beside.string() : input;
}

Status replay(const RunOptions& options, Session& session) {
  if (!options.output.empty()) {
    if (Status ok = check_output(options.output, {options.recipe}, session); !ok) return ok;
  }
  auto recipe = load_recipe(options.recipe);
  if (!recipe) return recipe.error();
  InputOptions input = options.input;
  if (input.path.empty()) {
    if (recipe->input.empty()) {
      return Error{"names no input", options.recipe, "give one: run RECIPE.json IN"};
    }
    input.path = find_input(recipe->input, options.recipe);
  }
  std::vector<std::string> inputs{options.recipe, input.path};
  const bool again =
      !options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::recipe;
  // A recipe that is written again goes on to say it in general.
  if (!again) recipe->steps = steps_for(std::move(recipe->steps), input.path);
  if (!options.output.empty()) {
    for (const Operation& step : recipe->steps) {
      for (std::string& file : files_of(step)) inputs.push_back(std::move(file));
    }
    if (projects(recipe->steps)) {
      for (std::string& stack : stacks_of_tables(inputs, session)) {
        inputs.push_back(std::move(stack));
      }
    }
    if (Status ok = check_output(options.output, inputs, session); !ok) return ok;
  }
  const auto check_again = [&](bool with_table) {
    return options.output.empty() ? Status()
                                  : check_outputs(options.output, with_table, {}, inputs, session);
  };
  if (!options.channel_given) input.channel = recipe->channel;
  if (!options.time_given) input.time = recipe->time;
  if (!options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::csv &&
      !measures(recipe->steps)) {
    return Error{"has no step that measures, which a .csv could hold", options.recipe,
                 "write a .tif or .apr, or add such a step"};
  }
  Json steps = Json::array();
  for (const Operation& step : recipe->steps) steps.push_back(describe(step));
  session.report()["steps"] = std::move(steps);
  if (!options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::recipe) {
    recipe->input = input.path;
    recipe->channel = input.channel;
    recipe->time = input.time;
    session.report()["output"] = options.output;
    return save_recipe(*recipe, options.output);
  }
  auto data = load_input(input, session);
  if (!data) return data.error();
  const auto dataset = Dataset::create(*std::move(data));
  const std::vector<std::string> stacks = stacks_of(*dataset);
  inputs.insert(inputs.end(), stacks.begin(), stacks.end());
  if (Status ok = check_again(!stacks.empty() || projects(recipe->steps)); !ok) return ok;
  const auto result = session.timed("run", [&] {
    RunContext run(session.context());
    run.hooks.ranks = session.ranks();
    return execute(recipe->steps, dataset, session.backend(), run);
  });
  if (!result) return result.error();
  session.report()["step_seconds"] = step_seconds(result->costs);
  // With the numbers that were guessed.
  Json done = Json::array();
  for (const Operation& step : result->steps) done.push_back(describe(step));
  session.report()["steps"] = std::move(done);
  session.describe_devices(result->costs, session.report());
  describe_data(result->data->data(), session.report());
  if (!result->measured.empty()) describe_measured(found_in(*result), session.report());
  if (options.output.empty()) return {};
  if (output_kind(options.output, kRunOutputs) == OutputKind::csv) {
    return save_measured(found_in(*result), options.output, inputs, session);
  }
  return save_result(*result->data, recipe->steps, options.output, session);
}

// Several inputs, a table, or a folder to write to.
bool is_batch(const RunOptions& options) {
  std::error_code code;
  return options.inputs.size() > 1 || !options.csv.empty() ||
         (!is_zarr_name(options.output) && std::filesystem::is_directory(options.output, code)) ||
         (!options.output.empty() && options.output.back() == '/');
}

Json to_json(const BatchRow& row, const Session& session) {
  const TotalCost sum = total(row.costs);
  auto json = Json::object();
  json["file"] = row.input;
  json["output"] = row.output.string();
  json["measured"] = Json::array();
  for (const TableFile& file : row.measured) json["measured"].push_back(file.path.string());
  json["read_s"] = row.read_seconds;
  json["steps_s"] = sum.seconds;
  json["step_seconds"] = step_seconds(row.costs);
  json["write_s"] = row.write_seconds;
  json["particles"] = row.particles;
  json["cr"] = row.computational_ratio;
  json["bytes"] = row.bytes;
  json["file_bytes"] = row.file_bytes;
  json["peak_bytes"] = sum.peak_bytes ? Json(*sum.peak_bytes) : Json(nullptr);
  json["backend"] = sum.backend;
  session.describe_devices(row.costs, json);
  json["error"] = row.error;
  return json;
}

Status run_all(const RunOptions& options, Session& session) {
  namespace fs = std::filesystem;
  const fs::path folder = options.output;
  std::error_code code;
  fs::create_directory(folder, code);
  if (!fs::is_directory(folder, code)) {
    return Error{"cannot be made a folder", folder.string(),
                 "give an existing folder, or a new one in an existing folder"};
  }
  if (Status ok = check_output(folder / "result.apr", {}, session); !ok) return ok;
  if (!options.csv.empty()) {
    std::vector<std::string> inputs = options.inputs;
    inputs.push_back(options.recipe);
    if (Status ok = check_output(options.csv, inputs, session); !ok) return ok;
  }
  auto recipe = load_recipe(options.recipe);
  if (!recipe) return recipe.error();
  BatchOptions batch;
  batch.output_folder = folder;
  batch.replace_inputs = session.options().force;
  batch.selection = {options.channel_given ? options.input.channel : recipe->channel,
                     options.time_given ? options.input.time : recipe->time};
  Status table;
  const auto save_table = [&](const std::vector<BatchRow>& rows) {
    // After each file: what stops the program half-way does not take the table with it.
    if (!options.csv.empty()) table = write_text_atomically(options.csv, batch_csv(*recipe, rows));
  };
  const auto rows = session.timed("run", [&] {
    return run_batch(*recipe, options.inputs, batch, session.backend(), session.context(),
                     save_table);
  });
  if (!rows) return rows.error();
  if (!table) return table;
  if (!options.csv.empty()) session.report()["csv"] = options.csv;
  std::string first;
  std::size_t failed = 0;
  session.report()["rows"] = Json::array();
  for (const BatchRow& row : *rows) {
    session.report()["rows"].push_back(to_json(row, session));
    if (row.error.empty()) continue;
    if (failed++ == 0) first = row.error;
  }
  session.report()["failed"] = failed;
  std::vector<StepCost> all;
  for (const BatchRow& row : *rows) all.insert(all.end(), row.costs.begin(), row.costs.end());
  session.describe_devices(all, session.report());
  std::vector<std::string> others;
  if (!options.csv.empty()) others.push_back(options.csv);
  const auto stacked = write_stacked(*rows, batch, std::move(others));
  if (!stacked) return stacked.error();
  for (const fs::path& path : *stacked) session.report()["tables"].push_back(path.string());
  if (failed == 0) return {};
  // The table tells what did come of the others.
  session.finish();
  return Error{first,
               std::to_string(failed) + " of " + std::to_string(rows->size()) +
                   (rows->size() == 1 ? " file failed" : " files failed"),
               ""};
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("run", "Replay a recipe that the window or this program saved");
  auto options = std::make_shared<RunOptions>();
  command->add_option("RECIPE", options->recipe, "The recipe (.json)")->required();
  options->input.add_series_to(*command);
  command->add_option("IN", options->inputs,
                      format_names() + " files; FILE.h5:/path picks a volume of an HDF5 file");
  add_output(
      *command, options->output,
      "The result: .apr, .tif or .mrc (the labels, where the last step gave some) or .png; .csv: "
      "what its "
      "steps measure; or .json: the recipe for IN, without running; a folder for the results of "
      "several inputs",
      false);
  command
      ->add_option("--csv", options->csv,
                   "Table of several runs: seconds of each step, particles, CR, bytes, errors")
      ->type_name("FILE.csv");
  command->callback([options, command, &chosen] {
    options->channel_given = command->get_option("--channel")->count() > 0;
    options->time_given = command->get_option("--time")->count() > 0;
    if (is_batch(*options)) {
      if (options->inputs.empty()) wrong_usage("IN", "name the files to run the recipe on");
      if (options->output.empty()) wrong_usage("--output", "name a folder for the results");
      chosen.run = [options](Session& session) { return run_all(*options, session); };
      return;
    }
    if (!options->output.empty()) output_kind(options->output, kRunOutputs);
    if (!options->inputs.empty()) options->input.path = options->inputs.front();
    chosen.is_shared = [options] { return is_shared(*options); };
    chosen.run = [options](Session& session) { return replay(*options, session); };
  });
}

}  // namespace aprscope::cli

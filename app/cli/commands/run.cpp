#include "app/cli/commands/run_options.hpp"
#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/projection_output.hpp"
#include "app/cli/shared/slab_run.hpp"
#include "app/cli/shared/slurm_script.hpp"
#include "core/io/formats.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

constexpr std::initializer_list<OutputKind> kRunOutputs{
    OutputKind::apr, OutputKind::tiff, OutputKind::png, OutputKind::csv, OutputKind::recipe};

Json step_seconds(const std::vector<StepCost>& costs) {
  Json seconds = Json::array();
  for (const StepCost& cost : costs) seconds.push_back(cost.seconds);
  return seconds;
}

// Steps with the values that guesses were replaced by.
Json described(const std::vector<FileRunReport>& done) {
  Json steps = Json::array();
  for (const FileRunReport& step : done) steps.push_back(describe(step.operation));
  return steps;
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

// Whether processes share the work. Not if the recipe cannot be read: each then reports that.
bool is_shared(const RunOptions& options) {
  if (options.series.given()) return false;
  if (!options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::recipe) {
    return false;
  }
  const auto recipe = load_recipe(options.recipe);
  return recipe && std::any_of(recipe->steps.begin(), recipe->steps.end(),
                               [](const Operation& step) { return traits_of(step).is_shared; });
}

// Finds the input that a recipe names, relative to the present folder or to that of the recipe.
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
  // When only a recipe is written again, its steps are kept in their general form.
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
  if (options.series.given()) {
    if (measures(recipe->steps)) {
      return Error{"has steps that measure, which a file of several parts cannot hold",
                   options.recipe, "leave out --channels and --times, or those steps"};
    }
    if (is_zarr_name(options.output) && ends_in_labels(recipe->steps)) {
      return Error{"cannot be written: labels are not written as OME-Zarr", options.output,
                   "write an .apr, or leave out the steps that find them"};
    }
    if (options.memory > 0) {
      SlabCommand command{input, recipe->steps, options.output, "run"};
      command.run.memory = options.memory;
      return run_series_in_slabs(options.series, command, session);
    }
    return run_series(options.series, input, recipe->steps, options.output, {}, "run", session);
  }
  if (!options.output.empty() && output_kind(options.output, kRunOutputs) == OutputKind::apr &&
      has_apr_ending(input.path) && can_run_in_slabs(recipe->steps)) {
    SlabCommand command{input, recipe->steps, options.output, "run"};
    command.run.memory = options.memory;
    const auto in_slabs = run_in_slabs(std::move(command), session);
    if (!in_slabs) return in_slabs.error();
    if (*in_slabs) {
      session.report()["steps"] = described((*in_slabs)->steps);
      return {};
    }
  }
  // If the input is particles, the first step may need only a part of the file.
  std::optional<SourceInfo> particles;
  if (may_take_part(recipe->steps)) {
    auto info = inspect_input(input, session.context());
    if (!info) return info.error();
    if (info->is_apr) particles = *std::move(info);
  }
  if (particles) {
    if (Status ok = check_again(projects(recipe->steps)); !ok) return ok;
  }
  std::shared_ptr<const Dataset> dataset;
  const std::uint64_t memory =
      memory_to_check(recipe->steps, input.path, options.output, options.memory);
  if (!particles) {
    auto data = load_input(input, session, memory);
    if (!data) return data.error();
    dataset = Dataset::create(*std::move(data));
    const std::vector<std::string> stacks = stacks_of(*dataset);
    inputs.insert(inputs.end(), stacks.begin(), stacks.end());
    if (Status ok = check_again(!stacks.empty() || projects(recipe->steps)); !ok) return ok;
  }
  const auto result = session.timed("run", [&] {
    RunContext run(session.context());
    run.hooks.ranks = session.ranks();
    run.memory = memory;
    return particles ? execute_file(recipe->steps, *particles, {input.channel, input.time},
                                    session.backend(), run)
                     : execute(recipe->steps, dataset, session.backend(), run);
  });
  if (!result) return result.error();
  session.report()["step_seconds"] = step_seconds(result->costs);
  // Listed with the values that guesses were replaced by.
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

// Whether the options are those of a batch: several inputs, a table, a folder as output, and so on.
bool is_batch(const RunOptions& options) {
  std::error_code code;
  return options.inputs.size() > 1 || !options.csv.empty() || !options.part.empty() ||
         !options.submit.empty() || options.skip_done || options.allow_failures ||
         (!is_zarr_name(options.output) && std::filesystem::is_directory(options.output, code)) ||
         (!options.output.empty() && options.output.back() == '/');
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("run", "Replay a recipe that the window or this program saved");
  auto options = std::make_shared<RunOptions>();
  command->add_option("RECIPE", options->recipe, "The recipe (.json)")->required();
  options->input.add_series_to(*command);
  options->series.add_to(*command);
  command->add_option("IN", options->inputs,
                      format_names() + " files; FILE.h5:/path picks a volume of an HDF5 file");
  add_output(
      *command, options->output,
      "The result: .apr, .tif or .mrc (the labels, where the last step gave some) or .png; .csv: "
      "what its "
      "steps measure; or .json: the recipe for IN, without running; a folder for the results of "
      "several inputs",
      false);
  add_memory_option(*command, options->memory, "Run");
  command
      ->add_option("--csv", options->csv,
                   "Table of several runs: seconds of each step, particles, CR, bytes, errors")
      ->type_name("FILE.csv");
  command
      ->add_option("--part", options->part,
                   "Only the K-th of N shares of the files, of about as many bytes each; slurm: "
                   "the share of "
                   "this task of a Slurm array. The table is FILE.partK.csv, see batch merge")
      ->type_name("K/N");
  command->add_flag("--skip-done", options->skip_done,
                    "Leave results that are there already, of the same input by the same steps");
  command->add_flag("--allow-failures", options->allow_failures,
                    "Succeed also where files fail; the table has their reasons");
  command
      ->add_option("--submit", options->submit,
                   "Run it as an array of jobs on a cluster: slurm, with partition, time, mem, "
                   "gpus, cpus, account, qos, constraint, limit (tasks at a time)")
      ->type_name("slurm[:NAME=VALUE,...]");
  command->add_option("--parts", options->parts, "Tasks of --submit; default: up to 20")
      ->type_name("N")
      ->check(CLI::Range(1, kMostParts));
  command->add_flag("--dry-run", options->dry_run,
                    "With --submit: write and show the scripts, and submit nothing");
  command->callback([options, command, &chosen] {
    options->channel_given = command->get_option("--channel")->count() > 0;
    options->time_given = command->get_option("--time")->count() > 0;
    // A script's unset variable gives an empty value; accepting it would run the whole batch here.
    for (const auto& [name, value] :
         {std::pair("--part", &options->part), std::pair("--submit", &options->submit)}) {
      if (command->get_option(name)->count() > 0 && value->empty()) wrong_usage(name, "is empty");
    }
    if (is_batch(*options)) {
      if (options->series.given()) wrong_usage("--channels, --times", "go with one file");
      if (options->memory > 0) wrong_usage("--memory", "goes with one file");
      if (options->inputs.empty()) wrong_usage("IN", "name the files to run the recipe on");
      if (options->output.empty()) wrong_usage("--output", "name a folder for the results");
      if (options->submit.empty()) {
        if (options->dry_run) wrong_usage("--dry-run", "goes with --submit");
        if (options->parts > 0) wrong_usage("--parts", "goes with --submit");
        if (!options->part.empty()) or_wrong_usage("--part", chosen_part(options->part));
        chosen.run = [options](Session& session) { return run_many(*options, session); };
        return;
      }
      if (!options->part.empty()) wrong_usage("--part", "goes without --submit, which makes parts");
      if (!options->csv.empty() && std::filesystem::path(options->csv).extension() != ".csv") {
        wrong_usage("--csv", options->csv + " does not end in .csv");
      }
      or_wrong_usage("--submit", slurm_options(options->submit));
      // The cluster's jobs continue after an interrupt; the user is told how to cancel them.
      chosen.keeps_on_interrupt = true;
      chosen.run = [options](Session& session) { return run_submitted(*options, session); };
      return;
    }
    if (options->dry_run || options->parts > 0) wrong_usage("--submit", "is not given");
    if (!options->output.empty()) output_kind(options->output, kRunOutputs);
    options->series.check(*command, options->output);
    if (!options->inputs.empty()) options->input.path = options->inputs.front();
    // The input that a recipe names is known once it is read.
    check_memory_of_series(options->series,
                           options->inputs.empty() ? options->output : options->input.path,
                           options->output, options->memory);
    chosen.is_shared = [options] { return is_shared(*options); };
    chosen.run = [options](Session& session) { return replay(*options, session); };
  });
}

}  // namespace aprscope::cli

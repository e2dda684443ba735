#include "app/cli/commands.hpp"
#include "app/cli/data_io.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

struct RunOptions {
  std::string recipe;
  InputOptions input;
  bool channel_given = false;
  bool time_given = false;
  std::string output;
};

constexpr std::initializer_list<OutputKind> kOutputs{OutputKind::apr, OutputKind::tiff,
                                                     OutputKind::png, OutputKind::recipe};

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
    if (Status ok = check_output_folder(options.output); !ok) return ok;
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
  if (!options.channel_given) input.channel = recipe->channel;
  if (!options.time_given) input.time = recipe->time;
  Json steps = Json::array();
  for (const Operation& step : recipe->steps) steps.push_back(describe(step));
  session.report()["steps"] = std::move(steps);
  if (!options.output.empty() && output_kind(options.output, kOutputs) == OutputKind::recipe) {
    recipe->input = input.path;
    recipe->channel = input.channel;
    recipe->time = input.time;
    session.report()["output"] = options.output;
    return save_recipe(*recipe, options.output);
  }
  auto data = load_input(input, session);
  if (!data) return data.error();
  const auto result = session.timed("run", [&] {
    return run_recipe(*recipe, *std::move(data), session.backend(), session.context());
  });
  if (!result) return result.error();
  describe_data(*result, session.report());
  return options.output.empty() ? Status() : save_output(*result, options.output, session);
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("run", "Replay a recipe that the window or this program saved");
  auto options = std::make_shared<RunOptions>();
  command->add_option("RECIPE", options->recipe, "The recipe (.json)")->required();
  options->input.add_to(*command, "IN", false);
  add_output(*command, options->output,
             "The result: .apr, .tif or .png, or .json: the recipe for IN, without running", false);
  command->callback([options, command, &chosen] {
    if (!options->output.empty()) output_kind(options->output, kOutputs);
    options->channel_given = command->get_option("--channel")->count() > 0;
    options->time_given = command->get_option("--time")->count() > 0;
    chosen.run = [options](Session& session) { return replay(*options, session); };
  });
}

}  // namespace aprscope::cli

// A command for each operation that measures, made from its schema.
#include "app/cli/commands.hpp"
#include "app/cli/data_io.hpp"
#include "app/cli/options.hpp"
#include "core/operations/registry.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope::cli {
namespace {

struct MeasureOptions {
  InputOptions input;
  SchemaOptions parameters;
  std::string output;
  Operation operation;
};

constexpr std::initializer_list<OutputKind> kOutputs{OutputKind::csv, OutputKind::recipe};

Status measure(const MeasureOptions& options, Session& session) {
  std::vector<std::string> inputs = files_of(options.operation);
  inputs.push_back(options.input.path);
  if (!options.output.empty()) {
    if (Status ok = check_output(options.output, inputs, session); !ok) return ok;
  }
  session.report()["operation"] = describe(options.operation);
  if (!options.output.empty() && output_kind(options.output, kOutputs) == OutputKind::recipe) {
    return save_step(options.input, options.operation, options.output, session);
  }
  auto input = load_input(options.input, session);
  if (!input) return input.error();
  const auto done = session.timed("measure", [&] {
    return execute({options.operation}, Dataset::create(*std::move(input)), session.backend(),
                   session.context());
  });
  if (!done) return done.error();
  describe_measured(found_in(*done), session.report());
  return options.output.empty() ? Status()
                                : save_measured(found_in(*done), options.output, inputs, session);
}

}  // namespace

void add_measures(CLI::App& app, Chosen& chosen) {
  for (const auto& type : operations().all()) {
    if (type->traits.gives != Gives::measurement) continue;
    const OperationSchema& schema = type->schema;
    auto* command = app.add_subcommand(option_name(schema.id).substr(2), schema.help);
    auto options = std::make_shared<MeasureOptions>();
    options->input.add_to(*command);
    options->input.add_voxel_size(*command);
    options->parameters.add_to(*command, schema.id);
    add_output(*command, options->output,
               "What was measured: .csv, a file each where there are several curves and tables, or "
               ".json: the recipe, without running",
               false);
    command->callback([options, &chosen] {
      if (!options->output.empty()) output_kind(options->output, kOutputs);
      options->operation = options->parameters.operation();
      chosen.run = [options](Session& session) { return measure(*options, session); };
    });
  }
}

}  // namespace aprscope::cli

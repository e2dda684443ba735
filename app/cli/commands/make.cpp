// Adds a command, made from its schema, for each operation that makes data and asks for one.
#include <filesystem>
#include <utility>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/projection_output.hpp"
#include "app/cli/shared/second_file.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::cli {
namespace {

struct MakeOptions {
  InputOptions input;
  SchemaOptions parameters;
  std::string output;
  /// The user named a table OUT.star; `output` is the stack written with it.
  bool names_table = false;
  AprWriteOptions file;
  Operation operation;
  ReconstructionFiles beside;
};

constexpr std::initializer_list<OutputKind> kMakeOutputs{OutputKind::apr, OutputKind::tiff,
                                                         OutputKind::png, OutputKind::recipe};

Status save_made(const Execution& done, const MakeOptions& options, Session& session) {
  // With the numbers that automatic values were replaced by.
  session.report()["operation"] = describe(done.steps.back());
  describe_data(done.data->data(), session.report());
  if (Status ok = save_output(done.data->data(), options.output, session, options.file); !ok) {
    return ok;
  }
  return save_reconstruction(*done.data, options.beside, options.output, session);
}

Status make(const MakeOptions& options, Session& session) {
  std::vector<std::string> inputs = files_of(options.operation);
  const bool projects = traits_of(options.operation).gives_projections;
  if (projects) {
    for (std::string& stack : stacks_of_tables(inputs, session)) inputs.push_back(std::move(stack));
  }
  inputs.push_back(options.input.path);
  const std::vector<std::string> beside = options.beside.names(options.output);
  if (Status ok = check_outputs(options.output, projects, beside, inputs, session); !ok) return ok;
  if (options.names_table && !session.options().force && std::filesystem::exists(options.output)) {
    return Error{"exists already, and the images of the table would replace it", options.output,
                 "choose another name, or give --force"};
  }
  const OutputKind kind = output_kind(options.output, kMakeOutputs);
  if (kind == OutputKind::recipe) {
    session.report()["operation"] = describe(options.operation);
    return save_step(options.input, options.operation, options.output, session);
  }
  if (Status ok = check_beside(options.beside, options.output, options.operation); !ok) return ok;
  if (may_take_part({options.operation})) {
    const auto info = inspect_input(options.input, session.context());
    if (!info) return info.error();
    if (info->is_apr) {
      const std::optional<VoxelSize> voxel =
          options.input.voxel_size.empty()
              ? std::nullopt
              : std::optional(chosen_voxel_size(options.input, info->voxel));
      const auto done = session.timed("compute", [&] {
        return execute_file({options.operation}, *info, {options.input.channel, options.input.time},
                            session.backend(), session.context(), voxel);
      });
      return done ? save_made(*done, options, session) : Status(done.error());
    }
  }
  auto input = load_input(options.input, session);
  if (!input) return input.error();
  const auto dataset = Dataset::create(*std::move(input));
  if (kind == OutputKind::apr && !dataset->is_apr()) {
    return no_particles_error(options.output);  // before a long computation
  }
  // The stacks of a table are inputs too, and known only after reading it.
  const std::vector<std::string> stacks = stacks_of(*dataset);
  if (Status ok = check_outputs(options.output, projects, beside, stacks, session); !ok) return ok;
  const auto done = session.timed("compute", [&] {
    RunContext run(session.context());
    run.hooks.ranks = session.ranks();
    return execute({options.operation}, dataset, session.backend(), run);
  });
  return done ? save_made(*done, options, session) : Status(done.error());
}

}  // namespace

void add_makers(CLI::App& app, Chosen& chosen) {
  for (const auto& type : operations().all()) {
    if (!type->traits.has_command) continue;
    const OperationSchema& schema = type->schema;
    auto* command = app.add_subcommand(option_name(schema.id).substr(2), schema.help);
    auto options = std::make_shared<MakeOptions>();
    options->input.add_to(*command);
    options->input.add_voxel_size(*command);
    options->parameters.add_to(*command, schema.id, {}, second_file(schema));
    const bool projects = type->traits.gives_projections;
    add_output(*command, options->output,
               projects
                   ? "The images: .mrcs or .star, a stack with its table beside it; .tif, .mrc, "
                     ".apr or .png, without; .json: the recipe, without running"
                   : "The result: .apr, .tif, .mrc or .png, or .json: the recipe, without "
                     "running");
    if (type->traits.takes_projections) {
      options->beside.add_to(*command);
    } else {
      add_file_options(*command, options->file);
    }
    command->callback([options, projects, &chosen] {
      if (projects) {
        const std::string asked = std::exchange(options->output, stack_of_table(options->output));
        options->names_table = options->output != asked;
      }
      output_kind(options->output, kMakeOutputs);
      options->operation = options->parameters.operation();
      for (const ParameterSpec& spec : find_schema(options->operation.id)->parameters) {
        if (options->parameters.given(spec.id) && !counts(options->operation, spec.id)) {
          throw CLI::ValidationError(option_name(spec.id),
                                     "has no say beside " + describe(options->operation));
        }
      }
      chosen.is_shared = [options] {
        return traits_of(options->operation).is_shared &&
               output_kind(options->output, kMakeOutputs) != OutputKind::recipe;
      };
      chosen.run = [options](Session& session) { return make(*options, session); };
    });
  }
}

}  // namespace aprscope::cli

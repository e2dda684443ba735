#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/series.hpp"
#include "app/cli/shared/slab_run.hpp"
#include "core/operations/filter/stencil_spec.hpp"

namespace aprscope::cli {
namespace {

struct StepOptions {
  InputOptions input;
  SeriesOptions series;
  std::string output;
  AprWriteOptions file;
  std::uint64_t memory = 0;
  std::string spec;
  std::string mode;
  std::string boundary;
  bool normalize = false;
  bool normalize_given = false;
  Operation operation;
};

constexpr std::initializer_list<OutputKind> kFilterOutputs{OutputKind::apr, OutputKind::tiff,
                                                           OutputKind::png, OutputKind::recipe};

// Reads the input, runs one operation and writes the output.
Status run_filter(const StepOptions& options, Session& session) {
  if (Status ok =
          check_output(options.output, {options.input.path, file_of_spec(options.spec)}, session);
      !ok)
    return ok;
  session.report()["operation"] = describe(options.operation);
  if (output_kind(options.output, kFilterOutputs) == OutputKind::recipe) {
    return save_step(options.input, options.operation, options.output, session);
  }
  if (options.series.given() && options.memory > 0) {
    SlabCommand command{options.input, {options.operation}, options.output, "filter"};
    command.run.memory = options.memory;
    command.run.file = options.file;
    return run_series_in_slabs(options.series, command, session);
  }
  if (options.series.given()) {
    return run_series(options.series, options.input, {options.operation}, options.output,
                      options.file, "filter", session);
  }
  const bool to_apr = output_kind(options.output, kFilterOutputs) == OutputKind::apr;
  if (to_apr) {
    SlabCommand command{options.input, {options.operation}, options.output, "filter"};
    command.run.memory = options.memory;
    command.run.file = options.file;
    const auto in_slabs = run_in_slabs(command, session);
    if (!in_slabs) return in_slabs.error();
    if (*in_slabs) return {};
  }
  const std::uint64_t memory =
      memory_to_check({options.operation}, options.input.path, options.output, options.memory);
  auto input = load_input(options.input, session, memory);
  if (!input) return input.error();
  const auto dataset = Dataset::create(*std::move(input));
  if (to_apr && !dataset->is_apr()) {
    return no_particles_error(options.output);  // before a long computation
  }
  const auto result = session.timed("filter", [&] {
    RunContext run(session.context());
    run.memory = memory;
    return execute({options.operation}, dataset, session.backend(), run);
  });
  if (!result) return result.error();
  const Data& data = result->data->data();
  describe_data(data, session.report());
  return save_output(data, options.output, session, options.file);
}

// The operation of --stencil; the other options override its parameters.
Result<Operation> filter_operation(const StepOptions& options) {
  auto operation = parse_stencil_spec(options.spec);
  if (!operation) return operation;
  const auto set = [&](const char* id, ParameterValue value) -> Status {
    if (!operation->parameters.contains(id)) {
      return Error{operation->id + " has no " + id, option_name(id), "leave it out"};
    }
    operation->parameters[id] = std::move(value);
    return {};
  };
  if (!options.mode.empty()) {
    if (Status ok = set("mode", options.mode); !ok) return ok.error();
  }
  if (!options.boundary.empty()) {
    if (Status ok = set("boundary", options.boundary); !ok) return ok.error();
  }
  if (options.normalize_given) {
    if (Status ok = set("normalize", options.normalize); !ok) return ok.error();
  }
  return complete(*operation);
}

Status filter(StepOptions& options, Session& session) {
  if (options.operation.id.empty()) {
    auto operation = filter_operation(options);
    if (!operation) return operation.error();
    options.operation = *std::move(operation);
  }
  return run_filter(options, session);
}

}  // namespace

void add_filter(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("filter", "Filter an image as pixels, or an APR as particles");
  auto options = std::make_shared<StepOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  options->series.add_to(*command);
  add_output(*command, options->output,
             "The result: .apr, .tif, .mrc, .zarr or .png, or .json: the recipe, without running");
  add_file_options(*command, options->file);
  add_memory_option(*command, options->memory, "Filter");
  command
      ->add_option(
          "--stencil", options->spec,
          "gaussian:sigma=2,size=13 | box:size=5 | sharpen:sigma=1,amount=1 | laplacian | "
          "log:sigma=2 | gradient | sobel:axis=x | mean:size=3 | standard_deviation:size=3 "
          "| median:size=3 | min:size=3 | max:size=3 | file:w.json | file:psf.tif; vectors "
          "as sigma=1,2,2 (z, x, y); unit=physical takes sigma in the image's unit")
      ->required()
      ->type_name("SPEC");
  command
      ->add_option("--mode", options->mode,
                   "How the stencil (or the size of a statistic) is applied to coarser levels: "
                   "unchanged (same), averaged over their cells (restricted), or divided by the "
                   "cell width (rescaled; not for statistics)")
      ->check(CLI::IsMember({"same", "restricted", "rescaled"}));
  command
      ->add_option("--boundary", options->boundary,
                   "Values assumed beyond the border of the image: its mirror image (reflect), or "
                   "zeros (zero)")
      ->check(CLI::IsMember({"reflect", "zero"}));
  auto* normalize = command->add_flag("--normalize,!--no-normalize", options->normalize,
                                      "Scale the stencil of each level to sum 1");
  command->callback([options, normalize, command, &chosen] {
    output_kind(options->output, kFilterOutputs);
    options->series.check(*command, options->output);
    check_memory_of_series(options->series, options->input.path, options->output, options->memory);
    options->normalize_given = normalize->count() > 0;
    // A stencil in a file is read later: a mistake in it is an error, but not wrong usage.
    if (options->spec.compare(0, 5, "file:") != 0) {
      options->operation = or_wrong_usage("--stencil", filter_operation(*options));
    }
    // Several processes share what is read and written in slabs.
    chosen.is_shared = [options] {
      return !options->series.given() && has_apr_ending(options->input.path) &&
             has_apr_ending(options->output);
    };
    chosen.run = [options](Session& session) { return filter(*options, session); };
  });
}

}  // namespace aprscope::cli

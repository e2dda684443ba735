// A command for each operation that measures, made from its schema.
#include "app/cli/commands.hpp"
#include "app/cli/data_io.hpp"
#include "app/cli/options.hpp"
#include "core/base/system.hpp"
#include "core/data/paired.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/operations/registry.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope::cli {
namespace {

struct MeasureOptions {
  InputOptions input;
  SchemaOptions parameters;
  std::string output;
  /// Another file, measured the same way.
  std::string beside;
  /// Read slice by slice.
  bool stream = false;
  Operation operation;
};

constexpr std::initializer_list<OutputKind> kOutputs{OutputKind::csv, OutputKind::recipe};

// Slices that are kept at a time while a file is read.
constexpr std::uint64_t kSlices = std::uint64_t{64} << 20U;

// Whether the image is better read slice by slice.
bool too_large(const SourceInfo& info) {
  const std::uint64_t available = available_bytes();
  const std::uint64_t sample = info.dtype == "u8" ? 1 : info.dtype == "u16" ? 2 : sizeof(float);
  return available > 0 &&
         static_cast<std::uint64_t>(info.size.count()) * sample > available / 5 * 4;
}

Result<Measured> measure_streamed(const InputOptions& file, const SourceInfo& info,
                                  const Operation& operation, Session& session) {
  auto source = open_slices(info, {file.channel, file.time});
  if (!source) return source.error();
  const VoxelSize voxel = chosen_voxel_size(file, (*source)->header().voxel);
  auto found = session.timed("measure", [&] {
    return measure_source(operation, **source, voxel, kSlices, session.context());
  });
  if (!found) return found.error();
  session.report()["streamed"] = true;
  return Measured{std::make_shared<const Measurement>(*std::move(found))};
}

// What the operation finds on a file.
Result<Measured> measure_file(const InputOptions& file, const Operation& operation, bool stream,
                              Session& session) {
  if (measures_slices(operation)) {
    const auto info = inspect_input(file, session.context());
    if (!info) return info.error();
    if (!info->is_apr && (stream || too_large(*info))) {
      return measure_streamed(file, *info, operation, session);
    }
  }
  auto input = load_input(file, session);
  if (!input) return input.error();
  const auto done = session.timed("measure", [&] {
    return execute({operation}, Dataset::create(*std::move(input)), session.backend(),
                   session.context());
  });
  if (!done) return done.error();
  return found_in(*done);
}

// Both beside each other.
Result<Measured> measure_both(const MeasureOptions& options, const Measured& first,
                              Session& session) {
  // The same part of it, and the voxel size that was said.
  InputOptions other = options.input;
  other.path = options.beside;
  const auto second = measure_file(other, options.operation, options.stream, session);
  if (!second) return second.error();
  return Measured{std::make_shared<const Measurement>(paired(*first.front(), *second->front()))};
}

Status measure(const MeasureOptions& options, Session& session) {
  std::vector<std::string> inputs = files_of(options.operation);
  inputs.push_back(options.input.path);
  if (!options.beside.empty()) inputs.push_back(options.beside);
  if (!options.output.empty()) {
    if (Status ok = check_output(options.output, inputs, session); !ok) return ok;
  }
  session.report()["operation"] = describe(options.operation);
  const bool recipe =
      !options.output.empty() && output_kind(options.output, kOutputs) == OutputKind::recipe;
  if (recipe && (options.stream || !options.beside.empty())) {
    return Error{"a recipe holds neither a second file nor how files are read", options.output,
                 "leave --beside and --stream out, or write a .csv"};
  }
  if (recipe) {
    return save_step(options.input, options.operation, options.output, session);
  }
  auto found = measure_file(options.input, options.operation, options.stream, session);
  if (!found) return found.error();
  if (!options.beside.empty()) {
    found = measure_both(options, *found, session);
    if (!found) return found.error();
  }
  describe_measured(*found, session.report());
  return options.output.empty() ? Status() : save_measured(*found, options.output, inputs, session);
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
    command
        ->add_option("--beside", options->beside,
                     "Another file, measured the same way: curves of both on common values, and "
                     "what they differ by")
        ->type_name("FILE");
    if (measures_slices({schema.id, {}})) {
      command->add_flag(
          "--stream", options->stream,
          "Read the image slice by slice, in about 64 MB (six slices at the least), to "
          "the same numbers; done anyway where it does not fit in memory");
    }
    command->callback([options, &chosen] {
      if (!options->output.empty()) output_kind(options->output, kOutputs);
      options->operation = options->parameters.operation();
      chosen.run = [options](Session& session) { return measure(*options, session); };
    });
  }
}

}  // namespace aprscope::cli

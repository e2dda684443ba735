// Adds a command, made from its schema, for each operation that measures.
#include <algorithm>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/second_file.hpp"
#include "core/base/system.hpp"
#include "core/data/paired.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/measure/comparison.hpp"
#include "core/operations/measure/measure_source.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/file_execution.hpp"
#include "core/pipeline/file_measurement.hpp"

namespace aprscope::cli {
namespace {

struct MeasureOptions {
  InputOptions input;
  SchemaOptions parameters;
  std::string output;
  /// A second file to measure in the same way.
  std::string beside;
  /// Reads the file slice by slice.
  bool stream = false;
  /// Bytes that it may take; 0: within what is free.
  std::uint64_t memory = 0;
  /// Reconstructs particles first: constant in each cell, or smooth.
  bool as_pixels = false;
  bool smooth = false;
  Operation operation;
};

constexpr std::initializer_list<OutputKind> kMeasureOutputs{OutputKind::csv, OutputKind::recipe};

// Bytes of slices that are kept at a time while a file is read.
constexpr std::uint64_t kSlices = std::uint64_t{64} << 20U;

// What data may take in memory; 0 where nobody knows.
std::uint64_t budget(const MeasureOptions& options) {
  return options.memory > 0 ? options.memory : available_bytes() / 5 * 4;
}

// Bytes of pieces, tunnels and voids for each pixel; for each particle twice as many.
constexpr std::uint64_t kBytesOfPieces = 16;

// Whether the image is so large that it is better read slice by slice. What takes more than its
// pixels counts where a number is to be kept.
bool beyond_memory(const SourceInfo& info, const MeasureOptions& options) {
  const std::uint64_t most = budget(options);
  std::uint64_t sample = info.dtype == "u8" ? 1 : info.dtype == "u16" ? 2 : sizeof(float);
  if (options.memory > 0 && !measures_parts(options.operation)) sample += kBytesOfPieces;
  return most > 0 && static_cast<std::uint64_t>(info.size.count()) * sample > most;
}

Result<Measured> measure_streamed(const InputOptions& file, const SourceInfo& info,
                                  const MeasureOptions& options, Session& session) {
  auto source = open_slices(info, {file.channel, file.time});
  if (!source) return source.error();
  const VoxelSize voxel = chosen_voxel_size(file, (*source)->header().voxel);
  auto found = session.timed("measure", [&] {
    const std::uint64_t slices = options.memory > 0 ? std::min(kSlices, options.memory) : kSlices;
    return measure_source(options.operation, **source, voxel, slices, session.context());
  });
  if (!found) return found.error();
  session.report()["streamed"] = true;
  return Measured{std::make_shared<const Measurement>(*std::move(found))};
}

// None: the file cannot be read in parts.
Result<std::optional<Measured>> measure_planes(const InputOptions& input, const SourceInfo& info,
                                               const MeasureOptions& options, Session& session) {
  std::optional<VoxelSize> voxel;
  if (!input.voxel_size.empty()) voxel = chosen_voxel_size(input, info.voxel);
  auto found = session.timed("measure", [&] {
    return measure_in_parts(options.operation, info, {input.channel, input.time}, options.memory,
                            voxel, session.context());
  });
  if (!found) return found.error();
  if (!*found) return std::optional<Measured>();
  session.report()["streamed"] = true;
  return std::optional<Measured>(Measured{std::make_shared<const Measurement>(**std::move(found))});
}

// Whether the particles take so much memory that they are better read some planes at a time.
bool particles_beyond_memory(const InputOptions& file, const SourceInfo& info,
                             const MeasureOptions& options) {
  std::uint64_t most = budget(options);
  if (most == 0) return false;
  if (options.memory > 0 && (options.as_pixels || options.smooth) &&
      static_cast<std::uint64_t>(info.size.count()) * sizeof(float) > most) {
    return true;
  }
  // A particle takes ten bytes or so.
  if (options.memory > 0 && !measures_parts(options.operation)) most /= 4;
  return !particles_fit(info, {file.channel, file.time}, most);
}

// Reconstructs particles if the user asked for pixels.
Result<Data> with_pixels(Data data, const MeasureOptions& options, Session& session) {
  if (!std::holds_alternative<Apr>(data) || (!options.as_pixels && !options.smooth)) return data;
  return session.timed("reconstruct", [&]() -> Result<Data> {
    const auto particles = Dataset::create(std::move(data));
    auto pixels = as_pixels(
        *particles, options.smooth ? ReconstructionMode::smooth : ReconstructionMode::constant,
        session.context());
    if (!pixels) return pixels.error();
    Volume volume;
    volume.pixels = *std::move(pixels);
    volume.voxel = particles->voxel();
    volume.name = particles->name() +
                  (options.smooth ? ", smooth reconstruction" : ", constant reconstruction");
    volume.channel = particles->apr().channel;
    session.report()["reconstructed"] = options.smooth ? "smooth" : "constant";
    return Data(std::move(volume));
  });
}

// Measures one file.
Result<Measured> measure_file(const InputOptions& file, const MeasureOptions& options,
                              Session& session) {
  const Operation& operation = options.operation;
  if (measures_slices(operation)) {
    const auto info = inspect_input(file, session.context());
    if (!info) return info.error();
    if (!info->is_apr &&
        (options.stream || (reads_slices(*info) && beyond_memory(*info, options)))) {
      return measure_streamed(file, *info, options, session);
    }
  }
  if (measures_files(operation)) {
    const auto info = inspect_input(file, session.context());
    if (!info) return info.error();
    const bool as_pixels = options.as_pixels || options.smooth;
    // What cannot be done in parts says so where a number was given to keep to.
    const bool in_parts =
        options.stream || ((measures_parts(operation) || options.memory > 0) && info->is_apr &&
                           particles_beyond_memory(file, *info, options));
    if (info->is_apr && as_pixels && in_parts && (options.stream || options.memory > 0)) {
      return Error{"is read in parts as particles only", file.path,
                   "leave --stream and --memory, or --as-pixels and --smooth, out"};
    }
    if (info->is_apr && !as_pixels && in_parts) {
      auto planes = measure_planes(file, *info, options, session);
      if (!planes) return planes.error();
      if (*planes) return **std::move(planes);
      if (options.stream || options.memory > 0) {
        return Error{"has a layout that cannot be read in parts", file.path,
                     "leave --stream and --memory out"};
      }
    }
  }
  auto input = load_input(file, session);
  if (!input) return input.error();
  input = with_pixels(*std::move(input), options, session);
  if (!input) return input.error();
  const auto done = session.timed("measure", [&] {
    return execute({operation}, Dataset::create(*std::move(input)), session.backend(),
                   session.context());
  });
  if (!done) return done.error();
  return found_in(*done);
}

// Measures the second file and puts both results beside each other.
Result<Measured> measure_both(const MeasureOptions& options, const Measured& first,
                              Session& session) {
  // The same channel and time of the other file, and the same voxel size if one was given.
  InputOptions other = options.input;
  other.path = options.beside;
  const auto second = measure_file(other, options, session);
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
      !options.output.empty() && output_kind(options.output, kMeasureOutputs) == OutputKind::recipe;
  if (recipe && (options.stream || options.memory > 0 || options.as_pixels || options.smooth ||
                 !options.beside.empty())) {
    return Error{
        "a recipe holds neither a second file nor how files are read", options.output,
        "leave --beside, --stream, --memory, --as-pixels and --smooth out, or write a .csv"};
  }
  if (recipe) {
    return save_step(options.input, options.operation, options.output, session);
  }
  auto found = measure_file(options.input, options, session);
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
    // Operations that need labels have a command of their own: `cells`.
    if (type->traits.gives != Gives::measurement || type->traits.takes_labels) continue;
    const OperationSchema& schema = type->schema;
    const std::string name = option_name(schema.id).substr(2);
    // Skip operations that have a hand-written command.
    const auto same = [&](const CLI::App* each) { return each->get_name() == name; };
    if (!app.get_subcommands(same).empty()) continue;
    auto* command = app.add_subcommand(name, schema.help);
    auto options = std::make_shared<MeasureOptions>();
    options->input.add_to(*command);
    options->input.add_voxel_size(*command);
    options->parameters.add_to(*command, schema.id, {}, second_file(schema));
    command
        ->add_option("-o,--output,--csv", options->output,
                     "What was measured: .csv, a file each where there are several curves and "
                     "tables, or .json: the recipe, without running")
        ->type_name("OUT");
    command
        ->add_option("--beside", options->beside,
                     "Another file to measure in the same way, to compare the curves of both and "
                     "report how they differ")
        ->type_name("FILE");
    auto* constant = command->add_flag(
        "--as-pixels", options->as_pixels,
        "Reconstruct particles first, each cell with its particle's value, as a check");
    command
        ->add_flag("--smooth", options->smooth,
                   "Reconstruct particles first, smoothly: what is measured is the image that is "
                   "seen, not the particles")
        ->excludes(constant);
    if (measures_slices({schema.id, {}})) {
      const std::string particles = measures_files({schema.id, {}})
                                        ? "Particles of an .apr are read some planes at a time"
                                        : "Particles are in memory in any case";
      command->add_flag("--stream", options->stream,
                        "Read the image slice by slice, in about 64 MB (six slices at the least), "
                        "to the same numbers; done anyway where it does not fit in memory. " +
                            particles);
      command
          ->add_option("--memory", options->memory,
                       "Read in parts what takes more than this, as 1GB, and keep to it; without "
                       "it, within what is free")
          ->transform(CLI::AsSizeValue(true))
          ->type_name("SIZE");
    }
    command->callback([options, &chosen] {
      if (!options->output.empty()) output_kind(options->output, kMeasureOutputs);
      options->operation = options->parameters.operation();
      chosen.run = [options](Session& session) { return measure(*options, session); };
    });
  }
}

}  // namespace aprscope::cli

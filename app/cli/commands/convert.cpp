#include <algorithm>
#include <cmath>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/series.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/conversion_result.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/report.hpp"
#include "core/base/system.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/file_conversion.hpp"
#include "core/pipeline/series.hpp"

namespace aprscope::cli {
namespace {

struct ConvertOptions {
  InputOptions input;
  SeriesOptions series;
  std::string output;
  SchemaOptions schema;
  Operation operation;
  bool no_error_report = false;
  bool stream = false;
  // Memory that a conversion may take, in bytes; 0: most of what is free.
  std::uint64_t memory = 0;
  AprWriteOptions file;
};

// Whether only the recipe is to be written; else particles, as .apr or with levels as OME-Zarr.
bool writes_recipe(const std::string& output) {
  if (is_zarr_name(output)) return false;
  return output_kind(output, {OutputKind::apr, OutputKind::recipe}) == OutputKind::recipe;
}

// Reports the largest |I − Î| / σ and its position.
Status report_error(const Dataset& image, const Apr& apr, const Operation& operation,
                    Session& session) {
  return session.timed("error_report", [&]() -> Status {
    const auto parameters = conversion_parameters(operation, image.voxel());
    const auto scale = compute_gradient_scale(image.volume(), parameters, session.context());
    if (!scale) return scale.error();
    const auto error = relative_error(image.volume(), apr, *scale, apr.parameters.sigma_th,
                                      parameters.intensity_th, session.context());
    if (!error) return error.error();
    // Without pixels above the intensity threshold there is no error; JSON has no infinity for it.
    const bool number = error->known && std::isfinite(error->largest);
    session.report()["max_relative_error"] = number ? Json(error->largest) : Json(nullptr);
    session.report()["max_relative_error_at"] =
        error->known ? to_json(error->where) : Json(nullptr);
    auto used = parameters;
    used.sigma_th = apr.parameters.sigma_th;
    used.grad_th = apr.parameters.grad_th;
    const auto share = [](std::uint64_t part, std::uint64_t of) {
      return of > 0 ? Json(static_cast<double>(part) / static_cast<double>(of)) : Json(nullptr);
    };
    // Shares: pixels within the bound; pixels it is promised for; and of these, those within it.
    session.report()["within_bound"] = share(error->within, error->pixels);
    session.report()["bound_promised"] = share(error->promised, error->pixels);
    session.report()["within_bound_where_promised"] =
        share(error->promised_within, error->promised);
    // Up to this relative error only the thresholds decide where particles are.
    const double idle = idle_relative_error(*scale, used);
    session.report()["idle_relative_error"] = std::isfinite(idle) ? Json(idle) : Json(nullptr);
    return {};
  });
}

// Adds what describe_data() reports of particles in memory.
void describe_conversion(const FileConversionReport& made, Json& report) {
  const int level_max = static_cast<int>(made.particles_per_level.size()) - 1;
  int level_min = 1;
  while (made.particles_per_level[static_cast<std::size_t>(level_min)] == 0) ++level_min;
  constexpr const char* names[] = {"u8", "u16", "f32"};
  const double pixels = static_cast<double>(made.size.count());
  report["size"] = to_json(made.size);
  report["voxel_size"] = to_json(made.facts.voxel);
  report["dtype"] = names[static_cast<std::size_t>(made.kind)];
  report["levels"] = {{"min", level_min}, {"max", level_max}};
  report["particles"] = made.particles;
  Json levels = Json::object();
  for (std::size_t level = 1; level < made.particles_per_level.size(); ++level) {
    levels[std::to_string(level)] = made.particles_per_level[level];
  }
  report["particles_per_level"] = std::move(levels);
  report["cr"] = pixels / static_cast<double>(made.particles);
  report["bytes"] = made.bytes;
  report["pixel_bytes"] = static_cast<std::uint64_t>(made.size.count()) * sample_bytes(made.kind);
  report["fields"] = Json::array({kParticlesField});
  const std::string& channel = made.facts.channel;
  report["channels"] = Json::array({channel.empty() ? "0" : channel});
  report["times"] = 1;
  if (made.continued) report["continued"] = "with the cells of a run that did not end";
  report["sigma_th"] = made.facts.parameters.sigma_th;
  report["grad_th"] = made.facts.parameters.grad_th;
}

// Whether a conversion in memory would take more than `memory`; 0: leave too little for others.
bool too_large(const SourceInfo& info, std::uint64_t memory) {
  if (memory == 0) memory = available_bytes() / 5 * 4;
  const std::size_t sample = info.dtype == "u8" ? 1 : info.dtype == "u16" ? 2 : sizeof(float);
  return !info.is_apr && memory > 0 && conversion_bytes(info.size, sample) > memory;
}

FileConversion file_conversion(const ConvertOptions& options, const SourceInfo& info) {
  FileConversion how;
  how.convert = options.operation;
  how.file = options.file;
  how.memory = options.memory;
  if (!options.input.voxel_size.empty()) {
    how.voxel = chosen_voxel_size(options.input, info.voxel);
  }
  return how;
}

// Converts slice by slice from one file to the other.
Status convert_file(const ConvertOptions& options, const SourceInfo& info, SliceSource& source,
                    Session& session) {
  const auto made = session.timed("convert", [&] {
    return convert_to_file(file_conversion(options, info), source, options.output,
                           session.context());
  });
  if (!made) return made.error();
  describe_conversion(*made, session.report());
  describe_output(options.output, session);
  return {};
}

// Reads slice by slice and gives particles in memory.
Result<Apr> convert_from(SliceSource& source, const ConvertOptions& options,
                         const JobContext& context) {
  const VoxelSize voxel = chosen_voxel_size(options.input, source.header().voxel);
  return convert_source(options.operation, source, voxel, context, options.memory);
}

// Converts slice by slice, reading from the file.
Status convert_streamed(const ConvertOptions& options, const SourceInfo& info, Session& session) {
  auto source = open_slices(info, {options.input.channel, options.input.time});
  if (!source) return source.error();
  session.report()["streamed"] = true;
  if (!is_zarr_name(options.output) && converts_to_file((*source)->size())) {
    return convert_file(options, info, **source, session);
  }
  auto apr = session.timed(
      "convert", [&] { return convert_from(**source, options, session.context().part(0.0, 0.9)); });
  if (!apr) return apr.error();
  describe_data(*apr, session.report());
  session.report()["sigma_th"] = apr->parameters.sigma_th;
  session.report()["grad_th"] = apr->parameters.grad_th;
  return save_output(*std::move(apr), options.output, session, options.file);
}

// Converts slice by slice, each channel and time point to particles in memory, to one OME-Zarr.
Status convert_to_zarr(const ConvertOptions& options, const SourceInfo& info, Session& session) {
  const auto parts = selections_of(options.series, options.input, info);
  if (!parts) return parts.error();
  session.report()["streamed"] = true;
  const MakePart make = [&](const SourceSelection& part,
                            const JobContext& context) -> Result<std::shared_ptr<const Data>> {
    auto source = open_slices(info, part);
    if (!source) return source.error();
    auto apr = convert_from(**source, options, context);
    if (!apr) return apr.error();
    return std::make_shared<const Data>(*std::move(apr));
  };
  return write_series_as_zarr(make, info, *parts, {options.operation}, options.output, "convert",
                              session);
}

// Converts each channel and time point as if it were alone, streamed where necessary.
Status convert_all(const ConvertOptions& options, Session& session) {
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  const bool streamed = !info->is_apr && (options.stream || too_large(*info, options.memory));
  if (streamed && is_zarr_name(options.output)) {
    if (shared_conversion({options.operation})) {
      return Error{"cannot be written slice by slice with a structure that channels share",
                   options.output, "write an .apr, or leave out --structure"};
    }
    return convert_to_zarr(options, *info, session);
  }
  if (!streamed || !converts_to_file(info->size)) {
    return run_series(options.series, options.input, {options.operation}, options.output,
                      options.file, "convert", session);
  }
  session.report()["streamed"] = true;
  const auto parts = selections_of(options.series, options.input, *info);
  if (!parts) return parts.error();
  const auto made = session.timed("convert", [&] {
    return convert_series(file_conversion(options, *info), *info, *parts, options.output,
                          session.context());
  });
  if (!made) return made.error();
  std::vector<std::uint64_t> particles;
  for (const FileConversionReport& one : *made) particles.push_back(one.particles);
  describe_series(*parts, particles, options.output, session);
  const bool continued = std::any_of(made->begin(), made->end(),
                                     [](const FileConversionReport& one) { return one.continued; });
  if (continued) session.report()["continued"] = "with cells of a run that did not end";
  return {};
}

Status convert(const ConvertOptions& options, Session& session) {
  if (Status ok = check_output(options.output, {options.input.path}, session); !ok) return ok;
  if (options.series.given()) return convert_all(options, session);
  if (writes_recipe(options.output)) {
    return save_step(options.input, options.operation, options.output, session);
  }
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  if (!info->is_apr && (options.stream || too_large(*info, options.memory))) {
    return convert_streamed(options, *info, session);
  }
  auto data = load_input(options.input, session);
  if (!data) return data.error();
  const auto image = Dataset::create(*std::move(data));
  const auto result = session.timed("convert", [&] {
    return execute({options.operation}, image, session.backend(), session.context().part(0.0, 0.7));
  });
  if (!result) return result.error();
  const Data& made = result->data->data();
  const Apr& apr = std::get<Apr>(made);
  describe_data(made, session.report());
  session.report()["sigma_th"] = apr.parameters.sigma_th;
  session.report()["grad_th"] = apr.parameters.grad_th;
  if (!options.no_error_report) {
    if (Status ok = report_error(*image, apr, options.operation, session); !ok) return ok;
  }
  return save_output(made, options.output, session, options.file);
}

}  // namespace

void add_convert(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("convert", "Turn a pixel image into an APR");
  auto options = std::make_shared<ConvertOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  options->series.add_to(*command);
  add_output(
      *command, options->output,
      "The .apr to write, .zarr: its levels as OME-Zarr, or .json: the recipe, without running");
  add_file_options(*command, options->file);
  options->schema.add_to(*command, "convert");
  command->add_flag("--no-error-report", options->no_error_report,
                    "Do not measure the largest relative error, which needs a second pass over the "
                    "image (several channels or time points never have it)");
  command->add_flag("--stream", options->stream,
                    "Read the image slice by slice, several times, instead of keeping it in memory "
                    "(chosen by itself for images that would not fit); the same APR, without the "
                    "largest relative error");
  command
      ->add_option("--memory", options->memory,
                   "Keep to this much memory, as 4GB: read the image slice by slice if its "
                   "conversion in memory would take more, and refuse slices that are too large for "
                   "that; without it, within most of what is free")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("SIZE");
  command->callback([options, command, &chosen] {
    writes_recipe(options->output);  // called for its check of the ending
    options->series.check(*command, options->output);
    const SchemaOptions& schema = options->schema;
    options->operation = schema.operation();
    if (options->series.channels.empty() && !writes_recipe(options->output) &&
        shared_conversion({options->operation})) {
      wrong_usage("--structure", "is shared by several channels: name them by --channels");
    }
    // Giving a threshold turns automatic thresholds off.
    if (schema.given("sigma_th") || schema.given("grad_th")) {
      if (!schema.given("auto_thresholds")) {
        options->operation.parameters["auto_thresholds"] = false;
      } else if (parameter<bool>(options->operation, "auto_thresholds")) {
        wrong_usage("--auto", "excludes --sigma-th and --grad-th");
      }
    }
    chosen.run = [options](Session& session) { return convert(*options, session); };
  });
}

}  // namespace aprscope::cli

#include <cmath>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/report.hpp"
#include "core/base/system.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/operations/particles/conversion_operation.hpp"

namespace aprscope::cli {
namespace {

struct ConvertOptions {
  InputOptions input;
  std::string output;
  SchemaOptions schema;
  Operation operation;
  bool no_error_report = false;
  bool stream = false;
  bool with_tree = false;
};

// Whether no more than the recipe is wanted; else an .apr, or the particles' levels as OME-Zarr.
bool writes_recipe(const std::string& output) {
  if (is_zarr_name(output)) return false;
  return output_kind(output, {OutputKind::apr, OutputKind::recipe}) == OutputKind::recipe;
}

// The largest |I − Î| / σ, and where it is.
Status report_error(const Dataset& image, const Apr& apr, const Operation& operation,
                    Session& session) {
  return session.timed("error_report", [&]() -> Status {
    const auto parameters = conversion_parameters(operation, image.voxel());
    const auto scale = compute_gradient_scale(image.volume(), parameters, session.context());
    if (!scale) return scale.error();
    const auto error = relative_error(image.volume(), apr, *scale, apr.parameters.sigma_th,
                                      parameters.intensity_th, session.context());
    if (!error) return error.error();
    // JSON has no infinity, and an image wholly below the intensity threshold has no error.
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
    // Shares of the pixels: within the bound, where it is promised, and of those within it.
    session.report()["within_bound"] = share(error->within, error->pixels);
    session.report()["bound_promised"] = share(error->promised, error->pixels);
    session.report()["within_bound_where_promised"] =
        share(error->promised_within, error->promised);
    // Up to here the thresholds decide alone.
    const double idle = idle_relative_error(*scale, used);
    session.report()["idle_relative_error"] = std::isfinite(idle) ? Json(idle) : Json(nullptr);
    return {};
  });
}

// Whether the conversion in memory would take more than this machine gives comfortably.
bool too_large(const SourceInfo& info) {
  const std::uint64_t available = available_bytes();
  const std::size_t sample = info.dtype == "u8" ? 1 : info.dtype == "u16" ? 2 : sizeof(float);
  return !info.is_apr && available > 0 && conversion_bytes(info.size, sample) > available / 5 * 4;
}

// Slice by slice, straight from the file.
Status convert_streamed(const ConvertOptions& options, const SourceInfo& info, Session& session) {
  auto source = open_slices(info, {options.input.channel, options.input.time});
  if (!source) return source.error();
  const VoxelSize voxel = chosen_voxel_size(options.input, (*source)->header().voxel);
  auto apr = session.timed("convert", [&] {
    return convert_source(options.operation, **source, voxel, session.context().part(0.0, 0.9));
  });
  if (!apr) return apr.error();
  session.report()["streamed"] = true;
  describe_data(*apr, session.report());
  session.report()["sigma_th"] = apr->parameters.sigma_th;
  session.report()["grad_th"] = apr->parameters.grad_th;
  return save_output(*std::move(apr), options.output, session, options.with_tree);
}

Status convert(const ConvertOptions& options, Session& session) {
  if (Status ok = check_output(options.output, {options.input.path}, session); !ok) return ok;
  if (writes_recipe(options.output)) {
    return save_step(options.input, options.operation, options.output, session);
  }
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  if (!info->is_apr && (options.stream || too_large(*info))) {
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
  return save_output(made, options.output, session, options.with_tree);
}

}  // namespace

void add_convert(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("convert", "Turn a pixel image into an APR");
  auto options = std::make_shared<ConvertOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  add_output(
      *command, options->output,
      "The .apr to write, .zarr: its levels as OME-Zarr, or .json: the recipe, without running");
  add_tree_option(*command, options->with_tree);
  options->schema.add_to(*command, "convert");
  command->add_flag("--no-error-report", options->no_error_report,
                    "Leave out the largest relative error, which costs a second look at the image");
  command->add_flag("--stream", options->stream,
                    "Read the image slice by slice, several times, instead of keeping it in memory "
                    "(chosen by itself for images that would not fit); the same APR, without the "
                    "largest relative error");
  command->callback([options, &chosen] {
    writes_recipe(options->output);  // or wrong usage
    const SchemaOptions& schema = options->schema;
    options->operation = schema.operation();
    // Whoever names a threshold means it.
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

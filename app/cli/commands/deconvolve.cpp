#include "app/cli/commands/deconvolve.hpp"

#include <algorithm>

#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/slab_run.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/deconvolve/resolution.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope::cli {
namespace {

struct DeconvolveOptions {
  InputOptions input;
  std::string output;
  AprWriteOptions file;
  std::string psf;
  std::string truncate;
  std::string start;
  std::string truth;
  std::string offset;
  std::string background;
  double tv = 0.0;
  double tikhonov = 0.0;
  bool keep_on_interrupt = false;
  std::uint64_t memory = 0;
  SchemaOptions schema;
  Operation operation;
};

constexpr std::initializer_list<OutputKind> kDeconvolveOutputs{OutputKind::apr, OutputKind::tiff,
                                                               OutputKind::png, OutputKind::recipe};

bool names_a_file(const std::string& start) {
  return !start.empty() && start != "image" && start != "constant";
}

// The text as a number, if it is one; else it is the name of a file.
std::optional<double> number(const std::string& text) {
  const ParameterSpec any = schema::real("background", "");
  const auto value = value_from_text(any, text);
  if (!value) return std::nullopt;
  return std::get<double>(*value);
}

Json figures(const IterationReport& r) {
  Json json{{"iteration", r.iteration}};
  if (r.searching) json["searching"] = true;
  // NaN stands for a figure that this iteration does not have; it is written as null.
  for (const NamedFigure& figure : r.figures) json[figure.id] = figure.value;
  json["seconds"] = r.seconds;
  for (const NamedFigure& figure : r.against_truth) json[figure.id] = figure.value;
  return json;
}

Result<std::shared_ptr<const Dataset>> load_beside(const std::string& path, Session& session) {
  InputOptions input;
  input.path = path;
  auto data = load_input(input, session);
  if (!data) return data.error();
  return Dataset::create(*std::move(data));
}

Result<IterationHooks> make_hooks(const DeconvolveOptions& options, Session& session, Json& rows) {
  IterationHooks hooks;
  hooks.observer = [&rows](const IterationReport& report, std::span<const float>) {
    rows.push_back(figures(report));
  };
  if (!options.truth.empty()) {
    auto truth = load_beside(options.truth, session);
    if (!truth) return truth.error();
    hooks.truth = *std::move(truth);
  }
  if (options.keep_on_interrupt) hooks.keep = session.context().stop_token();
  return hooks;
}

Status save(const Data& result, const DeconvolveOptions& options, Session& session) {
  if (!options.keep_on_interrupt) {
    return save_output(result, options.output, session, options.file);
  }
  // The user asked to keep the result, so it is written with a session that is not stopped.
  const std::shared_ptr<const Backend> backend(std::shared_ptr<const Backend>(),
                                               &session.backend());
  Session writer(session.options(), backend, {});
  session.report()["output"] = options.output;
  return session.timed("write",
                       [&] { return save_output(result, options.output, writer, options.file); });
}

// Reports the offset and background that were used, with the values of guessed ones.
void report_light(const DeconvolveOptions& options, const Operation& operation, Json& report) {
  report["operation"] = describe(operation);
  report["offset"] = parameter<double>(operation, "offset");
  report["offset_guessed"] = parameter<bool>(options.operation, "offset_auto");
  const auto& file = parameter<std::string>(operation, "background_file");
  if (file.empty()) {
    report["background"] = parameter<double>(operation, "background");
  } else {
    report["background"] = file;
  }
}

// Reports the resolution of the result, if it was measured.
void report_resolution(const std::vector<NamedFigure>& measured, const Operation& operation,
                       Json& report) {
  if (measured.empty()) return;
  for (const NamedFigure& figure : measured) report[figure.id] = figure.value;
  report["resolution_unit"] = measured.front().unit;
  report["resolution_criterion"] = kResolutionCriterion;
  report["photon_gain"] = parameter<double>(operation, "photon_gain");
}

// What several processes cannot share.
Status check_shared(const DeconvolveOptions& options, const Session& session) {
  if (session.ranks() == nullptr) return {};
  if (session.backend().id() != "cpu") {
    return Error{"several processes share a deconvolution on the CPU only", "--device",
                 "give --device cpu, or leave mpirun out"};
  }
  if (options.keep_on_interrupt) {
    return Error{
        "goes with one process only, as several may be interrupted at different iterations",
        "--keep-on-interrupt", "leave it or mpirun out"};
  }
  return {};
}

// How many rows are iterations that only searched for the number of iterations.
std::int64_t searched_in(const Json& rows) {
  return std::count_if(rows.begin(), rows.end(),
                       [](const Json& row) { return row.contains("searching"); });
}

// Reports what the rows of iterations say.
void report_iterations(const Operation& operation, bool partial, Json rows, Session& session) {
  const auto searched = searched_in(rows);
  Json& report = session.report();
  report["iterations"] = static_cast<std::int64_t>(rows.size()) - searched;
  if (searched > 0) {
    report["search_iterations"] = searched;
    report["photon_gain"] = parameter<double>(operation, "photon_gain");
  }
  report["partial"] = partial;
  for (const char* key : {"likelihood", "change", "psnr", "ssim"}) {
    if (!rows.empty() && rows.back().contains(key)) report[key] = rows.back()[key];
  }
  if (session.options().json) report["rows"] = std::move(rows);
}

// Deconvolves particles that do not fit into memory from file to file; false: they fit, or this
// cannot be.
Result<bool> deconvolve_in_slabs(const DeconvolveOptions& options, Session& session) {
  const bool to_apr = output_kind(options.output, kDeconvolveOutputs) == OutputKind::apr;
  // Several processes share a deconvolution in memory, and a truth is compared there.
  if (!to_apr || session.ranks() != nullptr || !options.truth.empty()) return false;
  Json rows = Json::array();
  auto hooks = make_hooks(options, session, rows);
  if (!hooks) return hooks.error();
  SlabCommand command{options.input, {options.operation}, options.output, "deconvolve"};
  command.run.memory = options.memory;
  command.run.file = options.file;
  command.run.hooks = *hooks;
  command.stops = !options.keep_on_interrupt;
  const auto done = run_in_slabs(std::move(command), session);
  if (!done) return done.error();
  if (!*done) return false;
  const FileRunReport& report = (*done)->steps.back();
  report_light(options, report.operation, session.report());
  report_iterations(report.operation, report.partial, std::move(rows), session);
  return true;
}

Status deconvolve(const DeconvolveOptions& options, Session& session) {
  if (Status ok = check_shared(options, session); !ok) return ok;
  std::vector<std::string> inputs = files_of(options.operation);
  inputs.insert(inputs.end(), {options.input.path, options.truth});
  if (Status ok = check_output(options.output, inputs, session); !ok) return ok;
  const auto in_slabs = deconvolve_in_slabs(options, session);
  if (!in_slabs) return in_slabs.error();
  if (*in_slabs) return {};
  const OutputKind kind = output_kind(options.output, kDeconvolveOutputs);
  Operation operation = options.operation;
  const std::uint64_t memory =
      options.truth.empty()
          ? memory_to_check({operation}, options.input.path, options.output, options.memory)
          : options.memory;
  std::shared_ptr<const Dataset> dataset;
  // A recipe contains numbers only, so guesses need the image first.
  const bool guesses = parameter<bool>(operation, "offset_auto") || lacks_photon_gain(operation);
  if (kind != OutputKind::recipe || guesses) {
    auto input = load_input(options.input, session, memory);
    if (!input) return input.error();
    dataset = Dataset::create(*std::move(input));
    operation = settled(operation, *dataset);
  }
  report_light(options, operation, session.report());
  if (kind == OutputKind::recipe) {
    if (!options.truth.empty()) {
      return Error{"a recipe holds no truth", options.output, "leave --truth out"};
    }
    return save_step(options.input, operation, options.output, session);
  }
  if (kind == OutputKind::apr && !dataset->is_apr()) return no_particles_error(options.output);
  Json rows = Json::array();
  auto hooks = make_hooks(options, session, rows);
  if (!hooks) return hooks.error();
  std::vector<NamedFigure> measured;
  hooks->concluded = [&measured](const std::vector<NamedFigure>& figures) { measured = figures; };
  const auto result = session.timed("deconvolve", [&] {
    const JobContext& context = session.context();
    RunContext run;
    run.job = options.keep_on_interrupt ? unstoppable(context) : context;
    run.hooks = *hooks;
    run.hooks.ranks = session.ranks();
    run.memory = memory;
    return execute({operation}, dataset, session.backend(), run);
  });
  if (!result) return result.error();
  const auto done = static_cast<std::int64_t>(rows.size()) - searched_in(rows);
  const bool partial = hooks->keep.stop_requested() && done < most_iterations(operation);
  report_iterations(operation, partial, std::move(rows), session);
  report_resolution(measured, operation, session.report());
  const Data& data = result->data->data();
  describe_data(data, session.report());
  return save(data, options, session);
}

// Completes the operation; the options besides those of the schema have precedence.
Operation complete_operation(const DeconvolveOptions& options, bool tv, bool tikhonov) {
  Operation operation = options.schema.operation();
  for (auto& [id, value] : or_wrong_usage("--psf", parse_psf_spec(options.psf))) {
    operation.parameters[id] = std::move(value);
  }
  if (!options.truncate.empty()) {
    const auto n = numbers_from("--truncate", options.truncate, 3);
    operation.parameters["psf_size"] = std::array<double, 3>{n[0], n[1], n[2]};
  }
  if (tv || tikhonov) {
    operation.parameters["regularisation"] =
        std::string(tv ? "total_variation" : "tikhonov_miller");
    operation.parameters["strength"] = tv ? options.tv : options.tikhonov;
  }
  if (names_a_file(options.start)) {
    operation.parameters["start"] = std::string("file");
    operation.parameters["start_file"] = options.start;
  } else if (!options.start.empty()) {
    operation.parameters["start"] = options.start;
  }
  if (options.offset == "auto") {
    operation.parameters["offset_auto"] = true;
  } else if (!options.offset.empty()) {
    operation.parameters["offset"] = numbers_from("--offset", options.offset, 1).front();
  }
  if (const auto level = number(options.background)) {
    operation.parameters["background"] = *level;
  } else {
    operation.parameters["background_file"] = options.background;
  }
  operation = or_wrong_usage("option", complete(operation));
  for (const std::string& id : options.schema.all_given()) {
    if (back_projector_counts(operation, id)) continue;
    const auto& by = parameter<std::string>(operation, "back_projector");
    wrong_usage(option_name(id), "it has no say beside --back-projector " + by +
                                     (id == "iterations" ? ": give --wb-iterations" : ""));
  }
  return operation;
}

}  // namespace

void add_deconvolve(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "deconvolve", "Undo the blur of a point-spread function, on pixels or on particles");
  auto options = std::make_shared<DeconvolveOptions>();
  options->input.add_to(*command);
  options->input.add_voxel_size(*command);
  add_output(*command, options->output,
             "The result: .apr, .tif, .mrc, .zarr or .png, or .json: the recipe, without running");
  add_file_options(*command, options->file);
  add_memory_option(*command, options->memory, "Deconvolve");
  command
      ->add_option("--psf", options->psf,
                   "gaussian:sigma=2,size=13 | born-wolf:na=1.4,wavelength=500,n=1.518 | "
                   "gibson-lanni:na=1.2,depth=10,ns=1.33 | file:psf.tif | "
                   "beads:img.tif,at=z/x/y;z/x/y; see the command psf")
      ->required()
      ->type_name("SPEC");
  command->add_option("--truncate", options->truncate, "Cut the PSF to this size in pixels (odd)")
      ->type_name("Z,X,Y");
  auto* tv =
      command
          ->add_option(
              "--tv", options->tv,
              "Weight of total variation regularisation, which suppresses noise and keeps edges")
          ->type_name("NUMBER");
  auto* tikhonov = command
                       ->add_option("--tikhonov", options->tikhonov,
                                    "Weight of Tikhonov–Miller regularisation, which suppresses "
                                    "noise by smoothing evenly")
                       ->type_name("NUMBER");
  tv->excludes(tikhonov);
  command
      ->add_option("--start", options->start,
                   "First estimate: image, constant (its mean everywhere), or FILE, an earlier "
                   "result on the same data")
      ->type_name("WHAT");
  command
      ->add_option("--offset", options->offset,
                   "Grey value that the camera records without light, subtracted first; auto: the "
                   "median of the darkest 1 % of the pixels")
      ->type_name("N|auto");
  command
      ->add_option("--background", options->background,
                   "Light above the offset that does not come from the specimen: a grey value, or "
                   "an image of it of the same size; it is not deconvolved")
      ->type_name("N|FILE");
  command
      ->add_option("--truth", options->truth,
                   "Image that the result should equal: PSNR and SSIM of each iteration are "
                   "measured against it")
      ->type_name("FILE");
  command->add_flag(
      "--keep-on-interrupt", options->keep_on_interrupt,
      "Ctrl-C ends the run after the current iteration and writes its result, marked partial");
  std::vector<std::string> own{"regularisation", "strength", "start", "start_file"};
  for (const ParameterSpec& spec : psf_parameters()) own.push_back(spec.id);
  for (const ParameterSpec& spec : background_parameters()) own.push_back(spec.id);
  options->schema.add_to(*command, "deconvolve", own);
  command->callback([options, tv, tikhonov, &chosen] {
    output_kind(options->output, kDeconvolveOutputs);
    options->operation = complete_operation(*options, tv->count() > 0, tikhonov->count() > 0);
    chosen.keeps_on_interrupt = options->keep_on_interrupt;
    chosen.is_shared = [options] {
      return has_apr_ending(options->input.path) &&
             output_kind(options->output, kDeconvolveOutputs) != OutputKind::recipe;
    };
    chosen.run = [options](Session& session) { return deconvolve(*options, session); };
  });
}

}  // namespace aprscope::cli

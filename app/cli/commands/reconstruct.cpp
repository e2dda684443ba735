#include <optional>
#include <vector>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/shared/series.hpp"
#include "core/image/crop.hpp"
#include "core/io/apr/apr_file_part.hpp"

namespace aprscope::cli {
namespace {

struct ReconstructOptions {
  InputOptions input;
  SeriesOptions series;
  std::string output;
  SchemaOptions schema;
  Operation operation;
  std::string region_text;
  std::optional<Region> region;

  [[nodiscard]] std::string mode() const { return parameter<std::string>(operation, "mode"); }
  [[nodiscard]] int level() const {
    return static_cast<int>(parameter<std::int64_t>(operation, "at_level"));
  }
};

constexpr std::initializer_list<OutputKind> kReconstructOutputs{OutputKind::tiff, OutputKind::png,
                                                                OutputKind::recipe};

// Reads only the part of the file that is needed; none if the whole file is needed.
Result<std::optional<AprFilePart>> from_part(const ReconstructOptions& options, Session& session) {
  const bool part = options.region || options.level() != 0;
  if (!part || options.mode() == "smooth" || (options.level() != 0 && options.mode() != "constant"))
    return std::optional<AprFilePart>();
  return session.timed("read", [&]() -> Result<std::optional<AprFilePart>> {
    const auto info = inspect_input(options.input, session.context());
    if (!info) return info.error();
    if (!info->is_apr) return std::optional<AprFilePart>();
    return load_apr_file_part(*info, {options.input.channel, options.input.time},
                              {options.level(), options.region, options.mode() == "level"},
                              session.context());
  });
}

Status check_region(const Region& region, const Size3& size, const std::string& path) {
  if (region.end.z <= size.z && region.end.x <= size.x && region.end.y <= size.y) return {};
  return Error{"has no such region", path,
               "choose one inside its " + std::to_string(size.z) + " × " + std::to_string(size.x) +
                   " × " + std::to_string(size.y) + " pixels"};
}

// Cuts out the cells of 2^shift pixels that a region touches.
Volume cut(const Volume& volume, const Region& region, int shift) {
  const auto last = [shift](std::int64_t end) { return ((end - 1) >> shift) + 1; };
  const Region cells{{region.begin.z >> shift, region.begin.x >> shift, region.begin.y >> shift},
                     {last(region.end.z), last(region.end.x), last(region.end.y)}};
  Volume out = crop(volume, cells);
  // The same origin as in from_part().
  out.origin = volume.origin;
  return out;
}

// Returns a shared pointer, so that a large image is not copied.
Result<std::shared_ptr<const Dataset>> from_whole(const ReconstructOptions& options,
                                                  Session& session) {
  auto data = load_input(options.input, session);
  if (!data) return data.error();
  const auto dataset = Dataset::create(*std::move(data));
  if (options.region && dataset->is_apr()) {
    if (Status fits = check_region(*options.region, dataset->size(), options.input.path); !fits) {
      return fits.error();
    }
  }
  return session.timed("reconstruct", [&]() -> Result<std::shared_ptr<const Dataset>> {
    if (options.region && dataset->is_apr() && options.mode() == "smooth" && options.level() == 0 &&
        !dataset->values().particles().empty()) {
      auto pixels = reconstruct(*dataset->apr().access, dataset->values().particles(),
                                ReconstructionMode::smooth, *options.region, session.context());
      if (!pixels) return pixels.error();
      Volume volume;
      volume.pixels = *std::move(pixels);
      volume.voxel = dataset->voxel();
      volume.name = dataset->apr().name;
      return Dataset::create(std::move(volume));
    }
    auto done = execute({options.operation}, dataset, session.backend(), session.context());
    if (!done) return done.error();
    if (!options.region) return std::move(done->data);
    const int shift =
        options.level() == 0 ? 0 : dataset->apr().access->level_max() - options.level();
    return Dataset::create(cut(done->data->volume(), *options.region, shift));
  });
}

// Several channels and time points as one OME-Zarr.
Status reconstruct_series(const ReconstructOptions& options, Session& session) {
  const auto info = inspect_input(options.input, session.context());
  if (!info) return info.error();
  std::vector<Operation> steps{options.operation};
  // OME-Zarr of particles is their constant reconstruction, which is never whole in memory so.
  if (info->is_apr && options.mode() == "constant" && options.level() == 0) steps.clear();
  return run_series(options.series, options.input, steps, options.output, {}, "reconstruct",
                    session);
}

Status run_reconstruct(const ReconstructOptions& options, Session& session) {
  if (Status ok = check_output(options.output, {options.input.path}, session); !ok) return ok;
  Json& report = session.report();
  report["operation"] = describe(options.operation);
  if (output_kind(options.output, kReconstructOutputs) == OutputKind::recipe) {
    return save_step(options.input, options.operation, options.output, session);
  }
  if (options.series.given()) return reconstruct_series(options, session);
  auto part = from_part(options, session);
  if (!part) return part.error();
  if (*part) {
    report["cells_read"] = (*part)->cells_read;
    const Data image = std::move((*part)->image);
    describe_data(image, report);
    return save_output(image, options.output, session);
  }
  const auto image = from_whole(options, session);
  if (!image) return image.error();
  describe_data((*image)->data(), report);
  return save_output((*image)->data(), options.output, session);
}

}  // namespace

void add_reconstruct(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("reconstruct", "Turn an APR back into pixels");
  auto options = std::make_shared<ReconstructOptions>();
  options->input.add_to(*command);
  add_output(*command, options->output,
             "The image: .tif, .mrc, .zarr or .png, or .json: the recipe, without running");
  options->schema.add_to(*command, "reconstruct");
  command
      ->add_option("--region", options->region_text,
                   "Reconstruct only this box of the full image; of the file no more is read than "
                   "is needed, where it allows that")
      ->type_name("Z0:Z1,X0:X1,Y0:Y1");
  options->series.only_zarr = true;
  options->series.add_to(*command);
  command->callback([options, command, &chosen] {
    const OutputKind kind = output_kind(options->output, kReconstructOutputs);
    options->series.check(*command, options->output);
    options->operation = options->schema.operation();
    if (!options->region_text.empty()) {
      options->region = region_from("--region", options->region_text);
      if (kind == OutputKind::recipe) wrong_usage("--region", "a recipe holds no region");
      if (options->series.given()) wrong_usage("--region", "goes with one channel and time point");
    }
    chosen.run = [options](Session& session) { return run_reconstruct(*options, session); };
  });
}

}  // namespace aprscope::cli

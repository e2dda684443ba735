#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/write.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/filter/stencil_file.hpp"

namespace aprscope::cli {
namespace {

struct PsfOptions {
  std::string spec;
  InputOptions like;
  std::string output;
};

// Values by axis; `missing` becomes null.
Json by_axis(const std::array<double, 3>& values, double missing) {
  auto json = Json::object();
  constexpr std::array kNames{"z", "x", "y"};
  for (std::size_t d = 0; d < 3; ++d) {
    json[kNames[d]] = values[d] == missing ? Json() : Json(values[d]);
  }
  return json;
}

Status write_psf(const MadePsf& made, const VoxelSize& voxel, const std::string& path,
                 const JobContext& context) {
  if (std::filesystem::path(path).extension() == ".json") {
    return write_text_atomically(path, stencil_to_json(made.psf) + "\n");
  }
  Pixels<float> pixels(made.psf.size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<float>(made.psf.weights[i]);
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = voxel;
  volume.name = "PSF";
  return write_image(volume, path, context);
}

Status psf(const PsfOptions& options, Session& session) {
  if (!options.output.empty()) {
    const std::vector<std::string> inputs{options.like.path, file_of_spec(options.spec)};
    if (Status ok = check_output(options.output, inputs, session); !ok) return ok;
  }
  VoxelSize voxel;
  Size3 size{0, 0, 0};
  if (!options.like.path.empty()) {
    const auto info = inspect_input(options.like, session.context());
    if (!info) return info.error();
    size = info->size;
    voxel = info->voxel;
  }
  voxel = chosen_voxel_size(options.like, voxel);
  const auto values = parse_psf_spec(options.spec);
  if (!values) return values.error();
  const auto operation = complete({"deconvolve", *values});
  if (!operation) return operation.error();
  const auto made =
      session.timed("psf", [&] { return make_psf(*operation, voxel, size, session.context()); });
  if (!made) return made.error();

  const PsfReport figures = psf_report(made->psf);
  Json& report = session.report();
  report["psf"] = made->psf.name;
  report["size"] = to_json(made->psf.size);
  report["voxel_size"] = to_json(voxel);
  report["fwhm_px"] = by_axis(figures.fwhm, 0.0);
  std::array<double, 3> width = figures.fwhm;
  width[0] *= voxel.z;
  width[1] *= voxel.x;
  width[2] *= voxel.y;
  report["fwhm"] = by_axis(width, 0.0);
  report["offset_px"] = by_axis(figures.offset, -1e300);
  report["coverage"] = made->coverage;
  report["sum"] = figures.sum;
  report["warnings"] = made->warnings;
  if (options.output.empty()) return {};
  report["output"] = options.output;
  return session.timed("write",
                       [&] { return write_psf(*made, voxel, options.output, session.context()); });
}

}  // namespace

void add_psf(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "psf",
      "Make a point-spread function and report its width, its coverage and what is wrong with it");
  auto options = std::make_shared<PsfOptions>();
  command
      ->add_option("SPEC", options->spec,
                   "gaussian:sigma=2,size=13 | born-wolf:na=1.4,wavelength=500,n=1.518 | "
                   "gibson-lanni:na=1.2,depth=10,ns=1.33 | file:psf.tif,background=off | "
                   "beads:img.tif,at=z/x/y;z/x/y")
      ->required()
      ->type_name("SPEC");
  options->like.add_to(*command, "--like", false);
  options->like.add_voxel_size(*command);
  add_output(*command, options->output, "Write the PSF: .tif, .mrc, or .json as a stencil", false);
  command->callback([options, &chosen] {
    if (!options->output.empty()) {
      output_kind(options->output, {OutputKind::tiff, OutputKind::recipe});
    }
    // A PSF in a file is read later: a mistake in it is an error, but not wrong usage.
    const auto values = or_wrong_usage("SPEC", parse_psf_spec(options->spec));
    or_wrong_usage("SPEC", complete({"deconvolve", values}));
    chosen.run = [options](Session& session) { return psf(*options, session); };
  });
}

}  // namespace aprscope::cli

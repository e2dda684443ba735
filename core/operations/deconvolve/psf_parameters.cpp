#include "core/operations/deconvolve/psf_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/deconvolution/psf/psf_models.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

using namespace schema;  // NOLINT: its words are what this file is written in

// The size that is asked for; 1 in dimensions where the image has one pixel.
Size3 wanted_size(const Operation& op, const Size3& image) {
  const auto& n = parameter<Vector>(op, "psf_size");
  const auto fit = [](double wanted, std::int64_t pixels) {
    return pixels == 1 ? std::int64_t{1} : static_cast<std::int64_t>(wanted);
  };
  return {fit(n[0], image.z), fit(n[1], image.x), fit(n[2], image.y)};
}

Result<MadePsf> gaussian(const Operation& op, const VoxelSize& voxel, const Size3& image) {
  Vector sigma = parameter<Vector>(op, "psf_sigma");
  const Vector distance{voxel.z, voxel.x, voxel.y};
  const std::array<std::int64_t, 3> extent{image.z, image.x, image.y};
  const bool physical = parameter<std::string>(op, "psf_sigma_unit") == "physical";
  for (std::size_t d = 0; d < 3; ++d) {
    if (physical) sigma[d] /= distance[d];
    if (extent[d] == 1) sigma[d] = 0.0;
  }
  return gaussian_psf(sigma, wanted_size(op, image), image);
}

// The voxel size of the parameters; that of the image if they give none.
VoxelSize lens_voxel(const Operation& op, const VoxelSize& voxel) {
  const auto& own = parameter<Vector>(op, "psf_voxel");
  if (own[0] > 0.0 && own[1] > 0.0 && own[2] > 0.0) return {own[0], own[1], own[2], "nm"};
  return voxel;
}

Microscope microscope(const Operation& op) {
  Microscope lens;
  lens.na = parameter<double>(op, "na");
  lens.wavelength = parameter<double>(op, "wavelength");
  lens.n_immersion = parameter<double>(op, "n_immersion");
  lens.n_sample = parameter<double>(op, "n_sample");
  lens.depth = parameter<double>(op, "depth");
  lens.cover_glass = parameter<double>(op, "cover_glass");
  return lens;
}

Result<Volume> read_pixels(const Operation& op, const JobContext& context) {
  const auto& path = parameter<std::string>(op, "psf_file");
  if (path.empty()) {
    return Error{"names no file", "PSF", "choose an image of a PSF or of beads"};
  }
  auto data = load_file(path, context);
  if (!data) return data.error();
  if (std::holds_alternative<Apr>(*data)) {
    return Error{"holds particles, not the pixels of a PSF", path, "give a TIFF or HDF5 image"};
  }
  auto& volume = std::get<Volume>(*data);
  volume.name = std::filesystem::path(path).filename().string();
  return std::move(volume);
}

Result<MadePsf> from_file(const Operation& op, const VoxelSize& voxel, const Size3& image,
                          const JobContext& context) {
  const auto volume = read_pixels(op, context);
  if (!volume) return volume.error();
  return measured_psf(*volume, measure_options(op, image), voxel, image, context);
}

Result<MadePsf> from_beads(const Operation& op, const VoxelSize& voxel, const Size3& image,
                           const JobContext& context) {
  const auto positions = positions_from_text(parameter<std::string>(op, "psf_beads"));
  if (!positions) return positions.error();
  const auto volume = read_pixels(op, context);
  if (!volume) return volume.error();
  auto made =
      psf_from_beads(*volume, *positions, measure_options(op, image), voxel, image, context);
  if (!made) return made.error();
  for (std::size_t i = 0; i < made->beads.size(); ++i) {
    const Bead& bead = made->beads[i];
    if (bead.used) continue;
    made->made.warnings.push_back("Bead " + std::to_string(i + 1) + " is left out: it is " +
                                  bead.reason + ".");
  }
  return std::move(made->made);
}

// Weights that are given: checked and cut, nothing else.
Result<MadePsf> given(const Operation& op, const Size3& image) {
  MadePsf made;
  made.psf = parameter<Stencil>(op, "psf_weights");
  const auto own = check_psf(made.psf, {0, 0, 0});
  if (!own) return own.error();
  const auto size = chosen_psf_size(wanted_size(op, image), made.psf.size, {0, 0, 0});
  if (!size) return size.error();
  made.coverage = psf_coverage(made.psf, *size);
  made.psf = truncate_psf(made.psf, *size);
  auto warnings = check_psf(made.psf, image);
  if (!warnings) return warnings.error();
  made.warnings = *std::move(warnings);
  return made;
}

}  // namespace

MeasureOptions measure_options(const Operation& op, const Size3& image) {
  MeasureOptions options;
  options.background = parameter<bool>(op, "psf_background");
  options.center = parameter<bool>(op, "psf_center");
  options.resample = parameter<bool>(op, "psf_resample");
  options.size = wanted_size(op, image);
  return options;
}

std::vector<ParameterSpec> psf_parameters() {
  std::vector<ParameterSpec> all;
  all.push_back(
      choice("psf", "PSF", {"gaussian", "born_wolf", "gibson_lanni", "file", "beads", "given"})
          .help("Where the point-spread function (PSF) comes from. gaussian, born_wolf, "
                "gibson_lanni: computed; file: an image of it; beads: the mean of beads in an "
                "image; given: its weights."));
  all.push_back(vector3("psf_sigma", "Sigma", 2)
                    .range(0, 1000)
                    .unit("px")
                    .help("Standard deviation of the Gaussian in z, x, y."));
  all.push_back(
      choice("psf_sigma_unit", "Unit of sigma", {"pixels", "physical"})
          .help("Whether sigma is in pixels, or in the physical unit of the voxel size."));
  all.push_back(real("wavelength", "Wavelength", 520)
                    .range(100, 5000)
                    .unit("nm")
                    .help("Wavelength of the emitted light, in vacuum."));
  all.push_back(real("na", "Numerical aperture", 1.4)
                    .range(0.01, 1.7)
                    .help("Numerical aperture of the objective; it must be below the index of the "
                          "immersion medium."));
  all.push_back(real("n_immersion", "Immersion index", 1.518)
                    .range(1.0, 2.5)
                    .help("Refractive index between objective and cover glass: air 1.0, water "
                          "1.33, glycerol 1.47, oil 1.518."));
  all.push_back(real("n_sample", "Sample index", 1.33)
                    .range(1.0, 2.5)
                    .help("Refractive index of the sample: water 1.33, cells 1.36 to 1.38, "
                          "mounting media up to 1.52."));
  all.push_back(real("depth", "Depth", 5)
                    .range(0, 2000)
                    .unit("µm")
                    .help("Distance of the imaged structure below the cover glass."));
  all.push_back(real("cover_glass", "Cover glass", 170)
                    .range(0, 2000)
                    .unit("µm")
                    .help("Thickness of the cover glass; most objectives are made for 170 µm."));
  all.push_back(
      vector3("psf_voxel", "Voxel size")
          .range(0, 1e6)
          .unit("nm")
          .help("Voxel size in z, x, y that the PSF is computed for; 0 takes that of the image."));
  all.push_back(
      text("psf_file", "File")
          .names_file()
          .help("An image of the PSF, or of beads: any readable image, or FILE.h5:/path."));
  all.push_back(text("psf_beads", "Beads")
                    .unlisted()
                    .help("Positions of the beads in the file as z/x/y;z/x/y, in pixels."));
  all.push_back(
      boolean("psf_background", "Remove the background", true)
          .help("Subtract the grey level around the spot, and set to 0 what is only noise."));
  all.push_back(
      boolean("psf_center", "Centre it", true)
          .help("Move the bright spot into the middle of the PSF, to a fraction of a pixel."));
  all.push_back(
      boolean("psf_resample", "Match the voxel size", true)
          .help("Resample the PSF to the voxel size of the image where its own differs."));
  all.push_back(weights("psf_weights", "Weights").help("Weights of the PSF, used with PSF given."));
  all.push_back(vector3("psf_size", "Size")
                    .range(0, 1023)
                    .unit("px")
                    .odd()
                    .help("Size in z, x, y (odd) that the PSF is cut to. Larger keeps more of its "
                          "light; 0 chooses the size."));
  return all;
}

bool is_psf_kind(const std::string& id) { return id == "psf" || id == "psf_sigma"; }

bool psf_parameter_counts(const std::string& kind, const std::string& id) {
  const auto any_of = [&](std::initializer_list<const char*> names, const std::string& name) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
  };
  if (any_of({"psf_sigma", "psf_sigma_unit"}, id)) return kind == "gaussian";
  if (any_of({"wavelength", "na", "n_immersion", "psf_voxel"}, id)) {
    return kind == "born_wolf" || kind == "gibson_lanni";
  }
  if (any_of({"n_sample", "depth", "cover_glass"}, id)) return kind == "gibson_lanni";
  if (id == "psf_beads") return kind == "beads";
  if (id == "psf_center") return kind == "file";
  if (any_of({"psf_file", "psf_background", "psf_resample"}, id)) {
    return kind == "file" || kind == "beads";
  }
  return id != "psf_weights" || kind == "given";
}

Result<MadePsf> make_psf(const Operation& op, const VoxelSize& voxel, const Size3& size,
                         const JobContext& context) {
  for (const double d : {voxel.z, voxel.x, voxel.y}) {
    if (!(d > 0.0) || !std::isfinite(d)) {
      return Error{"the voxel size is not positive", "PSF", "set the voxel size of the image"};
    }
  }
  const auto& kind = parameter<std::string>(op, "psf");
  if (kind == "gaussian") return gaussian(op, voxel, size);
  if (kind == "file") return from_file(op, voxel, size, context);
  if (kind == "beads") return from_beads(op, voxel, size, context);
  if (kind == "given") return given(op, size);
  const Size3 wanted = wanted_size(op, size);
  if (kind == "born_wolf") {
    return born_wolf_psf(microscope(op), lens_voxel(op, voxel), wanted, size, context);
  }
  auto made = gibson_lanni_psf(microscope(op), lens_voxel(op, voxel), wanted, size, context);
  if (!made) return made.error();
  return std::move(made->made);
}

Result<Stencil> psf_of(const Operation& complete, const VoxelSize& voxel, const Size3& size) {
  auto made = make_psf(complete, voxel, size);
  if (!made) return made.error();
  return std::move(made->psf);
}

}  // namespace aprscope

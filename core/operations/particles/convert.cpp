// Pixels to particles.
#include <utility>

#include "core/operations/engine/run_checks.hpp"
#include "core/operations/particles/conversion_operation.hpp"
#include "core/operations/particles/particles.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kGreyLimit = 1e9;

OperationSchema convert_schema() {
  return operation_schema("convert", "Convert to particles", "Convert", {DataKind::pixels},
                          "Turns a pixel image into an Adaptive Particle Representation.")
      .with(real("rel_error", "Relative error", 0.1)
                .range(0.0001, 10.0)
                .help("Largest reconstruction error, as a fraction of the local intensity scale "
                      "(the local contrast). Larger values give fewer particles and less detail."))
      .with(real("lambda", "Smoothing", 3.0)
                .range(0.0, 1000.0)
                .help("Strength of the smoothing spline with which gradients are estimated: larger "
                      "for noisier images, 0 for images without noise."))
      .with(boolean("auto_thresholds", "Automatic thresholds", true)
                .alias("auto")
                .help("Find the thresholds of scale and gradient from the image itself."))
      .with(real("sigma_th", "Scale threshold")
                .range(0.0, kGreyLimit)
                .unit("grey values")
                .help("Lower limit of the local intensity scale. A larger limit keeps noise and "
                      "weak structure from becoming particles; found automatically unless "
                      "automatic thresholds are off."))
      .with(real("sigma_th_max", "Scale cut-off")
                .range(0.0, kGreyLimit)
                .unit("grey values")
                .help("Where the local intensity scale is below this, structure is ignored."))
      .with(real("grad_th", "Gradient threshold")
                .range(0.0, kGreyLimit)
                .unit("grey values/px")
                .help("Gradients smaller than this are ignored, so that noise does not become "
                      "particles; found automatically unless automatic thresholds are off."))
      .with(real("intensity_th", "Intensity threshold")
                .range(-kGreyLimit, kGreyLimit)
                .unit("grey values")
                .help("Where the smoothed image is at or below this, structure is ignored."))
      .with(vector3("psf", "PSF width", 2)
                .range(0.01, 1000.0)
                .unit("px")
                .help("Width of the point-spread function in z, x, y. It sets the size of the "
                      "window in which the local intensity scale is measured."))
      .with(boolean("use_voxel_size", "Use voxel size")
                .help("Weigh gradients by the voxel size where voxels are not cubes."))
      .with(boolean("constant_scale", "Constant scale")
                .help("Use one intensity scale, mean minus minimum, for the whole image."))
      .with(boolean("neighbourhood_optimisation", "Neighbourhood optimisation", true)
                .help("Keep each cell at the boundary of fine regions as one particle. Off splits "
                      "these cells, which gives more particles around structure."))
      .with(choice("structure", "Structure", {"own", "shared"})
                .described(Described::changed)
                .lead("structure")
                .help("own: each of several channels that are converted together has the particles "
                      "that it needs; shared: all have those that any of them needs. Alone, a "
                      "channel always has its own."));
}

// Gradient, scale and levels on the half grid, then particles at a computational ratio of 4.
std::uint64_t bytes_of_convert(const Operation&, const Dataset& input) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, input.size().count())) * 3;
}

Result<Data> run_convert(const Operation& operation, const Dataset& input, const IterationHooks&,
                         const JobContext& context) {
  if (Status ok = check_memory(bytes_of_convert(operation, input), input); !ok) return ok.error();
  if (Status ok = check_finite(input); !ok) return ok.error();
  if (context.stop_requested()) return cancelled_error();
  const Volume& volume = input.volume();
  auto apr = convert(volume, conversion_parameters(operation, volume.voxel), context);
  if (!apr) return apr.error();
  apr->name = volume.name;
  name_channel(*apr);
  apr->history = {made_by_cpu(operation)};
  return with_labels_of(input.labels(), *std::move(apr), context);
}

}  // namespace

OperationType convert_operation() {
  OperationType type;
  type.schema = convert_schema();
  // Version 2 took the reference's width of the PSF for its default.
  type.schema.upgrade = [](Operation& operation, std::int64_t version) {
    if (version < 2) operation.parameters.try_emplace("psf", std::array<double, 3>{1, 1, 1});
  };
  type.traits.gives = Gives::apr;
  type.traits.preview = Previewed::estimate;
  type.traits.family = "convert";
  type.traits.panel = "convert";
  type.cpu = {bytes_of_convert, run_convert, nullptr};
  return type;
}

}  // namespace aprscope

#include "core/apr/conversion.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "core/apr/conversion_check.hpp"
#include "core/apr/gradient_scale.hpp"
#include "core/apr/pulling_scheme.hpp"

namespace aprscope {
namespace {

// Images of at most 2 pixels a dimension have no coarser level to choose: every pixel is a
// particle.
Result<LinearAccess> every_pixel(const Size3& size) {
  std::vector<std::uint16_t> y;
  std::vector<std::uint64_t> xz_end{0};
  for (std::int64_t row = 0; row < size.z * size.x; ++row) {
    for (std::int64_t k = 0; k < size.y; ++k) y.push_back(static_cast<std::uint16_t>(k));
    xz_end.push_back(y.size());
  }
  return LinearAccess::create(size, 1, 1, 1, std::move(y), std::move(xz_end));
}

Result<LinearAccess> find_particles(const GradientScale& input, const ConversionParameters& p,
                                    const JobContext& context) {
  const Size3& size = input.image_size;
  const int level_max = finest_level(size);
  if (level_max == 1) return every_pixel(size);
  Pixels<std::uint8_t> levels;
  CellSet cells;
  if (!local_levels(input, p, level_max, levels, context.part(0.0, 0.2)) ||
      !pulling_scheme(levels, size, level_max, p.neighbourhood_optimisation, cells,
                      context.part(0.2, 0.6))) {
    return cancelled_error();
  }
  return particles_of(cells, size, level_max, context.part(0.6, 1.0));
}

Status check_grids(const GradientScale& input) {
  const Size3 half = half_size(input.image_size);
  const auto count = static_cast<std::size_t>(half.count());
  for (const Pixels<float>* grid : {&input.gradient, &input.scale, &input.intensity}) {
    if (!(grid->size == half) || grid->values.size() != count) {
      return Error{"gradient, scale and intensity must have half the size of the image",
                   "conversion", "compute them again from the image"};
    }
  }
  return {};
}

std::string history_line(const ConversionParameters& p) {
  char text[256];
  std::snprintf(text, sizeof text,
                "convert rel_error=%g lambda=%g sigma_th=%g sigma_th_max=%g grad_th=%g "
                "intensity_th=%g%s",
                static_cast<double>(p.rel_error), static_cast<double>(p.lambda),
                static_cast<double>(p.sigma_th), static_cast<double>(p.sigma_th_max),
                static_cast<double>(p.grad_th), static_cast<double>(p.intensity_th),
                p.auto_thresholds ? " (automatic thresholds)" : "");
  return text;
}

}  // namespace

Result<std::shared_ptr<const AprAccess>> build_access(const GradientScale& input,
                                                      const ConversionParameters& parameters,
                                                      const JobContext& context,
                                                      ConversionParameters* used) {
  if (Status fine = check_conversion(input.image_size, parameters); !fine) return fine.error();
  if (Status fine = check_grids(input); !fine) return fine.error();
  try {
    ConversionParameters p = parameters;
    if (p.auto_thresholds) {
      context.report(0.0, "thresholds");
      const Thresholds found = automatic_thresholds(input, p);
      p.sigma_th = found.sigma_th;
      p.grad_th = found.grad_th;
      if (context.stop_requested()) return cancelled_error();
    }
    if (used != nullptr) *used = p;
    auto particles = find_particles(input, p, context.part(0.2, 0.8));
    if (!particles) return particles.error();
    if (context.stop_requested()) return cancelled_error();
    context.report(0.8, "tree");
    auto access = AprAccess::create(std::move(*particles));
    if (context.stop_requested()) return cancelled_error();
    return access;
  } catch (const std::bad_alloc&) {
    return not_enough_memory(input.image_size);
  }
}

Result<Apr> convert(const Volume& volume, const ConversionParameters& parameters,
                    const JobContext& context) {
  ConversionParameters used = parameters;
  std::shared_ptr<const AprAccess> access;
  {
    auto input = compute_gradient_scale(volume, parameters, context.part(0.0, 0.6));
    if (!input) return input.error();
    auto built = build_access(*input, parameters, context.part(0.6, 0.8), &used);
    if (!built) return built.error();
    access = *built;
  }
  auto values = sample_particles(volume, *access, context.part(0.8, 1.0), parameters.rounding);
  if (!values) return values.error();

  Apr apr;
  apr.access = std::move(access);
  apr.fields.push_back(
      std::make_shared<const Field>(Field{"particle_intensities", std::move(*values)}));
  apr.voxel = volume.voxel;
  apr.parameters.lambda = used.lambda;
  apr.parameters.sigma_th = used.sigma_th;
  apr.parameters.sigma_th_max = used.sigma_th_max;
  apr.parameters.intensity_th = used.intensity_th;
  apr.parameters.grad_th = used.grad_th;
  apr.parameters.rel_error = used.rel_error;
  apr.parameters.psfx = used.psfx;
  apr.parameters.psfy = used.psfy;
  apr.parameters.psfz = used.psfz;
  apr.name = volume.name;
  apr.channel = volume.channel;
  apr.channel_index = volume.channel_index;
  apr.time = volume.time;
  apr.history.push_back(history_line(used));
  context.report(1.0, "converted");
  return apr;
}

}  // namespace aprscope

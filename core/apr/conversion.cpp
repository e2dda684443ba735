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

Result<LinearAccess> find_particles(const Pixels<std::uint8_t>& levels, const Size3& size,
                                    const ConversionParameters& p, const JobContext& context) {
  const int level_max = finest_level(size);
  if (level_max == 1) return every_pixel(size);
  CellSet cells;
  if (!pulling_scheme(levels, size, level_max, p.neighbourhood_optimisation, cells,
                      context.part(0.0, 0.5))) {
    return cancelled_error();
  }
  return particles_of(cells, size, level_max, context.part(0.5, 1.0));
}

Result<std::shared_ptr<const AprAccess>> access_of(const Pixels<std::uint8_t>& levels,
                                                   const Size3& size, const ConversionParameters& p,
                                                   const JobContext& context) {
  auto particles = find_particles(levels, size, p, context.part(0.0, 0.7));
  if (!particles) return particles.error();
  if (context.stop_requested()) return cancelled_error();
  context.report(0.7, "tree");
  auto access = AprAccess::create(std::move(*particles));
  if (context.stop_requested()) return cancelled_error();
  return access;
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
    const int level_max = finest_level(input.image_size);
    Pixels<std::uint8_t> levels;
    if (level_max > 1 && !local_levels(input, p, level_max, levels, context.part(0.2, 0.4))) {
      return cancelled_error();
    }
    return access_of(levels, input.image_size, p, context.part(0.4, 1.0));
  } catch (const std::bad_alloc&) {
    return not_enough_memory(input.image_size);
  }
}

namespace {

// The local levels of an image in memory, from gradient and scale that are kept until the
// thresholds are known.
Status levels_of(const Volume& volume, ConversionParameters& p, Pixels<std::uint8_t>& levels,
                 const JobContext& context) {
  const Size3 half = half_size(volume.size());
  const std::int64_t count = half.count();
  Scratch<float> gradient(count);
  Scratch<float> scale(count);
  const HalfPlanes planes{{gradient.data(), half.x, half.y, half.z},
                          {scale.data(), half.x, half.y, half.z},
                          {nullptr, half.x, half.y, half.z}};
  RawSlices slices(volume);
  const auto made = make_half_planes(
      slices, p, planes, p.intensity_th, [](std::int64_t, std::int64_t) { return Status(); },
      context.part(0.0, 0.8));
  if (!made) return made.error();
  if (made->constant_scale) {
    std::fill(scale.data(), scale.data() + count, *made->constant_scale);
  }
  const MaskedVoxels voxels{gradient.data(), scale.data(), count, made->noise};
  if (p.auto_thresholds) {
    context.report(0.8, "thresholds");
    const Thresholds found = masked_thresholds(voxels);
    p.sigma_th = found.sigma_th;
    p.grad_th = found.grad_th;
  }
  const int level_max = finest_level(volume.size());
  if (context.stop_requested()) return cancelled_error();
  if (level_max == 1) return {};
  levels = Pixels<std::uint8_t>(half);
  if (!local_levels(voxels, LevelRule(p, level_max), levels.values.data(),
                    context.part(0.9, 1.0))) {
    return cancelled_error();
  }
  return {};
}

Result<Apr> convert_in_memory(const Volume& volume, const ConversionParameters& parameters,
                              const JobContext& context) {
  ConversionParameters used = parameters;
  std::shared_ptr<const AprAccess> access;
  {
    Pixels<std::uint8_t> levels;
    if (Status made = levels_of(volume, used, levels, context.part(0.0, 0.7)); !made) {
      return made.error();
    }
    auto built = access_of(levels, volume.size(), used, context.part(0.7, 0.85));
    if (!built) return built.error();
    access = *built;
  }
  auto values = sample_particles(volume, *access, context.part(0.85, 1.0), parameters.rounding);
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

}  // namespace

Result<Apr> convert(const Volume& volume, const ConversionParameters& parameters,
                    const JobContext& context) {
  if (Status fine = check_conversion(volume.size(), parameters); !fine) return fine.error();
  try {
    return convert_in_memory(volume, parameters, context);
  } catch (const std::bad_alloc&) {
    return not_enough_memory(volume.size());
  }
}

}  // namespace aprscope

#include "core/apr/convert/conversion.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/apr/convert/cell_lists.hpp"
#include "core/apr/convert/conversion_check.hpp"
#include "core/apr/convert/conversion_result.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/half_planes.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/thresholds.hpp"

namespace aprscope {
namespace {

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
    LevelMap levels;
    if (level_max > 1) {
      levels = LevelMap(input.image_size, level_max);
      if (!add_levels(input, p, level_max, levels, context.part(0.2, 0.4))) {
        return cancelled_error();
      }
    }
    return access_of(std::move(levels), input.image_size, p, context.part(0.4, 1.0));
  } catch (const std::bad_alloc&) {
    return not_enough_memory(input.image_size);
  }
}

namespace {

// The local levels of an image in memory, from gradient and scale that are kept until the
// thresholds are known; `spare` receives memory that they no longer need.
Status levels_of(const Volume& volume, ConversionParameters& p, LevelMap& levels,
                 Scratch<float>& spare, const JobContext& context) {
  const Size3 half = half_size(volume.size());
  const std::int64_t count = half.count();
  Scratch<float> gradient(count, Pages::huge);
  Scratch<float> scale(count, Pages::huge);
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
    const Thresholds found = masked_thresholds(voxels, !made->masked);
    p.sigma_th = found.sigma_th;
    p.grad_th = found.grad_th;
  }
  const int level_max = finest_level(volume.size());
  if (context.stop_requested()) return cancelled_error();
  if (level_max == 1) return {};
  levels = LevelMap(volume.size(), level_max);
  if (!add_levels(voxels, LevelRule(p, level_max), 0, half.z, levels, context.part(0.9, 1.0))) {
    return cancelled_error();
  }
  spare = std::move(gradient);
  return {};
}

Result<Apr> convert_in_memory(const Volume& volume, const ConversionParameters& parameters,
                              const JobContext& context) {
  ConversionParameters used = parameters;
  std::shared_ptr<const AprAccess> access;
  {
    LevelMap levels;
    Scratch<float> spare;
    if (Status made = levels_of(volume, used, levels, spare, context.part(0.0, 0.7)); !made) {
      return made.error();
    }
    auto built = access_of(std::move(levels), volume.size(), used, context.part(0.7, 0.85),
                           std::move(spare));
    if (!built) return built.error();
    access = *built;
  }
  auto values = sample_particles(volume, *access, context.part(0.85, 1.0), parameters.rounding);
  if (!values) return values.error();
  context.report(1.0, "converted");
  return converted_apr(std::move(access), std::move(*values), volume, used);
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

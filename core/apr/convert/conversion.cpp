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
#include "core/apr/convert/pulling_scheme.hpp"
#include "core/apr/convert/sampling.hpp"
#include "core/apr/convert/thresholds.hpp"

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

Result<std::shared_ptr<const AprAccess>> access_of(const LevelMap& levels, const Size3& size,
                                                   const ConversionParameters& p,
                                                   const JobContext& context,
                                                   Scratch<float> spare = {}) {
  const int level_max = finest_level(size);
  if (level_max == 1) {
    auto particles = every_pixel(size);
    if (!particles) return particles.error();
    return AprAccess::create(*std::move(particles));
  }
  CellSet cells;
  if (!pulling_scheme(levels, size, level_max, p.neighbourhood_optimisation, cells,
                      context.part(0.0, 0.4))) {
    return cancelled_error();
  }
  auto particles = particles_of(cells, size, level_max, context.part(0.4, 0.8), std::move(spare));
  if (!particles) return cancelled_error();
  auto tree = interior_of(cells, size, level_max, context.part(0.8, 0.9));
  if (!tree) return cancelled_error();
  return AprAccess::create(*std::move(particles), *std::move(tree));
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
    return access_of(levels, input.image_size, p, context.part(0.4, 1.0));
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
    auto built = access_of(levels, volume.size(), used, context.part(0.7, 0.85), std::move(spare));
    if (!built) return built.error();
    access = *built;
  }
  auto values = sample_particles(volume, *access, context.part(0.85, 1.0), parameters.rounding);
  if (!values) return values.error();
  context.report(1.0, "converted");
  return converted_apr(std::move(access), std::move(*values), volume, used);
}

// The local levels of an image whose slices come one after the other, in as many passes as the
// thresholds take: statistics first, then the samples, then the levels.
class LevelPasses {
 public:
  LevelPasses(SliceSource& source, const ConversionParameters& parameters)
      : slices_(source),
        used_(parameters),
        half_(half_size(source.size())),
        slots_(half_slots(source.size(), parameters)),
        plane_(half_.x * half_.y),
        gradient_(slots_ * plane_),
        scale_(slots_ * plane_) {}

  Status run(LevelMap& levels, const JobContext& context) {
    // With fewer voxels than twice the limit every voxel counts, up to the limit.
    const bool at_once = half_.count() < 2 * kThresholdSamples;
    ThresholdSamples samples(used_.auto_thresholds && at_once ? half_.count() : 0);
    std::int64_t found = 0;
    auto summary = pass(context.part(0.0, 0.4), [&](const MaskedVoxels& voxels, std::int64_t) {
      if (used_.auto_thresholds && at_once) samples.add(voxels);
      if (!at_once) found += count_voxels(voxels);
    });
    if (!summary) return summary.error();
    if (used_.auto_thresholds) {
      if (!at_once) {
        samples = ThresholdSamples(found);
        summary = pass(context.part(0.4, 0.6),
                       [&](const MaskedVoxels& voxels, std::int64_t) { samples.add(voxels); });
        if (!summary) return summary.error();
      }
      if (summary->constant_scale) samples.set_scale(*summary->constant_scale);
      const Thresholds thresholds = samples.thresholds(summary->noise);
      used_.sigma_th = thresholds.sigma_th;
      used_.grad_th = thresholds.grad_th;
      samples = ThresholdSamples(0);
    }
    const int level_max = finest_level(slices_.size());
    if (level_max == 1) return {};
    levels = LevelMap(slices_.size(), level_max);
    const LevelRule rule(used_, level_max);
    const HalfSummary known = *summary;
    std::vector<float> constant;
    if (known.constant_scale) {
      constant.assign(static_cast<std::size_t>(plane_), *known.constant_scale);
    }
    const auto last = pass(context.part(0.6, 1.0), [&](const MaskedVoxels& voxels, std::int64_t h) {
      add_levels({voxels.gradient, constant.empty() ? voxels.scale : constant.data(), voxels.count,
                  known.noise},
                 rule, h, h + 1, levels, {});
    });
    if (!last) return last.error();
    return {};
  }

  [[nodiscard]] RawSlices& slices() { return slices_; }
  [[nodiscard]] const ConversionParameters& used() const { return used_; }

 private:
  // Calls visit(voxels, h) for each plane of the half grid, in order.
  template <class Visit>
  Result<HalfSummary> pass(const JobContext& context, const Visit& visit) {
    const HalfPlanes planes{{gradient_.data(), half_.x, half_.y, slots_},
                            {scale_.data(), half_.x, half_.y, slots_},
                            {nullptr, half_.x, half_.y, slots_}};
    return make_half_planes(
        slices_, used_, planes, used_.intensity_th,
        [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t h = begin; h < end; ++h) {
            visit({planes.gradient.row(h, 0), planes.scale.row(h, 0), plane_, 0.0F}, h);
          }
          return Status();
        },
        context);
  }

  RawSlices slices_;
  ConversionParameters used_;
  Size3 half_;
  std::int64_t slots_;
  std::int64_t plane_;
  Scratch<float> gradient_, scale_;
};

Result<Apr> convert_in_passes(SliceSource& source, const ConversionParameters& parameters,
                              const JobContext& context) {
  std::shared_ptr<const AprAccess> access;
  auto passes = std::make_unique<LevelPasses>(source, parameters);
  {
    LevelMap levels;
    if (Status made = passes->run(levels, context.part(0.0, 0.75)); !made) return made.error();
    auto built = access_of(levels, source.size(), passes->used(), context.part(0.75, 0.85));
    if (!built) return built.error();
    access = *built;
  }
  const ConversionParameters used = passes->used();
  passes.reset();
  RawSlices slices(source);
  auto values = sample_slices(slices, *access, parameters.rounding, context.part(0.85, 1.0));
  if (!values) return values.error();
  context.report(1.0, "converted");
  return converted_apr(std::move(access), std::move(*values), source.header(), used);
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

Result<Apr> convert_slices(SliceSource& source, const ConversionParameters& parameters,
                           const JobContext& context) {
  if (Status fine = check_conversion(source.size(), parameters); !fine) return fine.error();
  try {
    return convert_in_passes(source, parameters, context);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory to convert slice by slice", "conversion", "close other data"};
  }
}

}  // namespace aprscope

#pragma once

#include <functional>
#include <optional>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/half_grid.hpp"
#include "core/apr/convert/raw_slices.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// What is known about the whole half grid once all planes were made.
struct HalfSummary {
  /// Gradients up to this are rounding errors.
  float noise = 0.0F;
  /// The mask has left out voxels.
  bool masked = false;
  /// The scale where it is the same everywhere; nothing was written to the planes of the scale.
  std::optional<float> constant_scale;
};

/// Steps 1–4 for an image whose slices come one after the other: gradient (rounding errors are not
/// yet removed), intensity and local scale on the half grid, in ascending planes. After each block
/// of slices `finished(begin, end)` is called with the planes that have become complete. Without
/// `mask` and without a base for the intensity, the intensity is not kept; with `mask` the gradient
/// is −1 where the intensity is at or below it. Errors: those of the slices, values that are not
/// finite, cancelled. Throws std::bad_alloc.
Result<HalfSummary> make_half_planes(
    RawSlices& slices, const ConversionParameters& parameters, const HalfPlanes& out,
    std::optional<float> mask,
    const std::function<Status(std::int64_t begin, std::int64_t end)>& finished,
    const JobContext& context);

/// Planes that must be kept so that a block's worth may be made while none is lost that is not
/// complete: the slots of `out` above that make_half_planes() needs at least.
std::int64_t half_slots(const Size3& image_size, const ConversionParameters& parameters);

}  // namespace aprscope

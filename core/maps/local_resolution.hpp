#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

struct LocalResolutionSettings {
  /// Voxels of the soft ball in which the halves are compared.
  double radius = 12.0;
  /// The correlation at which the resolution is read.
  double threshold = 0.5;
  /// Voxels between the places where it is; what lies between is interpolated.
  std::int64_t step = 4;
};

/// The local resolution of two half maps of `side`³ values at each voxel, in voxels: where the
/// Fourier shell correlation of both, times a ball with a raised-cosine edge, first falls below the
/// threshold (Cardone, Heymann & Steven 2013). Results lie between 2 (Nyquist) and the side of the
/// ball's box. Outside the maps values count as 0. `mask`: where it is below a half the result is
/// 0; empty: no mask. Same bits for any number of threads. Errors: other lengths, a ball that does
/// not fit the box, no memory, cancelled.
Result<std::vector<float>> local_resolution(std::span<const float> first,
                                            std::span<const float> second, std::int64_t side,
                                            std::span<const float> mask,
                                            const LocalResolutionSettings& settings,
                                            const JobContext& context = {});

}  // namespace aprscope

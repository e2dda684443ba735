#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Correlation of two maps (side³ voxels) on each Fourier shell round(|k|), 0 … side/2:
/// Re Σ F1 F2* ÷ √(Σ|F1|² Σ|F2|²) (Harauz & van Heel 1986); 0 where a map has nothing. Errors: no
/// memory, cancelled.
Result<std::vector<double>> map_shell_correlation(std::span<const float> a,
                                                  std::span<const float> b, std::int64_t side,
                                                  const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Half the opening of the cones of directional_fsc(), degrees.
inline constexpr double kConeDegrees = 20.0;

/// Correlations of two maps along directions. Shells in which a cone has few frequencies are NaN.
struct DirectionalFsc {
  /// Unit vectors (x, y, z) all round a half sphere, and a curve over shells 0 … side / 2 for each.
  std::vector<std::array<double, 3>> directions;
  std::vector<std::vector<double>> curves;
  /// Lowest and highest value over all directions, for each shell.
  std::vector<double> lowest, highest;
};

/// Fourier shell correlations (see shells.hpp) of two cubic maps of `side`³ values, each over the
/// frequencies of a double cone of kConeDegrees round a direction (directional FSC, Tan et al.
/// 2017, Nat. Methods 14:793): where views are missing, curves along some directions fall early.
/// The same bits for any number of threads. Errors: other lengths, no memory, cancelled.
Result<DirectionalFsc> directional_fsc(std::span<const float> first, std::span<const float> second,
                                       std::int64_t side, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/image/colormap.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Counts of values in equal bins over [minimum, maximum]; values that are not finite are left out.
struct Histogram {
  double minimum = 0.0;
  double maximum = 0.0;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> bins;

  /// Value below which `fraction` of the values lie, interpolated inside its bin.
  [[nodiscard]] double quantile(double fraction) const;
};

/// Histogram of values, each counted `weight` times where weights are given (the pixels that a
/// particle covers). Integer-valued data in a range below `bins` get one bin a grey value.
Histogram histogram(std::span<const float> values, int bins = 256,
                    std::span<const float> weights = {});
Histogram histogram(const Volume& volume, int bins = 256);

/// Contrast limits that make most images look right: low at the 1 % quantile, high at 99.9 %.
Contrast automatic_contrast(const Histogram& histogram);

}  // namespace aprscope

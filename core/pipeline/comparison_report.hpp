#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/image/metrics.hpp"
#include "core/image/profile.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope {

/// One side of a comparison, for tables and figures.
struct ComparedSide {
  std::string name;
  /// "pixels", "particles, constant", "particles, smooth".
  std::string shown_as;
  std::vector<StepCost> costs;
  /// Of the data; particles and CR are 0 for pixels.
  std::uint64_t bytes = 0;
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
};
ComparedSide compared_side(const std::string& name, const Dataset& data, ReconstructionMode mode,
                           std::vector<StepCost> costs = {});

/// What a comparison found; metrics that were not measured are none.
struct ComparisonReport {
  ComparedSide a;
  ComparedSide b;
  Axis axis = Axis::z;
  std::int64_t index = 0;
  std::optional<ImageMetrics> slice;
  std::optional<ImageMetrics> volume;
};

/// CSV with the columns of, quantity, value, unit: metrics of the slice and of the volume (an
/// infinite PSNR, of equal images, is "inf"), then seconds a step, bytes and peak of both sides.
std::string report_csv(const ComparisonReport& report);

/// CSV of two profiles along one line: distance and both values.
std::string profile_csv(const LineProfile& a, const LineProfile& b, const std::string& unit);

/// "PSNR 31.20 dB · SSIM 0.9512 · NRMSE 0.0271 · largest difference 120"; "equal" for equal images.
std::string metrics_line(const ImageMetrics& metrics);

/// "0.42 s · 12.6 MB · CPU, 2 threads"; what is not known is left out.
std::string cost_line(const ComparedSide& side);

}  // namespace aprscope

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
  /// Bytes, particles and CR of the data; the last two are 0 for pixels.
  std::uint64_t bytes = 0;
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
};
ComparedSide compared_side(const std::string& name, const Dataset& data, ReconstructionMode mode,
                           std::vector<StepCost> costs = {});

/// The cost of the steps that led to a side: the same numbers in window, figures and CSV.
struct SideCosts {
  /// Time of all steps but the conversion; none without such steps, or where it is unknown.
  std::optional<double> steps_seconds;
  /// Seconds that making the particles took.
  std::optional<double> conversion_seconds;
  /// The most memory of the process during such a step, beyond what it held before the step.
  std::optional<std::uint64_t> steps_peak_bytes;
  /// Backends of all steps and of the conversion; see TotalCost.
  std::string backend;
};
SideCosts side_costs(const std::vector<StepCost>& costs);

/// "B's steps were 1.8 × faster; B holds 4.0 × less memory"; what is not known is left out.
std::string cost_summary(const ComparedSide& a, const ComparedSide& b);

/// "39 ms", "2.41 s", "12.0 s".
std::string duration_text(double seconds);

/// The results of a comparison; metrics that were not measured are none.
struct ComparisonReport {
  ComparedSide a;
  ComparedSide b;
  Axis axis = Axis::z;
  std::int64_t index = 0;
  std::optional<ImageMetrics> slice;
  std::optional<ImageMetrics> volume;
};

/// CSV with the columns of, quantity, value, unit: metrics of the slice and of the volume (an
/// infinite PSNR, of equal images, is "inf"), then of both sides the seconds of each step and the
/// figures of SideCosts, with the bytes that the data hold.
std::string report_csv(const ComparisonReport& report);

/// CSV of two profiles along one line: distance and both values.
std::string profile_csv(const LineProfile& a, const LineProfile& b, const std::string& unit);

/// Metrics in one line: "PSNR 31.20 dB · SSIM 0.9512 · …"; "equal" for equal images.
std::string metrics_line(const ImageMetrics& metrics);

/// "steps 420 ms · conversion 66 ms · holds 12.6 MB · CR 21.0 · CPU, 2 threads"; what is not known
/// is left out.
std::string cost_line(const ComparedSide& side);

}  // namespace aprscope

#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/dataset/dataset.hpp"
#include "core/deconvolution/iterate/richardson_lucy_report.hpp"
#include "core/operations/deconvolve/deconvolution_plan.hpp"

namespace aprscope {

/// How fine the detail is that two halves of the photons agree on, along each axis.
struct MeasuredResolution {
  /// Lengths along z, x, y; NaN where the image has no such axis, or is too small to tell.
  std::array<double, 3> length{std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::quiet_NaN()};
  /// Whether a length is two voxels, the finest possible: the halves agree on all detail.
  std::array<bool, 3> by_voxels{};
  std::string unit;
  friend bool operator==(const MeasuredResolution&, const MeasuredResolution&) = default;
};

/// The result of the iterations, and a description of the blur.
struct DeconvolutionOutcome {
  Deconvolved result;
  std::string description;
  std::optional<MeasuredResolution> resolution{};
};

/// Computes a plan on a device: Richardson–Lucy on the values of `input`, from `given` where the
/// plan's options say so; see richardson_lucy().
using DeconvolutionEngine = std::function<Result<DeconvolutionOutcome>(
    const DeconvolutionPlan& plan, const Dataset& input, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context)>;

}  // namespace aprscope

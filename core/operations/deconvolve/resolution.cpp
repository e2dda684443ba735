#include "core/operations/deconvolve/resolution.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/apr/sample/reconstruction.hpp"
#include "core/maps/axis_fsc.hpp"
#include "core/maps/shells.hpp"
#include "core/operations/deconvolve/thinned_data.hpp"

namespace aprscope {
namespace {

constexpr std::array<const char*, 3> kAxes{"z", "x", "y"};

// Says which part of the work the stages of the iterations belong to.
JobContext named(const JobContext& context, const std::string& name) {
  return JobContext(context.stop_token(),
                    [context, name](double fraction, std::string_view stage) {
                      context.report(fraction, name + ", " + std::string(stage));
                    })
      .listening([context](const DeviceMove& move) { context.moved(move); });
}

Result<std::vector<float>> pixels_of(const Dataset& input, std::vector<float> values,
                                     const JobContext& context) {
  if (!input.is_apr()) return values;
  auto made = reconstruct(*input.apr().access, values, ReconstructionMode::constant,
                          whole(input.size()), JobContext(context.stop_token()));
  if (!made) return made.error();
  return std::move(made->values);
}

MeasuredResolution resolution_of(const AxisFsc& fsc, const Dataset& input) {
  const Size3& n = input.size();
  const VoxelSize& voxel = input.voxel();
  const std::array<std::int64_t, 3> sides{n.z, n.x, n.y};
  const std::array<double, 3> steps{voxel.z, voxel.x, voxel.y};
  MeasuredResolution out;
  out.unit = voxel.unit;
  for (std::size_t d = 0; d < 3; ++d) {
    if (fsc.curves[d].empty()) continue;
    const auto found = crossing(fsc.curves[d], kResolutionThreshold, sides[d], steps[d]);
    out.by_voxels[d] = !found;
    out.length[d] = found.value_or(2.0 * steps[d]);
  }
  return out;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

}  // namespace

std::vector<NamedFigure> figures_of(const MeasuredResolution& resolution) {
  std::vector<NamedFigure> all;
  for (std::size_t d = 0; d < 3; ++d) {
    if (std::isnan(resolution.length[d])) continue;
    all.push_back({std::string("resolution_") + kAxes[d],
                   std::string("Resolution in ") + kAxes[d] + " (" + kResolutionCriterion + ")",
                   resolution.unit, resolution.length[d]});
  }
  return all;
}

std::string text_of(const MeasuredResolution& resolution) {
  std::string lengths;
  std::string axes;
  bool by_voxels = false;
  for (std::size_t d = 0; d < 3; ++d) {
    if (std::isnan(resolution.length[d])) continue;
    lengths += (lengths.empty() ? "" : ", ") + std::string(resolution.by_voxels[d] ? "≤ " : "") +
               digits(resolution.length[d]);
    axes += (axes.empty() ? "" : ", ") + std::string(kAxes[d]);
    by_voxels |= resolution.by_voxels[d];
  }
  if (lengths.empty()) return "no resolution: the image is too small";
  return "resolution " + lengths + " " + resolution.unit + " in " + axes + " (" +
         kResolutionCriterion + (by_voxels ? "; ≤: finer than the voxels show" : "") + ")";
}

Result<std::optional<MeasuredResolution>> measure_resolution(
    const DeconvolutionPlan& plan, const Dataset& input, std::span<const float> given,
    int iterations, const RichardsonLucyHooks& hooks, const JobContext& context,
    const DeconvolutionEngine& engine) {
  DeconvolutionPlan half = plan;
  half.hold_out.reset();
  half.options.offset = 0.0F;
  half.options.iterations = iterations;
  half.options.stop_change = 0.0;
  RichardsonLucyHooks quiet;
  quiet.keep = hooks.keep;
  std::array<std::vector<float>, 2> halves;
  {
    auto thinned = hold_out(input, plan.options.offset, *plan.resolution, context.part(0.0, 0.02));
    if (!thinned) return thinned.error();
    halves = {std::move(thinned->kept), std::move(thinned->held_out)};
  }
  double from = 0.02;
  for (std::size_t i = 0; i < 2; ++i, from += 0.44) {
    const auto data = with_values(input, std::move(halves[i]));
    auto outcome = engine(half, *data, given, quiet,
                          named(context.part(from, from + 0.44),
                                i == 0 ? "resolution, first half" : "resolution, second half"));
    if (!outcome) return outcome.error();
    if (outcome->result.partial) return std::optional<MeasuredResolution>();
    auto pixels = pixels_of(input, std::move(outcome->result.values), context);
    if (!pixels) return pixels.error();
    halves[i] = *std::move(pixels);
  }
  const VoxelSize& voxel = input.voxel();
  const auto fsc = axis_fsc(halves[0], halves[1], input.size(), {voxel.z, voxel.x, voxel.y},
                            context.part(0.9, 1.0));
  if (!fsc) return fsc.error();
  return std::optional<MeasuredResolution>(resolution_of(*fsc, input));
}

}  // namespace aprscope

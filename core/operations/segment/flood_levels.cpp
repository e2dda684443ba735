#include "core/operations/segment/flood_levels.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/base/digits.hpp"
#include "core/cells/particle_walls.hpp"
#include "core/filter/pixel_filter.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

// Defaults, found on synthetic tissues of three kinds with eight mixtures of noise and voxels, and
// on two real ones: noise left relative to the contrast of walls; the part of that contrast, and
// the multiple of the noise, that a wall must have.
constexpr double kNoiseLeft = 1.0 / 30.0;
constexpr double kWallContrast = 1.0 / 5.0;
constexpr double kWallNoise = 4.0;
// More smoothing than this many voxels of the coarsest axis is never chosen.
constexpr double kMostSmoothing = 2.0;
// Distances are known to about half a voxel on each side of a neck.
constexpr double kNeckVoxels = 1.0;
// Significant digits of the numbers that are chosen.
constexpr int kDigits = 3;

// The share of the standard deviation of white noise that a Gaussian leaves.
double noise_left(double sigma, const Dataset& input) {
  double left = 1.0;
  for (const double along : sigma_in_pixels(sigma, input)) {
    if (!(along > 0.0)) continue;
    double squares = 0.0;
    for (const double w : gaussian_stencil({0.0, 0.0, along}).weights) squares += w * w;
    left *= std::sqrt(squares);
  }
  return left;
}

// The least smoothing that leaves so little noise, to a thousandth of the coarsest voxel.
double smoothing_for(const WallSignal& signal, const Dataset& input) {
  const double wanted = kNoiseLeft * signal.contrast;
  if (signal.noise <= wanted) return 0.0;
  const VoxelSize& voxel = input.voxel();
  const double unit = std::max({voxel.z, voxel.x, voxel.y}) / 1000.0;
  int little = 0;
  int much = static_cast<int>(1000.0 * kMostSmoothing);
  while (much - little > 1) {
    const int middle = (little + much) / 2;
    (signal.noise * noise_left(unit * middle, input) > wanted ? little : much) = middle;
  }
  return unit * much;
}

}  // namespace

std::array<double, 3> sigma_in_pixels(double sigma, const Dataset& input) {
  const VoxelSize& voxel = input.voxel();
  const Size3 n = input.size();
  return {n.z > 1 ? sigma / voxel.z : 0.0, n.x > 1 ? sigma / voxel.x : 0.0,
          n.y > 1 ? sigma / voxel.y : 0.0};
}

FloodLevels asked_levels(const Operation& operation) {
  return {parameter<double>(operation, "smooth"), parameter<double>(operation, "depth"),
          parameter<double>(operation, "merge")};
}

bool are_given(const FloodLevels& levels) {
  return levels.smooth >= 0.0 && levels.depth > 0.0 && levels.merge >= 0.0;
}

WallSignal wall_signal_of(const Dataset& input) {
  if (input.is_apr()) return particle_signal(*input.apr().access, input.values().particles());
  return std::visit([](const auto& pixels) { return wall_signal(pixels); }, input.volume().pixels);
}

FloodLevels chosen_levels(const FloodLevels& asked, bool of_distance, const Dataset& input,
                          const std::optional<WallSignal>& known) {
  FloodLevels out = asked;
  if (of_distance) {
    const VoxelSize& voxel = input.voxel();
    const Size3 n = input.size();
    double coarsest = std::max(voxel.x, voxel.y);
    if (n.z > 1) coarsest = std::max(coarsest, voxel.z);
    out.smooth = 0.0;
    if (out.depth == 0.0) out.depth = to_digits(kNeckVoxels * coarsest, kDigits);
    out.merge = std::max(0.0, out.merge);
    return out;
  }
  if (are_given(out)) return out;
  const WallSignal signal = known ? *known : wall_signal_of(input);
  // Particles are averages of many pixels where there is little but noise.
  if (out.smooth < 0.0)
    out.smooth = input.is_apr() ? 0.0 : to_digits(smoothing_for(signal, input), kDigits);
  const double noise = signal.noise * noise_left(out.smooth, input);
  if (out.depth == 0.0) out.depth = to_digits(noise, kDigits);
  if (out.merge < 0.0) {
    out.merge = to_digits(std::max(kWallContrast * signal.contrast, kWallNoise * noise), kDigits);
  }
  return out;
}

}  // namespace aprscope

#include "core/maps/guinier.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace aprscope {
namespace {

constexpr std::int64_t kFewestShells = 3;

}  // namespace

Guinier guinier(std::span<const double> amplitude, std::int64_t side, double voxel, double from,
                double to) {
  Guinier plot;
  plot.from = from;
  plot.to = to;
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  for (std::size_t s = 0; s < amplitude.size(); ++s) {
    const double k = static_cast<double>(s) / (static_cast<double>(side) * voxel);
    const double ln =
        amplitude[s] > 0.0 ? std::log(amplitude[s]) : std::numeric_limits<double>::quiet_NaN();
    plot.squared_frequency.push_back(k * k);
    plot.log_amplitude.push_back(ln);
    // A tolerance of 1e-9, so that a shell at the very end of a typed range is inside.
    const bool inside = k * from >= 1.0 - 1e-9 && k * to <= 1.0 + 1e-9;
    if (!inside || std::isnan(ln)) continue;
    ++plot.shells;
    x += k * k;
    y += ln;
    xx += k * k * k * k;
    xy += k * k * ln;
    yy += ln * ln;
  }
  if (plot.shells < kFewestShells) return plot;
  const auto n = static_cast<double>(plot.shells);
  const double vx = xx - x * x / n;
  const double vy = yy - y * y / n;
  const double vxy = xy - x * y / n;
  if (!(vx > 0.0)) return plot;
  const double slope = vxy / vx;
  plot.line = {(y - slope * x) / n, slope, vy > 0.0 ? vxy / std::sqrt(vx * vy) : 0.0};
  return plot;
}

}  // namespace aprscope

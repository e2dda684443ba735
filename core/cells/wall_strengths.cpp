#include "core/cells/wall_strengths.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace aprscope {
namespace {

constexpr double kNoStrength = std::numeric_limits<double>::quiet_NaN();
// A wall of this part of what is common is as good as any.
constexpr double kStrong = 0.5;

}  // namespace

std::vector<double> wall_strengths(const std::vector<LabelRow>& rows,
                                   const std::vector<WallStatistics>& between, bool dark) {
  const auto row_of = [&](std::uint32_t label) {
    const auto at = std::lower_bound(
        rows.begin(), rows.end(), label,
        [](const LabelRow& row, std::uint32_t asked) { return row.label < asked; });
    return static_cast<std::size_t>(at - rows.begin());
  };
  const double sign = dark ? -1.0 : 1.0;
  const auto inside = [&](std::size_t row) {
    const auto& intensities = rows[row].intensities;
    return intensities.empty() ? kNoStrength : sign * intensities.front().mean;
  };
  std::vector<double> out(rows.size(), kNoStrength);
  std::vector<double> heights;
  for (const WallStatistics& wall : between) {
    const double most = std::max(inside(row_of(wall.a)), inside(row_of(wall.b)));
    heights.push_back(sign * wall.median - most);
  }
  std::vector<double> known;
  std::copy_if(heights.begin(), heights.end(), std::back_inserter(known),
               [](double height) { return std::isfinite(height); });
  if (known.empty()) return out;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>((known.size() - 1) / 2);
  std::nth_element(known.begin(), middle, known.end());
  // Walls that are none have nothing to be compared with.
  if (!(*middle > 0.0)) return out;
  for (std::size_t i = 0; i < between.size(); ++i) {
    if (!std::isfinite(heights[i])) continue;
    const double strength = std::clamp(heights[i] / (kStrong * *middle), 0.0, 1.0);
    for (const std::uint32_t label : {between[i].a, between[i].b}) {
      double& its = out[row_of(label)];
      its = std::isnan(its) ? strength : std::min(its, strength);
    }
  }
  return out;
}

}  // namespace aprscope

#include "core/projections/directions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aprscope {

DirectionHistogram count_directions(const ProjectionTable& table, const SymmetryGroup& group) {
  DirectionHistogram out;
  out.counts.assign(static_cast<std::size_t>(out.rows * out.columns), 0.0);
  const auto place = [](double share, int count) {
    return std::clamp(static_cast<int>(std::floor(share * count)), 0, count - 1);
  };
  const auto count = [&](const Vector3& view) {
    const int row = place((1.0 - view[2]) / 2.0, out.rows);
    const double rot = std::atan2(view[1], view[0]);
    const int column = place((rot + std::numbers::pi) / (2.0 * std::numbers::pi), out.columns);
    out.counts[static_cast<std::size_t>(row * out.columns + column)] += 1.0;
  };
  for (const Projection& row : table.rows) {
    if (!row.enabled) continue;
    const Vector3 view = orientation_of(row).rows[2];
    if (!std::isfinite(view[0] + view[1] + view[2])) continue;
    if (group.rotations.empty()) count(view);
    for (const Rotation& rotation : group.rotations) count(rotation * view);
  }
  return out;
}

}  // namespace aprscope

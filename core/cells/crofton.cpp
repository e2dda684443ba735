#include "core/cells/crofton.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

// The part of a polygon where `normal` · p ≥ 0.
std::vector<Vector> clipped(const std::vector<Vector>& polygon, const Vector& normal) {
  std::vector<Vector> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector& a = polygon[i];
    const Vector& b = polygon[(i + 1) % polygon.size()];
    const double at_a = dot(normal, a);
    const double at_b = dot(normal, b);
    if (at_a >= 0.0) out.push_back(a);
    if ((at_a >= 0.0) == (at_b >= 0.0)) continue;
    const double t = at_a / (at_a - at_b);
    out.push_back({a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])});
  }
  return out;
}

// Solid angle of a triangle of unit vectors (Van Oosterom and Strackee, 1983).
double solid_angle(const Vector& a, const Vector& b, const Vector& c) {
  const double over = std::abs(dot(a, cross(b, c)));
  return 2.0 * std::atan2(over, 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
}

// The part of the sphere that is nearer to `directions[which]` than to the others and all
// opposites: seen from the centre, a polygon on the plane that touches the sphere there.
double share_of_sphere(const std::vector<Vector>& directions, std::size_t which) {
  const Vector& u = directions[which];
  const Vector helper = std::abs(u[0]) < 0.9 ? Vector{1.0, 0.0, 0.0} : Vector{0.0, 1.0, 0.0};
  const Vector s = unit(cross(u, helper));
  const Vector t = cross(u, s);
  constexpr double kFar = 1e4;
  std::vector<Vector> polygon;
  for (const auto& [f, g] :
       {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)}) {
    Vector corner{};
    for (std::size_t k = 0; k < 3; ++k) corner[k] = u[k] + kFar * (f * s[k] + g * t[k]);
    polygon.push_back(corner);
  }
  for (std::size_t i = 0; i < directions.size(); ++i) {
    if (i == which) continue;
    for (const double sign : {1.0, -1.0}) {
      Vector nearer{};
      for (std::size_t k = 0; k < 3; ++k) nearer[k] = u[k] - sign * directions[i][k];
      polygon = clipped(polygon, nearer);
    }
  }
  double all = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    all += solid_angle(u, unit(polygon[i]), unit(polygon[(i + 1) % polygon.size()]));
  }
  // Twice, as both ends of the direction count.
  return 2.0 * all / (4.0 * std::numbers::pi);
}

}  // namespace

CroftonWeights::CroftonWeights(const VoxelSize& voxel) {
  const Vector side{voxel.z, voxel.x, voxel.y};
  std::vector<Vector> directions;
  std::array<double, 13> step{};
  for (std::size_t d = 0; d < step.size(); ++d) {
    Vector v{};
    for (std::size_t k = 0; k < 3; ++k) v[k] = side[k] * LabelSums::kDirections[d][k];
    step[d] = std::sqrt(dot(v, v));
    directions.push_back(unit(v));
  }
  const double volume = side[0] * side[1] * side[2];
  for (std::size_t d = 0; d < step.size(); ++d) {
    // Each line of a direction stands for an area of volume / step.
    area_[d] = 2.0 * share_of_sphere(directions, d) * volume / step[d];
  }
  // In the plane: directions by angle from y; a line stands for a length of area / step.
  std::vector<std::pair<double, std::size_t>> angles;
  for (std::size_t d = 0; d < step.size(); ++d) {
    if (LabelSums::kDirections[d][0] != 0) continue;
    double angle = std::atan2(directions[d][1], directions[d][2]);
    if (angle < 0.0) angle += std::numbers::pi;
    angles.emplace_back(angle, d);
  }
  std::sort(angles.begin(), angles.end());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const std::size_t last = angles.size() - 1;
    const double before = i == 0 ? angles[last].first - std::numbers::pi : angles[i - 1].first;
    const double after = i == last ? angles[0].first + std::numbers::pi : angles[i + 1].first;
    const std::size_t d = angles[i].second;
    const double share = (after - before) / (2.0 * std::numbers::pi);
    length_[d] = std::numbers::pi / 2.0 * share * side[1] * side[2] / step[d];
  }
}

double CroftonWeights::surface(const std::array<std::int64_t, 13>& crossings) const {
  double sum = 0.0;
  for (std::size_t d = 0; d < area_.size(); ++d) {
    sum += area_[d] * static_cast<double>(crossings[d]);
  }
  return sum;
}

double CroftonWeights::perimeter(const std::array<std::int64_t, 13>& crossings) const {
  double sum = 0.0;
  for (std::size_t d = 0; d < length_.size(); ++d) {
    sum += length_[d] * static_cast<double>(crossings[d]);
  }
  return sum;
}

}  // namespace aprscope

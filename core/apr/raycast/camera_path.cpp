#include "core/apr/raycast/camera_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace aprscope {
namespace {

using Vec3 = std::array<double, 3>;

double product(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 across(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3 of_length_one(Vec3 v) {
  const double length = std::sqrt(product(v, v));
  for (double& c : v) c /= length;
  return v;
}

struct Turn {
  Vec3 axis{0.0, 0.0, 1.0};
  double angle = 0.0;
};

// The turn that leads from the directions of one camera to those of another.
Turn turn_between(const RayCamera& a, const RayCamera& b) {
  // R = Σ b aᵀ over right, up and forward; its trace is 1 + 2 cos(angle), and what is not symmetric
  // in it has the axis times 2 sin(angle).
  const std::array<const Vec3*, 3> of_a{&a.right, &a.up, &a.forward};
  const std::array<const Vec3*, 3> of_b{&b.right, &b.up, &b.forward};
  std::array<Vec3, 3> r{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) r[i][j] += (*of_b[k])[i] * (*of_a[k])[j];
    }
  }
  const Vec3 skew{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  const double sine = 0.5 * std::sqrt(product(skew, skew));
  const double cosine = 0.5 * (r[0][0] + r[1][1] + r[2][2] - 1.0);
  Turn out;
  out.angle = std::atan2(sine, cosine);
  if (sine > 1e-6) {
    out.axis = of_length_one(skew);
  } else if (cosine < 0.0) {
    // Half a turn: (R + 1) / 2 is the axis times itself.
    std::size_t largest = 0;
    for (std::size_t i = 1; i < 3; ++i) {
      if (r[i][i] > r[largest][largest]) largest = i;
    }
    Vec3 column{r[0][largest], r[1][largest], r[2][largest]};
    column[largest] += 1.0;
    out.axis = of_length_one(column);
  }
  return out;
}

// Rodrigues' formula.
Vec3 turned(const Vec3& v, const Vec3& axis, double angle) {
  const Vec3 side = across(axis, v);
  const double along = product(axis, v) * (1.0 - std::cos(angle));
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = v[i] * std::cos(angle) + side[i] * std::sin(angle) + axis[i] * along;
  }
  return out;
}

// Directions that were typed into a file may have any length, and stand askew.
RayCamera upright(RayCamera camera) {
  camera.forward = of_length_one(camera.forward);
  camera.right = of_length_one(across(camera.forward, camera.up));
  camera.up = across(camera.right, camera.forward);
  return camera;
}

double between(double a, double b, double t) { return a + t * (b - a); }

double between_lengths(double a, double b, double t) {
  return a > 0.0 && b > 0.0 ? a * std::pow(b / a, t) : between(a, b, t);
}

std::optional<Region> seen_between(const RayCamera& a, const RayCamera& b, double t,
                                   const Size3& size) {
  if (!a.only && !b.only) return std::nullopt;
  const Region from = a.only.value_or(whole(size));
  const Region to = b.only.value_or(whole(size));
  const auto edge = [t](std::int64_t p, std::int64_t q) {
    return std::llround(between(static_cast<double>(p), static_cast<double>(q), t));
  };
  const auto corner = [&](const Index3& p, const Index3& q) {
    return Index3{edge(p.z, q.z), edge(p.x, q.x), edge(p.y, q.y)};
  };
  return Region{corner(from.begin, to.begin), corner(from.end, to.end)};
}

}  // namespace

RayCamera camera_between(const RayCamera& from, const RayCamera& to, double t, const Size3& size,
                         const VoxelSize& voxel) {
  if (t <= 0.0) return from;
  if (t >= 1.0) return to;
  const Vec3 middle{0.5 * static_cast<double>(size.y) * voxel.y,
                    0.5 * static_cast<double>(size.x) * voxel.x,
                    0.5 * static_cast<double>(size.z) * voxel.z};
  const auto distance = [&](const RayCamera& camera) {
    Vec3 way{};
    for (std::size_t i = 0; i < 3; ++i) way[i] = middle[i] - camera.eye[i];
    return product(way, camera.forward);
  };
  const Turn turn = turn_between(from, to);
  RayCamera out = t < 0.5 ? from : to;
  out.right = turned(from.right, turn.axis, t * turn.angle);
  out.up = turned(from.up, turn.axis, t * turn.angle);
  out.forward = turned(from.forward, turn.axis, t * turn.angle);
  const double here = distance(from);
  const double there = distance(to);
  const double away = between_lengths(here, there, t);
  for (std::size_t i = 0; i < 3; ++i) {
    const double target =
        between(from.eye[i] + here * from.forward[i], to.eye[i] + there * to.forward[i], t);
    out.eye[i] = target - away * out.forward[i];
  }
  out.height_world = between_lengths(from.height_world, to.height_world, t);
  out.view_angle_degrees = between(from.view_angle_degrees, to.view_angle_degrees, t);
  out.only = seen_between(from, to, t, size);
  return out;
}

std::vector<RayCamera> camera_path(std::vector<RayCamera> stops, int steps, const Size3& size,
                                   const VoxelSize& voxel) {
  std::transform(stops.begin(), stops.end(), stops.begin(), upright);
  if (stops.size() < 2) return stops;
  std::vector<RayCamera> out;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    for (int k = 0; k < steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      out.push_back(camera_between(stops[i], stops[i + 1], t * t * (3.0 - 2.0 * t), size, voxel));
    }
  }
  out.push_back(stops.back());
  return out;
}

}  // namespace aprscope

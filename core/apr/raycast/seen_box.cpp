#include "core/apr/raycast/seen_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace aprscope {
namespace {

// In world order y, x, z.
using Point = std::array<double, 3>;
using Polygon = std::vector<Point>;

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// One of the four planes between what is in the picture and what is not.
struct Side {
  Point normal{};
  double offset = 0.0;
  [[nodiscard]] double inside(const Point& p) const { return dot(normal, p) + offset; }
};

std::array<Side, 4> sides_of(const RayCamera& camera, double aspect) {
  const double slope = std::tan(0.5 * camera.view_angle_degrees * std::numbers::pi / 180.0);
  const auto side = [&](const Point& along, double sign, double extent) {
    Side out;
    for (std::size_t a = 0; a < 3; ++a) {
      out.normal[a] = sign * along[a];
      if (camera.perspective) out.normal[a] += extent * slope * camera.forward[a];
    }
    out.offset = -dot(out.normal, camera.eye);
    if (!camera.perspective) out.offset += 0.5 * extent * camera.height_world;
    return out;
  };
  return {side(camera.right, 1.0, aspect), side(camera.right, -1.0, aspect),
          side(camera.up, 1.0, 1.0), side(camera.up, -1.0, 1.0)};
}

// What of a convex polygon lies inside (Sutherland and Hodgman 1974, Commun. ACM 17(1)).
Polygon cut(const Polygon& in, const Side& side) {
  Polygon out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Point& a = in[i];
    const Point& b = in[(i + 1) % in.size()];
    const double from = side.inside(a);
    const double to = side.inside(b);
    if (from >= 0.0) out.push_back(a);
    if ((from < 0.0) == (to < 0.0)) continue;
    const double t = from / (from - to);
    Point crossing{};
    for (std::size_t k = 0; k < 3; ++k) crossing[k] = a[k] + t * (b[k] - a[k]);
    out.push_back(crossing);
  }
  return out;
}

// The face of a box [low, high] on one end of dimension `across`.
Polygon face(const Point& low, const Point& high, std::size_t across, bool far) {
  const std::size_t u = (across + 1) % 3;
  const std::size_t v = (across + 2) % 3;
  Polygon out(4);
  for (std::size_t i = 0; i < 4; ++i) {
    out[i][across] = far ? high[across] : low[across];
    out[i][u] = i == 1 || i == 2 ? high[u] : low[u];
    out[i][v] = i >= 2 ? high[v] : low[v];
  }
  return out;
}

}  // namespace

std::optional<Region> seen_box(const RayCamera& camera, const Size3& size, const VoxelSize& voxel,
                               double aspect) {
  Region box = whole(size);
  if (camera.only) {
    const auto& [b, e] = *camera.only;
    box.begin = {std::max<std::int64_t>(0, b.z), std::max<std::int64_t>(0, b.x),
                 std::max<std::int64_t>(0, b.y)};
    box.end = {std::min(size.z, e.z), std::min(size.x, e.x), std::min(size.y, e.y)};
  }
  const Size3 extent = box.size();
  if (extent.z < 1 || extent.x < 1 || extent.y < 1) return std::nullopt;
  const auto sane = [](double v) { return std::isfinite(v) && v > 0.0 ? v : 1.0; };
  const Point steps{sane(voxel.y), sane(voxel.x), sane(voxel.z)};
  const auto world = [&](const Index3& p) {
    return Point{static_cast<double>(p.y) * steps[0], static_cast<double>(p.x) * steps[1],
                 static_cast<double>(p.z) * steps[2]};
  };
  const Point low = world(box.begin);
  const Point high = world(box.end);

  constexpr double kFar = std::numeric_limits<double>::infinity();
  Point least{kFar, kFar, kFar};
  Point most{-kFar, -kFar, -kFar};
  const auto take = [&](const Point& p) {
    for (std::size_t a = 0; a < 3; ++a) {
      least[a] = std::min(least[a], p[a]);
      most[a] = std::max(most[a], p[a]);
    }
  };
  // A corner of what is seen lies on a face of the box, or is the eye where that is inside.
  const auto sides = sides_of(camera, aspect);
  for (std::size_t across = 0; across < 3; ++across) {
    for (const bool far : {false, true}) {
      Polygon polygon = face(low, high, across, far);
      for (const Side& side : sides) polygon = cut(polygon, side);
      for (const Point& p : polygon) take(p);
    }
  }
  bool eye_inside = camera.perspective;
  for (std::size_t a = 0; a < 3; ++a) {
    eye_inside = eye_inside && camera.eye[a] > low[a] && camera.eye[a] < high[a];
  }
  if (eye_inside) take(camera.eye);
  if (least[0] > most[0]) return std::nullopt;

  const auto first = [&](std::size_t a, std::int64_t from, std::int64_t to) {
    const auto at = static_cast<std::int64_t>(std::floor(least[a] / steps[a]));
    return std::clamp(at, from, to - 1);
  };
  const auto last = [&](std::size_t a, std::int64_t from, std::int64_t to) {
    const auto at = static_cast<std::int64_t>(std::ceil(most[a] / steps[a]));
    return std::clamp(at, from + 1, to);
  };
  Region out;
  out.begin = {first(2, box.begin.z, box.end.z), first(1, box.begin.x, box.end.x),
               first(0, box.begin.y, box.end.y)};
  out.end = {last(2, out.begin.z, box.end.z), last(1, out.begin.x, box.end.x),
             last(0, out.begin.y, box.end.y)};
  return out;
}

}  // namespace aprscope

#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "core/apr/raycast/octree.hpp"
#include "core/apr/raycast/ray_slopes.hpp"

namespace aprscope::detail {

/// The space that all rays of a tile run through: four planes, in pixel coordinates (z, x, y).
class Beam {
 public:
  using Point = std::array<double, 3>;
  /// An edge of the beam: a point on it and another one further along.
  struct Edge {
    Point from;
    Point to;
  };

  /// Four edges in turn around the beam, and any point inside. `margin`: how far outside counts as
  /// inside, to cover rounding.
  Beam(const std::array<Edge, 4>& edges, const Point& inside, float margin) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Edge& e = edges[k];
      const Edge& f = edges[(k + 1) % 4];
      Point u{};
      Point v{};
      for (std::size_t a = 0; a < 3; ++a) {
        u[a] = e.to[a] - e.from[a];
        v[a] = f.to[a] - e.to[a];
      }
      Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
      const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      double offset = 0.0;
      double side = 0.0;
      for (std::size_t a = 0; a < 3; ++a) {
        n[a] /= length;
        offset += n[a] * e.to[a];
        side += n[a] * inside[a];
      }
      const double sign = side > offset ? -1.0 : 1.0;
      Plane& plane = planes_[k];
      plane.per_child = Float8::all(0.0F);
      for (std::size_t a = 0; a < 3; ++a) {
        plane.n[a] = static_cast<float>(sign * n[a]);
        plane.lowest += plane.n[a] < 0.0F ? plane.n[a] : 0.0F;
        plane.per_child = plane.per_child + Float8::all(plane.n[a]) * upper_child(a);
      }
      plane.limit = static_cast<float>(sign * offset) + margin;
    }
  }

  /// Bit i is set where child i of the cell (side `half`) may touch the beam and has a value.
  [[nodiscard]] unsigned children(const OctreeCell& cell, float half, Float8 maxima) const {
    unsigned bits = 0xFFU;
    for (const Plane& p : planes_) {
      float base = half * p.lowest;
      for (std::size_t a = 0; a < 3; ++a) base += p.n[a] * static_cast<float>(cell.low[a]);
      bits &= greater_and_ordered(maxima, Float8::all(kNothing),
                                  Float8::all(base) + Float8::all(half) * p.per_child,
                                  Float8::all(p.limit));
    }
    return bits;
  }

 private:
  // Inside: n · point ≤ limit. `lowest`: sum of the negative components of n, which leads from a
  // cube's lower corner to its corner farthest inside.
  struct Plane {
    std::array<float, 3> n{};
    float lowest = 0.0F;
    float limit = 0.0F;
    Float8 per_child{};
  };
  std::array<Plane, 4> planes_{};
};

}  // namespace aprscope::detail

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace aprscope::detail {

/// A ray in pixel coordinates (z, x, y), pixel p covering [p, p + 1). `d` has length 1; components
/// below 1e-12 are 0. Between t0 and t1 it runs through
/// what is seen of the volume.
struct Ray {
  std::array<double, 3> o{};
  std::array<double, 3> d{};
  std::array<double, 3> inverse{};
  double t0 = 0.0;
  double t1 = 0.0;

  void set_direction(const std::array<double, 3>& direction) {
    const double length = std::sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                                    direction[2] * direction[2]);
    for (std::size_t a = 0; a < 3; ++a) {
      d[a] = direction[a] / length;
      if (std::abs(d[a]) < 1e-12) d[a] = 0.0;
      inverse[a] = d[a] == 0.0 ? 0.0 : 1.0 / d[a];
    }
  }

  /// Clips the ray to the box from `low` to `high`; false when it misses. `from` is the smallest t
  /// allowed. The direction is set already.
  bool set_origin(const std::array<double, 3>& origin, const std::array<std::int64_t, 3>& low,
                  const std::array<std::int64_t, 3>& high, double from) {
    o = origin;
    t0 = from;
    t1 = std::numeric_limits<double>::infinity();
    return clip(low, high, t0, t1) && std::isfinite(t0) && std::isfinite(t1);
  }

  /// Whether the ray runs through the cube of `side` at `low` for some length. Cells that share a
  /// face compute the same t for it, so that the cells along a ray follow one another without gap
  /// or overlap.
  [[nodiscard]] bool crosses(const std::array<std::int32_t, 3>& low, std::int32_t side) const {
    return enters(low, side).has_value();
  }
  /// The t at which it enters that cube; none where it does not run through it.
  [[nodiscard]] std::optional<double> enters(const std::array<std::int32_t, 3>& low,
                                             std::int32_t side) const {
    double begin = t0;
    double end = t1;
    if (!clip({low[0], low[1], low[2]}, {low[0] + side, low[1] + side, low[2] + side}, begin,
              end)) {
      return std::nullopt;
    }
    return begin;
  }
  /// The length of its way through that cube, in t; 0 where it does not run through it.
  [[nodiscard]] double length_in(const std::array<std::int32_t, 3>& low, std::int32_t side) const {
    double begin = t0;
    double end = t1;
    const bool inside =
        clip({low[0], low[1], low[2]}, {low[0] + side, low[1] + side, low[2] + side}, begin, end);
    return inside ? end - begin : 0.0;
  }

 private:
  [[nodiscard]] bool clip(const std::array<std::int64_t, 3>& low,
                          const std::array<std::int64_t, 3>& high, double& begin,
                          double& end) const {
    for (std::size_t a = 0; a < 3; ++a) {
      const auto lo = static_cast<double>(low[a]);
      const auto hi = static_cast<double>(high[a]);
      if (d[a] == 0.0) {
        if (!(o[a] >= lo && o[a] < hi)) return false;
        continue;
      }
      const double ta = (lo - o[a]) * inverse[a];
      const double tb = (hi - o[a]) * inverse[a];
      begin = std::max(begin, std::min(ta, tb));
      end = std::min(end, std::max(ta, tb));
    }
    return begin < end;
  }
};

}  // namespace aprscope::detail

#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "core/apr/raycast/octree.hpp"
#include "core/apr/raycast/ray.hpp"
#include "core/apr/raycast/simd8.hpp"

namespace aprscope::detail {

/// For child i of a cell, 1 where the child is the upper one along dimension a (z, x, y), else 0.
inline Float8 upper_child(std::size_t a) {
  alignas(32) static constexpr float bits[3][8] = {
      {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 1, 0, 1, 0, 1, 0, 1}};
  return Float8::load(bits[a]);
}

/// The test of a ray against eight boxes at a time in float. Boxes are enlarged by a margin that is
/// larger than all rounding, so that no box is missed; t counts from where the ray enters the
/// volume.
class RaySlopes {
 public:
  RaySlopes(const Ray& ray, float margin_pixels) : before_(-margin_pixels) {
    for (std::size_t a = 0; a < 3; ++a) {
      o_[a] = static_cast<float>(ray.o[a] + ray.t0 * ray.d[a]);
      inverse_[a] = ray.d[a] == 0.0 ? 1e20F : static_cast<float>(ray.inverse[a]);
      margin_[a] = std::abs(inverse_[a]) * margin_pixels;
      // Distances of the near and the far plane of each child, in units of the child's side.
      const Float8 low = Float8::all(inverse_[a]) * upper_child(a);
      const Float8 high = low + Float8::all(inverse_[a]);
      near_[a] = inverse_[a] > 0.0F ? low : high;
      far_[a] = inverse_[a] > 0.0F ? high : low;
    }
    length_ = static_cast<float>((ray.t1 - ray.t0) * (1.0 + 1e-6)) + margin_pixels;
  }

  /// Bit i is set where child i of the cell (children of side `half`) may be crossed by the ray and
  /// has a value above `best`.
  [[nodiscard]] unsigned children(const OctreeCell& cell, float half, Float8 maxima,
                                  float best) const {
    const Float8 s = Float8::all(half);
    Float8 near = Float8::all(before_);
    Float8 far = Float8::all(length_);
    for (std::size_t a = 0; a < 3; ++a) {
      const float base = (static_cast<float>(cell.low[a]) - o_[a]) * inverse_[a];
      near = max(near, Float8::all(base - margin_[a]) + s * near_[a]);
      far = min(far, Float8::all(base + margin_[a]) + s * far_[a]);
    }
    return greater_and_ordered(maxima, Float8::all(best), near, far);
  }

  /// The same for eight cubes that lie anywhere: lower corners and sides, eight values each.
  [[nodiscard]] unsigned cubes(const std::array<const float*, 3>& low, const float* side,
                               Float8 maxima, float best) const {
    const Float8 s = Float8::load(side);
    Float8 near = Float8::all(before_);
    Float8 far = Float8::all(length_);
    for (std::size_t a = 0; a < 3; ++a) {
      const Float8 inverse = Float8::all(inverse_[a]);
      const Float8 first = (Float8::load(low[a]) + Float8::all(-o_[a])) * inverse;
      const Float8 second = first + s * inverse;
      const Float8 margin = Float8::all(margin_[a]);
      near = max(near, min(first, second) + Float8::all(-margin_[a]));
      far = min(far, max(first, second) + margin);
    }
    return greater_and_ordered(maxima, Float8::all(best), near, far);
  }

 private:
  std::array<float, 3> o_{};
  std::array<float, 3> inverse_{};
  std::array<float, 3> margin_{};
  std::array<Float8, 3> near_{};
  std::array<Float8, 3> far_{};
  float before_;
  float length_ = 0.0F;
};

}  // namespace aprscope::detail

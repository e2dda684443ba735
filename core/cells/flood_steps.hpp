#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "core/image/labels.hpp"

namespace aprscope {

/// The way from a pixel to one of its neighbours.
struct FloodStep {
  std::int64_t z = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  /// Number of axes along which the step leads: 1 across a face, 2 an edge, 3 a corner.
  int reach = 1;
  /// Offset to the neighbour in memory.
  std::int64_t offset = 0;

  /// Whether the step leads to a pixel that comes earlier in memory.
  [[nodiscard]] bool back() const { return z < 0 || (z == 0 && (x < 0 || (x == 0 && y < 0))); }
  [[nodiscard]] bool inside(const Size3& n, const Index3& from) const {
    return from.z + z >= 0 && from.z + z < n.z && from.x + x >= 0 && from.x + x < n.x &&
           from.y + y >= 0 && from.y + y < n.y;
  }
};

/// The ways to all neighbours, near ones first.
struct FloodSteps {
  std::array<FloodStep, 26> steps;
  int count = 0;

  FloodSteps(Connectivity near, const Size3& n) {
    const int farthest = near == Connectivity::faces ? 1 : near == Connectivity::edges ? 2 : 3;
    for (int reach = 1; reach <= farthest; ++reach) {
      for (int z = -1; z <= 1; ++z) {
        for (int x = -1; x <= 1; ++x) {
          for (int y = -1; y <= 1; ++y) {
            if (std::abs(z) + std::abs(x) + std::abs(y) != reach) continue;
            steps[static_cast<std::size_t>(count++)] = {z, x, y, reach, (z * n.x + x) * n.y + y};
          }
        }
      }
    }
  }
  [[nodiscard]] const FloodStep* begin() const { return steps.data(); }
  [[nodiscard]] const FloodStep* end() const { return steps.data() + count; }
};

}  // namespace aprscope

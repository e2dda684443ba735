#pragma once

#include <cstdlib>
#include <vector>

#include "core/image/labels.hpp"

namespace aprscope::test {

/// Calls f(neighbour) for the neighbours of a pixel that lie in the image.
template <class F>
void each_neighbour(const Size3& n, const Index3& p, Connectivity connectivity, const F& f) {
  const int most = connectivity == Connectivity::faces   ? 1
                   : connectivity == Connectivity::edges ? 2
                                                         : 3;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const int steps = std::abs(dz) + std::abs(dx) + std::abs(dy);
        const Index3 q{p.z + dz, p.x + dx, p.y + dy};
        if (steps == 0 || steps > most || q.z < 0 || q.x < 0 || q.y < 0 || q.z >= n.z ||
            q.x >= n.x || q.y >= n.y) {
          continue;
        }
        f(q);
      }
    }
  }
}

/// Components of a mask by flooding, pixel by pixel, numbered as they are met.
inline Labels naive_components(const Pixels<std::uint8_t>& mask, Connectivity connectivity) {
  Labels out;
  out.values.assign(mask.values.size(), 0);
  std::vector<Index3> open;
  for (std::int64_t z = 0; z < mask.size.z; ++z) {
    for (std::int64_t x = 0; x < mask.size.x; ++x) {
      for (std::int64_t y = 0; y < mask.size.y; ++y) {
        if (mask.at(z, x, y) == 0 || out.values[mask.index(z, x, y)] != 0) continue;
        out.values[mask.index(z, x, y)] = ++out.largest;
        open.push_back({z, x, y});
        while (!open.empty()) {
          const Index3 p = open.back();
          open.pop_back();
          each_neighbour(mask.size, p, connectivity, [&](const Index3& q) {
            const std::size_t at = mask.index(q.z, q.x, q.y);
            if (mask.values[at] == 0 || out.values[at] != 0) return;
            out.values[at] = out.largest;
            open.push_back(q);
          });
        }
      }
    }
  }
  return out;
}

}  // namespace aprscope::test

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/image/labels.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {

/// The value of each pixel's particle.
template <class T>
Pixels<T> painted(const AprAccess& access, const std::vector<T>& values) {
  const ParticleMap map = particle_map(access);
  Pixels<T> out(access.size());
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = values[map.index.values[i]];
  return out;
}

/// Steps from a pixel to its neighbours.
inline std::vector<Index3> steps_of(Connectivity connectivity) {
  const int most = connectivity == Connectivity::faces   ? 1
                   : connectivity == Connectivity::edges ? 2
                                                         : 3;
  std::vector<Index3> steps;
  for (int z = -1; z <= 1; ++z) {
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        const int apart = std::abs(z) + std::abs(x) + std::abs(y);
        if (apart > 0 && apart <= most) steps.push_back({z, x, y});
      }
    }
  }
  return steps;
}

/// Labels `to` from the pixel `start` on, as far as pixels of `in` that are not labelled lead.
inline void flood(const Pixels<std::uint8_t>& in, const std::vector<Index3>& steps,
                  const Index3& start, std::uint32_t label, Pixels<std::uint32_t>& to) {
  std::vector<Index3> open;
  const auto take = [&](const Index3& p) {
    if (p.z < 0 || p.x < 0 || p.y < 0 || p.z >= in.size.z || p.x >= in.size.x || p.y >= in.size.y) {
      return;
    }
    if (in.at(p.z, p.x, p.y) == 0 || to.at(p.z, p.x, p.y) != 0) return;
    to.at(p.z, p.x, p.y) = label;
    open.push_back(p);
  };
  take(start);
  while (!open.empty()) {
    const Index3 p = open.back();
    open.pop_back();
    for (const Index3& s : steps) take({p.z + s.z, p.x + s.x, p.y + s.y});
  }
}

/// Calls visit(z, x, y) for all pixels in the order of memory.
template <class Visit>
void each_pixel(const Size3& size, const Visit& visit) {
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) visit(z, x, y);
    }
  }
}

/// Connected components of what is not 0, numbered in the order of their first pixel from
/// `first` on; pixels that `to` has labels for already are left as they are.
inline std::uint32_t label_rest(const Pixels<std::uint8_t>& in, Connectivity connectivity,
                                Pixels<std::uint32_t>& to) {
  const std::vector<Index3> steps = steps_of(connectivity);
  std::uint32_t last = 0;
  each_pixel(in.size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    if (in.at(z, x, y) == 0 || to.at(z, x, y) != 0) return;
    flood(in, steps, {z, x, y}, ++last, to);
  });
  return last;
}

/// Labels `exterior` what is connected to the border through what is 0, then numbers the lumens.
inline std::uint32_t naive_water(const Pixels<std::uint8_t>& membrane, Connectivity connectivity,
                                 std::uint32_t exterior, Pixels<std::uint32_t>& to) {
  Pixels<std::uint8_t> water(membrane.size);
  for (std::size_t i = 0; i < water.values.size(); ++i) {
    water.values[i] = membrane.values[i] == 0 ? 1 : 0;
  }
  const Size3& n = water.size;
  to = Pixels<std::uint32_t>(n);
  const std::vector<Index3> steps = steps_of(connectivity);
  each_pixel(n, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    const bool border =
        (n.z > 1 && (z == 0 || z + 1 == n.z)) || x == 0 || x + 1 == n.x || y == 0 || y + 1 == n.y;
    if (border) flood(water, steps, {z, x, y}, exterior, to);
  });
  return label_rest(water, connectivity, to);
}

}  // namespace aprscope::test

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

#include "core/image/labels.hpp"
#include "core/image/random.hpp"
#include "core/image/volume.hpp"

// Watersheds from their definitions, with no thought of speed.

namespace aprscope::test {

inline int reach_of(Connectivity near) {
  return near == Connectivity::faces ? 1 : near == Connectivity::edges ? 2 : 3;
}

/// Calls visit(index of the neighbour) for all neighbours inside the image.
template <class Visit>
void naive_neighbours(const Size3& n, Connectivity near, std::size_t i, const Visit& visit) {
  const auto at = static_cast<std::int64_t>(i);
  const Index3 p{at / (n.x * n.y), at / n.y % n.x, at % n.y};
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const int steps = std::abs(dz) + std::abs(dx) + std::abs(dy);
        const Index3 q{p.z + dz, p.x + dx, p.y + dy};
        if (steps == 0 || steps > reach_of(near) || q.z < 0 || q.x < 0 || q.y < 0 || q.z >= n.z ||
            q.x >= n.x || q.y >= n.y) {
          continue;
        }
        visit(static_cast<std::size_t>((q.z * n.x + q.x) * n.y + q.y));
      }
    }
  }
}

/// Every value once, in random order.
template <class T>
Pixels<T> shuffled_image(const Size3& n, std::uint64_t seed) {
  Pixels<T> image(n);
  std::vector<std::size_t> order(image.values.size());
  std::iota(order.begin(), order.end(), 0U);
  const CounterRandom random(seed, 1);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return random.uniform(a) < random.uniform(b); });
  for (std::size_t k = 0; k < order.size(); ++k) image.values[order[k]] = static_cast<T>(k);
  return image;
}

/// Few values, so that there are plateaus of all kinds.
template <class T>
Pixels<T> stepped_image(const Size3& n, std::uint64_t seed, int values) {
  Pixels<T> image(n);
  const CounterRandom random(seed, 2);
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    image.values[i] = static_cast<T>(random.uniform(i) * values);
  }
  return image;
}

/// Water rises a pixel at a time: one that touches no water is a new source, another gets the water
/// that has been beside it for longest. For images whose values all differ.
template <class T>
std::vector<std::uint32_t> naive_immersion(const Pixels<T>& image, Connectivity near) {
  std::vector<std::size_t> order(image.values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return image.values[a] < image.values[b]; });
  std::vector<std::size_t> when(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) when[order[k]] = k;
  std::vector<std::uint32_t> labels(order.size(), 0);
  std::uint32_t last = 0;
  for (const std::size_t i : order) {
    std::size_t first = order.size();
    naive_neighbours(image.size, near, i, [&](std::size_t j) {
      if (labels[j] == 0 || when[j] >= first) return;
      first = when[j];
      labels[i] = labels[j];
    });
    if (labels[i] == 0) labels[i] = ++last;
  }
  return labels;
}

/// Regional minima: connected sets of one value without a lower neighbour. 0: not part of one.
template <class T>
std::vector<std::uint32_t> naive_minima(const std::vector<T>& values, const Size3& n,
                                        Connectivity near) {
  std::vector<std::uint32_t> labels(values.size(), 0);
  std::vector<bool> seen(values.size(), false);
  std::uint32_t last = 0;
  for (std::size_t start = 0; start < values.size(); ++start) {
    if (seen[start]) continue;
    std::vector<std::size_t> flat{start};
    seen[start] = true;
    bool lowest = true;
    for (std::size_t k = 0; k < flat.size(); ++k) {
      naive_neighbours(n, near, flat[k], [&](std::size_t j) {
        if (values[j] < values[start]) lowest = false;
        if (values[j] != values[start] || seen[j]) return;
        seen[j] = true;
        flat.push_back(j);
      });
    }
    if (!lowest) continue;
    ++last;
    for (const std::size_t i : flat) labels[i] = last;
  }
  return labels;
}

/// The h-minima transform: image + h, eroded over and over, never below the image.
template <class T>
std::vector<double> naive_h_minima(const Pixels<T>& image, double h, Connectivity near) {
  std::vector<double> now(image.values.begin(), image.values.end());
  for (double& v : now) v += h;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
      double lowest = now[i];
      naive_neighbours(image.size, near, i,
                       [&](std::size_t j) { lowest = std::min(lowest, now[j]); });
      lowest = std::max(lowest, static_cast<double>(image.values[i]));
      changed = changed || lowest != now[i];
      now[i] = lowest;
    }
  }
  return now;
}

/// Whether two label images differ in their numbers only.
inline bool same_regions(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::map<std::uint32_t, std::uint32_t> there;
  std::map<std::uint32_t, std::uint32_t> back;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (there.emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

}  // namespace aprscope::test

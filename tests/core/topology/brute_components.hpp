#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "core/image/volume.hpp"
#include "core/topology/components.hpp"

namespace aprscope::test {

/// Labels of the pixels that are chosen (from 1 on; 0: not chosen) by flooding, and how many labels
/// there are. `all`: pixels that touch at all are neighbours, else those that share a face.
struct Labels {
  Pixels<std::int32_t> of;
  std::int32_t count = 0;
};

template <class Chosen>
Labels flood(const Size3& size, bool all, const Chosen& chosen) {
  Labels labels{Pixels<std::int32_t>(size), 0};
  std::vector<Index3> open;
  const auto visit = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    if (z < 0 || x < 0 || y < 0 || z >= size.z || x >= size.x || y >= size.y) return;
    if (labels.of.at(z, x, y) != 0 || !chosen(z, x, y)) return;
    labels.of.at(z, x, y) = labels.count;
    open.push_back({z, x, y});
  };
  for (std::int64_t i = 0; i < size.count(); ++i) {
    const Index3 p{i / size.y / size.x, i / size.y % size.x, i % size.y};
    if (labels.of.at(p.z, p.x, p.y) != 0 || !chosen(p.z, p.x, p.y)) continue;
    ++labels.count;
    visit(p.z, p.x, p.y);
    while (!open.empty()) {
      const Index3 at = open.back();
      open.pop_back();
      for (std::int64_t n = 0; n < 27; ++n) {
        const std::int64_t z = n / 9 - 1;
        const std::int64_t x = n / 3 % 3 - 1;
        const std::int64_t y = n % 3 - 1;
        if (!all && std::abs(z) + std::abs(x) + std::abs(y) > 1) continue;
        visit(at.z + z, at.x + x, at.y + y);
      }
    }
  }
  return labels;
}

/// Of one threshold: pixels of places up to `place`, and what they leave, with a margin round the
/// image that is flat where the image is.
inline Labels brute_pieces(const Pixels<std::uint16_t>& places, int place, bool all) {
  return flood(places.size, all, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return places.at(z, x, y) <= place;
  });
}
inline std::int64_t brute_enclosed(const Pixels<std::uint16_t>& places, int place, bool all) {
  const Size3 n = places.size;
  const std::int64_t deep = n.z == 1 ? 0 : 1;
  return flood({n.z + 2 * deep, n.x + 2, n.y + 2}, all,
               [&](std::int64_t z, std::int64_t x, std::int64_t y) {
                 z -= deep;
                 --x;
                 --y;
                 const bool inside = z >= 0 && x >= 0 && y >= 0 && z < n.z && x < n.x && y < n.y;
                 return !inside || places.at(z, x, y) > place;
               })
             .count -
         1;
}

/// Components by their definition, one threshold after the other.
inline Components brute_components(const Pixels<std::uint16_t>& places, int levels,
                                   Construction construction) {
  const bool closed = construction == Construction::closed_voxels;
  using Began = std::pair<std::uint32_t, std::uint64_t>;  // place and position: the elder is less
  Components out;
  Labels before{Pixels<std::int32_t>(places.size), 0};
  std::vector<Began> began_before(1);
  for (int place = 0; place < levels; ++place) {
    const Labels now = brute_pieces(places, place, closed);
    out.pieces.push_back(now.count);
    out.enclosed.push_back(brute_enclosed(places, place, !closed));
    // Which pieces of the threshold before each piece holds, and their sizes.
    std::vector<std::map<Began, std::uint64_t>> held(static_cast<std::size_t>(now.count) + 1);
    std::vector<Began> began(held.size(), Began{~0U, 0});
    for (std::size_t i = 0; i < now.of.values.size(); ++i) {
      const auto label = static_cast<std::size_t>(now.of.values[i]);
      if (label == 0) continue;
      const auto old = static_cast<std::size_t>(before.of.values[i]);
      if (old != 0) ++held[label][began_before[old]];
      began[label] = std::min(began[label], Began{places.values[i], i});
    }
    for (const auto& pieces : held) {
      for (const auto& [piece, size] : pieces) {
        if (piece == pieces.begin()->first) continue;
        out.lives.push_back({piece.first, static_cast<std::uint32_t>(place), piece.second, size});
      }
    }
    before = now;
    began_before = began;
  }
  out.lives.push_back({began_before[1].first, MergeTree::kNever, began_before[1].second,
                       static_cast<std::uint64_t>(places.size.count())});
  return out;
}

/// In an order of their own: by what they are.
inline std::vector<ComponentLife> sorted(std::vector<ComponentLife> lives) {
  std::sort(lives.begin(), lives.end(), [](const ComponentLife& a, const ComponentLife& b) {
    return std::pair(a.position, a.death) < std::pair(b.position, b.death);
  });
  return lives;
}

}  // namespace aprscope::test

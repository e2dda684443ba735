#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/apr/raycast/octree.hpp"
#include "core/apr/raycast/ray.hpp"
#include "core/apr/raycast/ray_beam.hpp"
#include "core/apr/raycast/ray_slopes.hpp"
#include "core/apr/raycast/translucency.hpp"

namespace aprscope::detail {

/// Finds the largest value along the rays of a tile in an octree (AprOctree or PixelPyramid), where
/// a value is met that is large enough, or what is seen of translucent matter. The cells that the
/// tile's beam meets are listed once, largest first; each ray goes through the list while it holds
/// values above what the ray has found, and down into cells, the most promising child first. Boxes
/// are tested eight at a time in float, enlarged so that none is missed; a value counts only when
/// the ray crosses its cell in double precision. One object a thread.
template <class Tree>
class Traversal {
 public:
  /// Cells of `finest_level` and below count as one, with their maximum. Cells of about
  /// `entry_side` pixels make the list.
  Traversal(const Tree& tree, std::int64_t largest_size, int finest_level, double entry_side)
      : tree_(tree),
        finest_level_(std::clamp(finest_level, 1, tree.level_max())),
        entry_level_(finest_level_),
        margin_(2e-6F * static_cast<float>(largest_size)) {
    while (entry_level_ > 1 && std::ldexp(1.0, tree.level_max() - entry_level_) < entry_side) {
      --entry_level_;
    }
  }

  [[nodiscard]] float margin() const { return margin_; }

  /// Lists the cells that rays of the beam may meet.
  void enter(const Beam& beam) {
    entries_.clear();
    top_ = 0;
    stack_[top_++] = {OctreeCell{}, 0.0F, false};
    while (top_ > 0) {
      const OctreeCell cell = stack_[--top_].cell;
      const std::int32_t half = half_side(cell);
      const Float8 maxima = tree_.maxima(cell);
      alignas(32) std::array<float, 8> value;
      maxima.store(value.data());
      const unsigned interior = interior_children(cell);
      const bool last = cell.level + 1 >= entry_level_;
      for (unsigned rest = beam.children(cell, static_cast<float>(half), maxima); rest != 0;
           rest &= rest - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctz(rest));
        OctreeCell next = child(cell, i, half);
        const bool leaf = (interior >> i & 1U) == 0;
        if (!leaf) next.id = tree_.child(cell, i);
        if (leaf || last) {
          entries_.push_back({next, value[i], leaf});
        } else {
          stack_[top_++] = {next, value[i], false};
        }
      }
    }
    sort_entries();
  }

  /// The largest value along a ray of the beam, kNothing if no cell has a value.
  float cast(const Ray& ray) {
    best_ = kNothing;
    const RaySlopes slopes(ray, margin_);
    const std::array<const float*, 3> low{low_[0].data(), low_[1].data(), low_[2].data()};
    for (std::size_t i = 0; i < largest_.size() && largest_[i] > best_; i += 8) {
      unsigned hits = slopes.cubes({low[0] + i, low[1] + i, low[2] + i}, side_.data() + i,
                                   Float8::load(largest_.data() + i), best_);
      for (; hits != 0; hits &= hits - 1) {
        const Entry& entry = entries_[order_[i + static_cast<unsigned>(__builtin_ctz(hits))].index];
        if (!(entry.largest > best_)) break;  // those that follow are smaller
        if (entry.leaf) {
          take_leaf(ray, entry.cell, side(entry.cell), entry.largest);
        } else {
          descend(ray, slopes, entry);
        }
      }
    }
    return best_;
  }

  /// Lower corner of the cell whose value cast() gave, or that first() met.
  [[nodiscard]] const std::array<std::int32_t, 3>& met() const { return met_; }

  /// The t at which a ray of the beam first meets a cell of at least `at`; none: it meets no such.
  std::optional<double> first(const Ray& ray, float at) {
    best_ = std::nextafter(at, -std::numeric_limits<float>::infinity());
    nearest_ = std::numeric_limits<double>::infinity();
    const RaySlopes slopes(ray, margin_);
    const std::array<const float*, 3> low{low_[0].data(), low_[1].data(), low_[2].data()};
    for (std::size_t i = 0; i < largest_.size() && largest_[i] > best_; i += 8) {
      unsigned hits = slopes.cubes({low[0] + i, low[1] + i, low[2] + i}, side_.data() + i,
                                   Float8::load(largest_.data() + i), best_);
      for (; hits != 0; hits &= hits - 1) {
        const Entry& entry = entries_[order_[i + static_cast<unsigned>(__builtin_ctz(hits))].index];
        const auto t = ray.enters(entry.cell.low, side(entry.cell));
        if (!t || *t >= nearest_) continue;
        if (entry.leaf) {
          nearest_ = *t;
          met_ = entry.cell.low;
        } else {
          find_first(ray, slopes, entry.cell);
        }
      }
    }
    return std::isfinite(nearest_) ? std::optional(nearest_) : std::nullopt;
  }

  /// What comes through translucent matter along any ray; `per_t` is matter.per_length of a step of
  /// 1 in t.
  RayLight shine(const Ray& ray, const RayMatter& matter, double per_t) {
    best_ = matter.floor;
    const RaySlopes slopes(ray, margin_);
    const unsigned corner = entry_corner(ray);
    RayLight light;
    top_ = 0;
    stack_[top_++] = {OctreeCell{}, 0.0F, false};
    while (top_ > 0 && light.through > kDark) {
      const Waiting next = stack_[--top_];
      if (!next.leaf) {
        push_children(slopes, next.cell, corner);
        continue;
      }
      const double length = ray.length_in(next.cell.low, side(next.cell));
      if (length > 0.0) light.add(matter, next.largest, static_cast<float>(length * per_t));
    }
    return light;
  }

 private:
  struct Entry {
    OctreeCell cell;
    float largest = 0.0F;
    bool leaf = false;
  };
  struct Waiting {
    OctreeCell cell;
    float largest = 0.0F;
    bool leaf = false;
  };
  struct Order {
    float largest;
    std::uint32_t index;
  };

  [[nodiscard]] std::int32_t side(const OctreeCell& cell) const {
    return std::int32_t{1} << (tree_.level_max() - cell.level);
  }
  // Side of the children of `cell`, which must have children.
  [[nodiscard]] std::int32_t half_side(const OctreeCell& cell) const { return side(cell) >> 1; }

  [[nodiscard]] unsigned interior_children(const OctreeCell& cell) const {
    return cell.level + 1 >= finest_level_ ? 0U : tree_.interior(cell);
  }

  // Largest first, as arrays, filled up to a multiple of eight with cells that nothing meets.
  void sort_entries() {
    order_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      order_.push_back({entries_[i].largest, static_cast<std::uint32_t>(i)});
    }
    std::sort(order_.begin(), order_.end(), [](const Order& a, const Order& b) {
      return a.largest != b.largest ? a.largest > b.largest : a.index < b.index;
    });
    const std::size_t padded = (entries_.size() + 7) / 8 * 8;
    for (auto& low : low_) low.assign(padded, 0.0F);
    side_.assign(padded, 0.0F);
    largest_.assign(padded, kNothing);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Entry& entry = entries_[order_[k].index];
      for (std::size_t a = 0; a < 3; ++a) low_[a][k] = static_cast<float>(entry.cell.low[a]);
      side_[k] = static_cast<float>(side(entry.cell));
      largest_[k] = entry.largest;
    }
  }

  void descend(const Ray& ray, const RaySlopes& slopes, const Entry& entry) {
    top_ = 0;
    stack_[top_++] = {entry.cell, entry.largest, false};
    while (top_ > 0) {
      const Waiting next = stack_[--top_];
      if (next.largest > best_) visit(ray, slopes, next.cell);
    }
  }

  void visit(const Ray& ray, const RaySlopes& slopes, const OctreeCell& cell) {
    const std::int32_t half = half_side(cell);
    const Float8 maxima = tree_.maxima(cell);
    const unsigned hits = slopes.children(cell, static_cast<float>(half), maxima, best_);
    if (hits == 0) return;
    alignas(32) std::array<float, 8> value;
    maxima.store(value.data());
    const unsigned interior = interior_children(cell);
    for (unsigned leaves = hits & ~interior; leaves != 0; leaves &= leaves - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(leaves));
      if (value[i] > best_) take_leaf(ray, child(cell, i, half), half, value[i]);
    }
    // Push the most promising last, so that it is visited first.
    std::array<unsigned, 8> order;
    unsigned n = 0;
    for (unsigned rest = hits & interior; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctz(rest));
      if (!(value[i] > best_)) continue;
      unsigned at = n++;
      for (; at > 0 && value[order[at - 1]] > value[i]; --at) order[at] = order[at - 1];
      order[at] = i;
    }
    for (unsigned k = 0; k < n; ++k) {
      Waiting& slot = stack_[top_++];
      slot.cell = child(cell, order[k], half);
      slot.cell.id = tree_.child(cell, order[k]);
      slot.largest = value[order[k]];
      slot.leaf = false;
    }
  }

  // The child of each cell that a ray enters first. The others follow along the ray in the order of
  // their numbers, counted from that corner.
  static unsigned entry_corner(const Ray& ray) {
    return (ray.d[0] < 0.0 ? 4U : 0U) | (ray.d[1] < 0.0 ? 2U : 0U) | (ray.d[2] < 0.0 ? 1U : 0U);
  }

  // Goes front to back, so that the first leaf is the nearest one.
  void find_first(const Ray& ray, const RaySlopes& slopes, const OctreeCell& from) {
    const unsigned corner = entry_corner(ray);
    top_ = 0;
    stack_[top_++] = {from, 0.0F, false};
    while (top_ > 0) {
      const Waiting next = stack_[--top_];
      if (!next.leaf) {
        push_children(slopes, next.cell, corner);
        continue;
      }
      const auto t = ray.enters(next.cell.low, side(next.cell));
      if (!t) continue;
      if (*t < nearest_) {
        nearest_ = *t;
        met_ = next.cell.low;
      }
      return;
    }
  }

  // Pushes the children that a ray may cross and whose value is large enough, the farthest first.
  void push_children(const RaySlopes& slopes, const OctreeCell& cell, unsigned corner) {
    const std::int32_t half = half_side(cell);
    const Float8 maxima = tree_.maxima(cell);
    const unsigned hits = slopes.children(cell, static_cast<float>(half), maxima, best_);
    if (hits == 0) return;
    alignas(32) std::array<float, 8> value;
    maxima.store(value.data());
    const unsigned interior = interior_children(cell);
    for (unsigned k = 8; k-- > 0;) {
      const unsigned i = k ^ corner;
      if ((hits >> i & 1U) == 0) continue;
      const bool leaf = (interior >> i & 1U) == 0;
      Waiting& slot = stack_[top_++];
      slot.cell = child(cell, i, half);
      if (!leaf) slot.cell.id = tree_.child(cell, i);
      slot.largest = value[i];
      slot.leaf = leaf;
    }
  }

  void take_leaf(const Ray& ray, const OctreeCell& leaf, std::int32_t width, float value) {
    if (!ray.crosses(leaf.low, width)) return;
    best_ = value;
    met_ = leaf.low;
  }

  static OctreeCell child(const OctreeCell& cell, unsigned i, std::int32_t half) {
    OctreeCell out;
    out.low = {cell.low[0] + ((i & 4U) != 0 ? half : 0), cell.low[1] + ((i & 2U) != 0 ? half : 0),
               cell.low[2] + ((i & 1U) != 0 ? half : 0)};
    out.level = cell.level + 1;
    return out;
  }

  const Tree& tree_;
  int finest_level_;
  int entry_level_;
  float margin_;

  float best_ = kNothing;
  double nearest_ = 0.0;
  std::array<std::int32_t, 3> met_{0, 0, 0};
  std::vector<Entry> entries_;
  std::vector<Order> order_;
  std::array<std::vector<float>, 3> low_;
  std::vector<float> side_;
  std::vector<float> largest_;
  // At most seven wait at each level while the eighth is visited.
  std::array<Waiting, 8 * 17> stack_;
  std::size_t top_ = 0;
};

}  // namespace aprscope::detail

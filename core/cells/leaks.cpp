#include "core/cells/leaks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/component_runs.hpp"
#include "core/cells/distance.hpp"

namespace aprscope {
namespace {

constexpr double kWidestSides = 16.0;
constexpr double kLargestShare = 0.5;
// Distances in so many steps of the widest leak.
constexpr std::size_t kDistanceSteps = 65536;

// Sets (pools) of pixels that have entered. Number 0: none; 1: the outside of the image.
class Pools {
 public:
  static constexpr std::uint32_t kOutside = 1;

  std::uint32_t add(float peak) {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    peak_.push_back(peak);
    return parent_.back();
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  // Unites two pools; the outside stays, else the one with the higher peak of distance.
  std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
    if (b == kOutside || (a != kOutside && peak_[b] > peak_[a])) std::swap(a, b);
    parent_[b] = a;
    return a;
  }
  [[nodiscard]] float& peak(std::uint32_t root) { return peak_[root]; }

 private:
  std::vector<std::uint32_t> parent_{0, kOutside};
  std::vector<float> peak_{0.0F, std::numeric_limits<float>::infinity()};
};

struct Water {
  const CellParts* parts = nullptr;
  SquaredDistances far;
  // The pool that each pixel belongs to; 0: it has not entered.
  std::vector<std::uint32_t> pool;
  Pools pools;
  float widest = 0.0F;

  [[nodiscard]] bool is_exterior(std::int64_t i) const {
    return parts->values[static_cast<std::size_t>(i)] == 0;
  }
  [[nodiscard]] float distance(std::int64_t i) const { return std::sqrt(far.data()[i]); }
};

// Squares of distances above this cannot belong to leaks.
float widest_square(const Water& water, const VoxelSize& voxel) {
  const std::int64_t count = water.parts->size.count();
  const int threads = thread_count();
  std::vector<float> most(static_cast<std::size_t>(threads), 0.0F);
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    float found = 0.0F;
    for (std::int64_t i = begin; i < end; ++i) {
      if (water.is_exterior(i)) found = std::max(found, water.far.data()[i]);
    }
    most[static_cast<std::size_t>(thread)] = found;
  });
  const double deepest = *std::max_element(most.begin(), most.end());
  const double sides = kWidestSides * std::max({voxel.z, voxel.x, voxel.y});
  return static_cast<float>(std::min(kLargestShare * kLargestShare * deepest, sides * sides));
}

// Pixels farther from the membrane than any leak's radius are in pools from the beginning.
Status fill_deep(Water& water, Connectivity connectivity, const JobContext& context) {
  const Size3 n = water.parts->size;
  Pixels<std::uint8_t> deep;
  deep.size = n;
  make_zeros(deep.values, n.count());
  parallel_stretches(n.count(), thread_count(), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const bool in = water.is_exterior(i) && water.far.data()[i] > water.widest;
      deep.values[static_cast<std::size_t>(i)] = in ? 1 : 0;
    }
  });
  const auto runs = ComponentRuns::of(deep.values, n, MaskSide::set, connectivity, context);
  if (!runs) return runs.error();
  const std::vector<std::uint8_t> outside = runs->at_border();
  std::vector<std::uint32_t> pool_of(outside.size(), Pools::kOutside);
  for (std::size_t label = 1; label < outside.size(); ++label) {
    if (outside[label] == 0) pool_of[label] = water.pools.add(0.0F);
  }
  for (std::int64_t z = 0; z < n.z; ++z) {
    if (context.stop_requested()) return cancelled_error();
    for (std::int64_t x = 0; x < n.x; ++x) {
      const std::int64_t row = (z * n.x + x) * n.y;
      runs->each_run(z, x, [&](std::int64_t begin, std::int64_t end, std::uint32_t label) {
        const std::uint32_t pool = pool_of[label];
        std::fill(water.pool.begin() + row + begin, water.pool.begin() + row + end, pool);
        if (pool == Pools::kOutside) return;
        float& peak = water.pools.peak(pool);
        for (std::int64_t y = begin; y < end; ++y) peak = std::max(peak, water.distance(row + y));
      });
    }
  }
  return {};
}

// The other exterior pixels, farthest from the membrane first; none where the job is to stop.
std::vector<std::uint32_t> by_falling_distance(const Water& water, const JobContext& context) {
  const Size3& n = water.parts->size;
  const std::int64_t slice = n.x * n.y;
  const float scale =
      static_cast<float>(kDistanceSteps - 1) / std::sqrt(std::max(water.widest, 1e-30F));
  const auto step = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(water.distance(i) * scale);
    return kDistanceSteps - 1 - std::min(at, kDistanceSteps - 1);
  };
  // Calls f(pixel) slice by slice; false when asked to stop.
  const auto each = [&](const auto& f) {
    for (std::int64_t z = 0; z < n.z; ++z) {
      if (context.stop_requested()) return false;
      for (std::int64_t i = z * slice; i < (z + 1) * slice; ++i) {
        if (water.is_exterior(i) && water.far.data()[i] <= water.widest) f(i);
      }
    }
    return true;
  };
  std::vector<std::size_t> begin(kDistanceSteps + 1, 0);
  if (!each([&](std::int64_t i) { ++begin[step(i) + 1]; })) return {};
  for (std::size_t s = 0; s < kDistanceSteps; ++s) begin[s + 1] += begin[s];
  std::vector<std::uint32_t> order(begin[kDistanceSteps]);
  each([&](std::int64_t i) { order[begin[step(i)]++] = static_cast<std::uint32_t>(i); });
  return order;
}

struct Steps {
  std::array<Index3, 26> steps{};
  int count = 0;
};

Steps neighbours_of(Connectivity connectivity) {
  Steps out;
  const std::int64_t most = connectivity == Connectivity::faces   ? 1
                            : connectivity == Connectivity::edges ? 2
                                                                  : 3;
  for (std::int64_t z = -1; z <= 1; ++z) {
    for (std::int64_t x = -1; x <= 1; ++x) {
      for (std::int64_t y = -1; y <= 1; ++y) {
        const std::int64_t far = z * z + x * x + y * y;
        if (far > 0 && far <= most) {
          out.steps[static_cast<std::size_t>(out.count++)] = {z, x, y};
        }
      }
    }
  }
  return out;
}

// Pixels enter, and leaks are where what they unite is a lumen and the outside.
Result<std::vector<Leak>> enter_all(Water& water, const std::vector<std::uint32_t>& order,
                                    const Steps& round, const VoxelSize& voxel,
                                    const JobContext& context) {
  constexpr std::size_t kStretch = std::size_t{1} << 17U;
  const Size3 n = water.parts->size;
  const auto least = static_cast<float>(std::max({voxel.x, voxel.y, n.z > 1 ? voxel.z : 0.0}));
  std::vector<Leak> leaks;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k % kStretch == 0) {
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(k) / static_cast<double>(order.size()), "leaks");
    }
    const std::int64_t i = order[k];
    const Index3 p{i / (n.x * n.y), i / n.y % n.x, i % n.y};
    const bool border = p.x == 0 || p.y == 0 || p.x + 1 == n.x || p.y + 1 == n.y ||
                        (n.z > 1 && (p.z == 0 || p.z + 1 == n.z));
    const float here = water.distance(i);
    std::uint32_t own = border ? Pools::kOutside : 0;
    for (int s = 0; s < round.count; ++s) {
      const Index3& step = round.steps[static_cast<std::size_t>(s)];
      const Index3 q{p.z + step.z, p.x + step.x, p.y + step.y};
      // In one slice, no pixel has neighbours above and below.
      if ((border || n.z == 1) &&
          (q.z < 0 || q.x < 0 || q.y < 0 || q.z >= n.z || q.x >= n.x || q.y >= n.y)) {
        continue;
      }
      std::uint32_t other = water.pool[water.parts->index(q.z, q.x, q.y)];
      if (other == 0 || other == own) continue;
      other = water.pools.find(other);
      if (other == own) continue;
      if (own == 0) {
        own = other;
        continue;
      }
      if (own == Pools::kOutside || other == Pools::kOutside) {
        const float peak = water.pools.peak(own == Pools::kOutside ? other : own);
        if (peak > least && here <= static_cast<float>(kLargestShare) * peak) {
          leaks.push_back({p, here, peak});
        }
      }
      own = water.pools.unite(own, other);
    }
    water.pool[static_cast<std::size_t>(i)] = own != 0 ? own : water.pools.add(here);
  }
  return leaks;
}

// The label of the labelled pixel that is nearest to a leak, 0: there is none within its radius and
// a pixel.
std::uint32_t label_near(const Leak& leak, const std::vector<std::uint32_t>& labels, const Size3& n,
                         const VoxelSize& voxel) {
  const auto reach = [&](double side) { return static_cast<std::int64_t>(leak.radius / side) + 1; };
  const Index3 r{reach(voxel.z), reach(voxel.x), reach(voxel.y)};
  double nearest = std::numeric_limits<double>::infinity();
  std::uint32_t found = 0;
  for (std::int64_t z = std::max<std::int64_t>(0, leak.at.z - r.z);
       z <= std::min(n.z - 1, leak.at.z + r.z); ++z) {
    for (std::int64_t x = std::max<std::int64_t>(0, leak.at.x - r.x);
         x <= std::min(n.x - 1, leak.at.x + r.x); ++x) {
      for (std::int64_t y = std::max<std::int64_t>(0, leak.at.y - r.y);
           y <= std::min(n.y - 1, leak.at.y + r.y); ++y) {
        const std::uint32_t label = labels[static_cast<std::size_t>((z * n.x + x) * n.y + y)];
        if (label == 0) continue;
        const double dz = voxel.z * static_cast<double>(z - leak.at.z);
        const double dx = voxel.x * static_cast<double>(x - leak.at.x);
        const double dy = voxel.y * static_cast<double>(y - leak.at.y);
        const double far = dz * dz + dx * dx + dy * dy;
        if (far < nearest) {
          nearest = far;
          found = label;
        }
      }
    }
  }
  return found;
}

}  // namespace

Result<std::vector<Leak>> find_leaks(const CellParts& parts, const VoxelSize& voxel,
                                     Connectivity membrane, const JobContext& context) {
  const Size3 n = parts.size;
  if (n.count() > std::numeric_limits<std::uint32_t>::max()) {
    return Error{"has more than 4294967295 pixels, in which leaks are not looked for", "image",
                 "choose a part of it"};
  }
  Water water;
  water.parts = &parts;
  {
    Pixels<std::uint8_t> mask;
    mask.size = n;
    make_zeros(mask.values, n.count());
    parallel_for(n.count(), thread_count(), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      mask.values[at] = parts.values[at] == static_cast<std::uint8_t>(CellPart::membrane) ? 1 : 0;
    });
    const auto there = [](const std::vector<std::uint8_t>& in, CellPart part) {
      return std::find(in.begin(), in.end(), static_cast<std::uint8_t>(part)) != in.end();
    };
    // Without a membrane, or without an exterior, there are no leaks.
    if (!there(parts.values, CellPart::membrane) || !there(parts.values, CellPart::exterior)) {
      return std::vector<Leak>();
    }
    auto far = squared_distances(mask.values, n, voxel, context.part(0.0, 0.4));
    if (!far) return far.error();
    water.far = std::move(*far);
  }
  water.widest = widest_square(water, voxel);
  make_zeros(water.pool, n.count());
  if (Status ok = fill_deep(water, water_of(membrane), context.part(0.4, 0.5)); !ok) {
    return ok.error();
  }
  const std::vector<std::uint32_t> order = by_falling_distance(water, context);
  if (context.stop_requested()) return cancelled_error();
  auto leaks =
      enter_all(water, order, neighbours_of(water_of(membrane)), voxel, context.part(0.5, 1.0));
  if (!leaks) return leaks.error();
  std::stable_sort(leaks->begin(), leaks->end(),
                   [](const Leak& a, const Leak& b) { return a.inner_radius > b.inner_radius; });
  return leaks;
}

std::uint64_t leak_bytes(const Size3& size) {
  // Distances, pools, order, two masks.
  return static_cast<std::uint64_t>(size.count()) * (3 * sizeof(std::uint32_t) + 2);
}

std::vector<std::uint32_t> attach_leaks(const std::vector<Leak>& leaks,
                                        const std::vector<std::uint32_t>& labels, const Size3& size,
                                        const VoxelSize& voxel,
                                        std::vector<LabelFinding>& findings) {
  for (LabelFinding& one : findings) one.leak_radius = 0.0;
  std::vector<std::uint32_t> of;
  for (const Leak& leak : leaks) {
    const std::uint32_t label = label_near(leak, labels, size, voxel);
    of.push_back(label);
    if (label == 0 || label > findings.size()) continue;
    LabelFinding& its = findings[label - 1];
    if (leak.radius <= its.leak_radius) continue;
    its.leak_radius = leak.radius;
    its.leak_at = leak.at;
  }
  return of;
}

}  // namespace aprscope

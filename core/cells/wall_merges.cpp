#include "core/cells/wall_merges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/cells/pair_numbers.hpp"
#include "core/cells/wall_queue.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// For each region of the finer cut the region of the other cut in which it lies.
std::vector<std::uint32_t> coarser(const RegionTable& finer, const RegionTable& cut) {
  std::vector<std::uint32_t> out(std::size_t{finer.count} + 1, 0);
  for (std::size_t i = 1; i < finer.region.size(); ++i) out[finer.region[i]] = cut.region[i];
  out[0] = 0;
  return out;
}

// Takes walls away. The heights of a united wall are looked at only when its turn comes: its median
// is at least the lowest median of its parts, so that until then it waits in the queue with that
// lower bound of its strength.
class Merging {
 public:
  Merging(const RegionWalls& found, const std::vector<std::uint32_t>& region,
          std::vector<float> floors, double strongest)
      : found_(found),
        strongest_(strongest),
        floors_(std::move(floors)),
        next_(found.walls.size(), kNone),
        beside_(floors_.size()),
        queue_(0.0) {
    for (std::uint32_t i = 0; i < next_.size(); ++i) {
      const RegionWall& one = found.walls[i];
      Wall wall{region[one.a], region[one.b], i, i, 0, one.lowest, one.median, true};
      if (wall.a == wall.b || wall.a == 0 || wall.b == 0) continue;
      const std::uint32_t number = pairs_.number(PairNumbers::key(wall.a, wall.b));
      if (number < wall_of_.size()) {
        add(walls_[wall_of_[number]], wall);
      } else {
        wall_of_.push_back(number);
        beside_[wall.a].push_back(number);
        beside_[wall.b].push_back(number);
        walls_.push_back(wall);
      }
    }
    double largest = 0.0;
    for (const Wall& wall : walls_) largest = std::max(largest, strength(wall));
    queue_ = WallQueue(std::min(largest, strongest));
    for (std::uint32_t w = 0; w < walls_.size(); ++w) offer(w);
  }

  Result<std::vector<WallMerge>> run(const JobContext& context) {
    std::vector<WallMerge> out;
    std::uint32_t steps = 0;
    WallQueue::Offer best;
    const auto holds = [&](const WallQueue::Offer& one) {
      return walls_[one.wall].change == one.change;
    };
    while (queue_.pop(holds, best)) {
      if ((++steps & 255U) == 0 && context.stop_requested()) return cancelled_error();
      if (measure(walls_[best.wall]) && strength(walls_[best.wall]) != best.strength()) {
        offer(best.wall);
      } else {
        out.push_back(take_away(best));
      }
    }
    return out;
  }

 private:
  struct Wall {
    // The two regions; 0 for walls that were removed, since no region has the number 0.
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    // The walls that it was united from: the first and last of a list linked by `next_`.
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    // Counts changes: offers that were made before the last one are void.
    std::uint32_t change = 0;
    float lowest = 0.0F;
    // The median of its heights; a lower bound of it if not is_known.
    float median = 0.0F;
    bool is_known = true;
  };

  [[nodiscard]] double strength(const Wall& wall) const {
    const auto [low, high] = std::minmax(floors_[wall.a], floors_[wall.b]);
    const double depth = static_cast<double>(wall.lowest) - static_cast<double>(high);
    const double contrast = static_cast<double>(wall.median) - static_cast<double>(low);
    return std::sqrt(std::max(0.0, depth) * std::max(0.0, contrast));
  }
  // A wall that is too strong is not queued; its next change offers it again.
  void offer(std::uint32_t w) {
    Wall& wall = walls_[w];
    ++wall.change;
    const double its = strength(wall);
    if (its > strongest_) return;
    const auto [low, high] = std::minmax(wall.a, wall.b);
    queue_.push({WallQueue::bits_of(its), PairNumbers::key(low, high), w, wall.change});
  }
  void add(Wall& wall, const Wall& other) {
    next_[wall.last] = other.first;
    wall.last = other.last;
    wall.lowest = std::min(wall.lowest, other.lowest);
    wall.is_known = wall.is_known && other.is_known && wall.median == other.median;
    wall.median = std::min(wall.median, other.median);
  }
  // Finds the median of a wall; returns whether it was not known before.
  bool measure(Wall& wall) {
    if (wall.is_known) return false;
    scratch_.clear();
    for (std::uint32_t i = wall.first; i != kNone; i = next_[i]) {
      scratch_.insert(scratch_.end(),
                      found_.heights.begin() + static_cast<std::ptrdiff_t>(found_.first[i]),
                      found_.heights.begin() + static_cast<std::ptrdiff_t>(found_.first[i + 1]));
    }
    const auto middle = scratch_.begin() + static_cast<std::ptrdiff_t>((scratch_.size() - 1) / 2);
    std::nth_element(scratch_.begin(), middle, scratch_.end());
    wall.median = *middle;
    wall.is_known = true;
    return true;
  }
  void remove(Wall& wall) {
    ++wall.change;
    wall.a = 0;
    wall.b = 0;
  }

  // The deeper region stays, so that only walls of the other one change.
  WallMerge take_away(const WallQueue::Offer& best) {
    auto into = static_cast<std::uint32_t>(best.regions >> 32U);
    auto gone = static_cast<std::uint32_t>(best.regions);
    if (floors_[gone] < floors_[into]) std::swap(into, gone);
    remove(walls_[best.wall]);
    for (const std::uint32_t w : std::exchange(beside_[gone], {})) {
      Wall& wall = walls_[w];
      if (wall.a == 0) continue;
      std::uint32_t& end = wall.a == gone ? wall.a : wall.b;
      const std::uint32_t other = wall.a == gone ? wall.b : wall.a;
      // Each pair of touching regions that are left has one wall: the one of the pair's number.
      const std::uint32_t number = pairs_.number(PairNumbers::key(into, other));
      if (number < wall_of_.size()) {
        const std::uint32_t there = wall_of_[number];
        add(walls_[there], wall);
        remove(wall);
        offer(there);
      } else {
        wall_of_.push_back(w);
        end = into;
        beside_[into].push_back(w);
        offer(w);
      }
    }
    return {best.strength(), into, gone};
  }

  const RegionWalls& found_;
  double strongest_;
  std::vector<float> floors_;
  // For each wall of `found_`: the next one in the list of the united wall.
  std::vector<std::uint32_t> next_;
  std::vector<Wall> walls_;
  PairNumbers pairs_;
  // For each number of a pair its wall; pairs with regions that are gone are not asked for.
  std::vector<std::uint32_t> wall_of_;
  // For each region its walls, and some that were removed.
  std::vector<std::vector<std::uint32_t>> beside_;
  WallQueue queue_;
  std::vector<float> scratch_;
};

}  // namespace

Result<std::vector<WallMerge>> wall_merges(const RegionWalls& walls, const RegionTable& finer,
                                           const Basins& basins, const RegionTable& cut,
                                           double strongest, const JobContext& context) {
  std::vector<float> floors(std::size_t{cut.count} + 1, std::numeric_limits<float>::infinity());
  for (std::size_t i = 1; i < cut.region.size(); ++i) {
    float& floor = floors[cut.region[i]];
    floor = std::min(floor, basins.floors[i]);
  }
  return Merging(walls, coarser(finer, cut), std::move(floors), strongest).run(context);
}

bool is_within(const RegionTable& finer, const RegionTable& cut) {
  if (finer.region.size() != cut.region.size()) return false;
  const std::vector<std::uint32_t> region = coarser(finer, cut);
  for (std::size_t i = 1; i < cut.region.size(); ++i) {
    if (region[finer.region[i]] != cut.region[i]) return false;
  }
  return true;
}

RegionTable cut_walls(const RegionTable& regions, const std::vector<WallMerge>& merges,
                      double strength) {
  DisjointSets sets(std::size_t{regions.count} + 1);
  for (const WallMerge& merge : merges) {
    if (merge.strength > strength) break;
    sets.unite(merge.into, merge.gone);
  }
  RegionTable out;
  out.region.assign(regions.region.size(), 0);
  std::vector<std::uint32_t> number(std::size_t{regions.count} + 1, 0);
  for (std::size_t i = 0; i < regions.region.size(); ++i) {
    if (regions.region[i] == 0) continue;
    std::uint32_t& its = number[sets.find(regions.region[i])];
    if (its == 0) its = ++out.count;
    out.region[i] = its;
  }
  return out;
}

}  // namespace aprscope

#include "core/cells/wall_merges.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "core/cells/pair_numbers.hpp"
#include "core/cells/wall_visit.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

// The wall between two regions: its pairs of pixels, and what is known of their heights.
struct Wall {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::vector<float> heights;
  float lowest = 0.0F;
  float median = 0.0F;

  // The lower median where the number is even.
  void measure() {
    lowest = *std::min_element(heights.begin(), heights.end());
    const auto middle = heights.begin() + static_cast<std::ptrdiff_t>((heights.size() - 1) / 2);
    std::nth_element(heights.begin(), middle, heights.end());
    median = *middle;
  }
  // The heights of another one, too.
  void take(Wall& other) {
    if (heights.size() < other.heights.size()) heights.swap(other.heights);
    heights.insert(heights.end(), other.heights.begin(), other.heights.end());
    measure();
  }
};

// A small table in the cache before a large one: the same pair mostly comes again soon.
template <class Value>
struct RecentPairs {
  struct Slot {
    std::uint64_t key = 0;
    Value value{};
  };
  std::vector<Slot> slots{std::size_t{1} << 12};

  Slot& slot(std::uint64_t key) {
    const std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    return slots[static_cast<std::size_t>(hash ^ (hash >> 32U)) & (slots.size() - 1)];
  }
};

// How many pairs of pixels there are between pairs of regions.
struct CountedPairs {
  PairNumbers pairs;
  std::vector<std::size_t> counts;
  RecentPairs<std::size_t> recent;

  void add(std::uint64_t key, std::size_t count) {
    const std::uint32_t n = pairs.number(key);
    if (n == counts.size()) counts.push_back(0);
    counts[n] += count;
  }
  void count(std::uint64_t key, std::size_t some) {
    auto& slot = recent.slot(key);
    if (slot.key != key) {
      if (slot.key != 0) add(slot.key, slot.value);
      slot = {key, 0};
    }
    slot.value += some;
  }
  void finish() {
    for (const auto& slot : recent.slots) {
      if (slot.key != 0) add(slot.key, slot.value);
    }
  }
};

// source(context, visit) calls visit(basin, other basin, height, pairs of pixels, thread).
template <class Source>
bool find_walls(const Source& source, int threads, const RegionTable& regions,
                const JobContext& context, std::vector<Wall>& walls, PairNumbers& found) {
  const auto each = [&](double from, double to, const auto& visit) {
    return source(context.part(from, to),
                  [&](std::uint32_t a, std::uint32_t b, float h, std::size_t pairs, int thread) {
                    a = regions.region[a];
                    b = regions.region[b];
                    if (a != b && a != 0 && b != 0) visit(PairNumbers::key(a, b), h, pairs, thread);
                  });
  };
  std::vector<CountedPairs> counted(static_cast<std::size_t>(threads));
  if (!each(0.0, 0.4, [&](std::uint64_t key, float, std::size_t some, int thread) {
        counted[static_cast<std::size_t>(thread)].count(key, some);
      })) {
    return false;
  }
  CountedPairs all = std::move(counted.front());
  all.finish();
  for (std::size_t t = 1; t < counted.size(); ++t) {
    counted[t].finish();
    for (std::size_t i = 0; i < counted[t].counts.size(); ++i) {
      all.add(counted[t].pairs.keys()[i], counted[t].counts[i]);
    }
    counted[t] = {};
  }
  found = std::move(all.pairs);
  const PairNumbers& pairs = found;
  const std::vector<std::size_t>& counts = all.counts;
  walls.resize(counts.size());
  for (std::size_t i = 0; i < walls.size(); ++i) {
    walls[i].a = static_cast<std::uint32_t>(pairs.keys()[i] >> 32U);
    walls[i].b = static_cast<std::uint32_t>(pairs.keys()[i]);
    walls[i].heights.resize(counts[i]);
  }
  // Which thread comes first decides about the order of heights, which nothing depends on.
  std::vector<std::size_t> filled(walls.size(), 0);
  std::vector<RecentPairs<std::uint32_t>> recent(static_cast<std::size_t>(threads));
  if (!each(0.4, 0.8, [&](std::uint64_t key, float h, std::size_t some, int thread) {
        auto& slot = recent[static_cast<std::size_t>(thread)].slot(key);
        if (slot.key != key) slot = {key, pairs.find(key)};
        const std::uint32_t n = slot.value;
        const std::size_t at =
            std::atomic_ref(filled[n]).fetch_add(some, std::memory_order_relaxed);
        std::fill_n(walls[n].heights.begin() + static_cast<std::ptrdiff_t>(at), some, h);
      })) {
    return false;
  }
  return parallel_items(static_cast<std::int64_t>(walls.size()), threads, context.part(0.8, 0.9),
                        "walls",
                        [&](std::int64_t i, int) { walls[static_cast<std::size_t>(i)].measure(); });
}

// Takes walls away. `pairs` numbers walls by their regions.
class Merging {
 public:
  Merging(std::vector<Wall> walls, PairNumbers pairs, std::vector<float> floors, double strongest)
      : strongest_(strongest),
        walls_(std::move(walls)),
        floors_(std::move(floors)),
        pairs_(std::move(pairs)),
        wall_of_(walls_.size()),
        beside_(floors_.size()),
        changes_(walls_.size(), 0) {
    std::iota(wall_of_.begin(), wall_of_.end(), std::uint32_t{0});
    for (std::uint32_t w = 0; w < walls_.size(); ++w) {
      beside_[walls_[w].a].push_back(w);
      beside_[walls_[w].b].push_back(w);
      offer(w);
    }
  }

  Result<std::vector<WallMerge>> run(const JobContext& context) {
    std::vector<WallMerge> out;
    std::uint32_t steps = 0;
    while (!queue_.empty()) {
      if ((++steps & 255U) == 0 && context.stop_requested()) return cancelled_error();
      const Offer best = queue_.top();
      queue_.pop();
      if (best.change == changes_[best.wall]) out.push_back(take_away(best));
    }
    return out;
  }

 private:
  struct Offer {
    double strength;
    std::uint32_t a, b, wall, change;
    // For a queue whose top is the weakest.
    bool operator<(const Offer& other) const {
      return std::tie(strength, a, b) > std::tie(other.strength, other.a, other.b);
    }
  };

  // One that is too strong waits for its next change, which offers it again.
  void offer(std::uint32_t w) {
    const Wall& wall = walls_[w];
    const auto [low, high] = std::minmax(floors_[wall.a], floors_[wall.b]);
    const double depth = static_cast<double>(wall.lowest) - static_cast<double>(high);
    const double contrast = static_cast<double>(wall.median) - static_cast<double>(low);
    const double strength = std::sqrt(std::max(0.0, depth) * std::max(0.0, contrast));
    ++changes_[w];
    if (strength > strongest_) return;
    queue_.push({strength, std::min(wall.a, wall.b), std::max(wall.a, wall.b), w, changes_[w]});
  }
  // No region has the number 0.
  void remove(std::uint32_t w) {
    ++changes_[w];
    walls_[w] = {};
  }

  // The deeper region stays, so that only walls of the other one change.
  WallMerge take_away(const Offer& best) {
    std::uint32_t into = best.a;
    std::uint32_t gone = best.b;
    if (floors_[gone] < floors_[into]) std::swap(into, gone);
    remove(best.wall);
    for (const std::uint32_t w : std::exchange(beside_[gone], {})) {
      Wall& wall = walls_[w];
      if (wall.a == 0) continue;
      std::uint32_t& end = wall.a == gone ? wall.a : wall.b;
      const std::uint32_t other = wall.a == gone ? wall.b : wall.a;
      // Of regions that are left each pair that touches has the wall of its number.
      const std::uint32_t number = pairs_.number(PairNumbers::key(into, other));
      if (number < wall_of_.size()) {
        const std::uint32_t there = wall_of_[number];
        walls_[there].take(wall);
        remove(w);
        offer(there);
      } else {
        wall_of_.push_back(w);
        end = into;
        beside_[into].push_back(w);
        offer(w);
      }
    }
    return {best.strength, into, gone};
  }

  double strongest_;
  std::vector<Wall> walls_;
  std::vector<float> floors_;
  PairNumbers pairs_;
  // By number of a pair; pairs of regions that are gone are asked for no more.
  std::vector<std::uint32_t> wall_of_;
  // By region: its walls, and some that were removed.
  std::vector<std::vector<std::uint32_t>> beside_;
  // By wall: offers that were made before its last change count no more.
  std::vector<std::uint32_t> changes_;
  std::priority_queue<Offer> queue_;
};

template <class Source>
Result<std::vector<WallMerge>> merges_of(const Source& source, int threads, const Basins& basins,
                                         const RegionTable& regions, double strongest,
                                         const JobContext& context) {
  std::vector<Wall> walls;
  PairNumbers pairs;
  if (!find_walls(source, threads, regions, context, walls, pairs)) return cancelled_error();
  std::vector<float> floors(std::size_t{regions.count} + 1, std::numeric_limits<float>::infinity());
  for (std::size_t i = 1; i < regions.region.size(); ++i) {
    float& floor = floors[regions.region[i]];
    floor = std::min(floor, basins.floors[i]);
  }
  return Merging(std::move(walls), std::move(pairs), std::move(floors), strongest).run(context);
}

}  // namespace

template <class T>
Result<std::vector<WallMerge>> wall_merges(const Pixels<T>& image, const Basins& basins,
                                           const RegionTable& regions, const BasinRule& rule,
                                           double strongest, const JobContext& context) {
  const WallPieces pieces(image.size);
  const int threads = threads_for(image.size.count());
  const auto source = [&](const JobContext& part, const auto& visit) {
    return each_wall(image, basins.labels, rule.near, rule.bright, pieces, threads, part, "walls",
                     [&](std::uint32_t a, std::uint32_t b, float h, std::int64_t, int thread) {
                       visit(a, b, h, std::size_t{1}, thread);
                     });
  };
  return merges_of(source, threads, basins, regions, strongest, context);
}

Result<std::vector<WallMerge>> wall_merges(const WallSource& source, const Basins& basins,
                                           const RegionTable& regions, double strongest,
                                           const JobContext& context) {
  return merges_of(source.each, source.threads, basins, regions, strongest, context);
}

template Result<std::vector<WallMerge>> wall_merges(const Pixels<std::uint8_t>&, const Basins&,
                                                    const RegionTable&, const BasinRule&, double,
                                                    const JobContext&);
template Result<std::vector<WallMerge>> wall_merges(const Pixels<std::uint16_t>&, const Basins&,
                                                    const RegionTable&, const BasinRule&, double,
                                                    const JobContext&);
template Result<std::vector<WallMerge>> wall_merges(const Pixels<float>&, const Basins&,
                                                    const RegionTable&, const BasinRule&, double,
                                                    const JobContext&);

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

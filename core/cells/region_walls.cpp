#include "core/cells/region_walls.hpp"

#include <algorithm>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/pair_numbers.hpp"
#include "core/cells/wall_visit.hpp"

namespace aprscope {
namespace {

// Walls that one thread has seen; it numbers them as it meets them.
class SeenWalls {
 public:
  void add(std::uint64_t key, float height, std::size_t pairs) {
    Recent& recent = recent_[slot(key)];
    if (recent.key != key) {
      recent = {key, numbers_.number(key)};
      if (recent.number == counts_.size()) counts_.push_back(0);
    }
    counts_[recent.number] += pairs;
    for (; pairs > 0; --pairs) {
      if (blocks_.empty() || blocks_.back().size() == kBlock) {
        blocks_.emplace_back();
        blocks_.back().reserve(kBlock);
      }
      blocks_.back().push_back({recent.number, height});
    }
  }
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return numbers_.keys(); }
  [[nodiscard]] const std::vector<std::size_t>& counts() const { return counts_; }

  /// Puts each height where the next one of its wall goes, and lets go of it.
  void put(std::vector<std::size_t>& next, float* heights) {
    for (std::vector<Seen>& block : blocks_) {
      for (const Seen& one : block) heights[next[one.number]++] = one.height;
      block = {};
    }
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 14;
  static constexpr std::size_t kRecent = std::size_t{1} << 12;
  struct Seen {
    std::uint32_t number = 0;
    float height = 0.0F;
  };
  // An entry of a small table in the cache, asked before the large one, since pairs mostly recur
  // soon. No pair has the key 0.
  struct Recent {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };
  static std::size_t slot(std::uint64_t key) {
    const std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32U)) & (kRecent - 1);
  }

  PairNumbers numbers_;
  std::vector<std::size_t> counts_;
  std::vector<Recent> recent_{kRecent};
  std::vector<std::vector<Seen>> blocks_;
};

// Gives walls the numbers that the first thread gave them, and others of the second on; then where
// the heights of each thread go, by its own numbers.
std::vector<std::vector<std::size_t>> lay_out(const std::vector<SeenWalls>& seen,
                                              RegionWalls& out) {
  PairNumbers all;
  std::vector<std::vector<std::size_t>> next(seen.size());
  std::vector<std::size_t> counts;
  for (std::size_t t = 0; t < seen.size(); ++t) {
    next[t].resize(seen[t].counts().size());
    for (std::size_t i = 0; i < next[t].size(); ++i) {
      const std::uint32_t n = all.number(seen[t].keys()[i]);
      if (n == counts.size()) counts.push_back(0);
      next[t][i] = counts[n];
      counts[n] += seen[t].counts()[i];
    }
  }
  out.walls.resize(counts.size());
  out.first.assign(counts.size() + 1, 0);
  for (std::size_t w = 0; w < counts.size(); ++w) {
    out.walls[w].a = static_cast<std::uint32_t>(all.keys()[w] >> 32U);
    out.walls[w].b = static_cast<std::uint32_t>(all.keys()[w]);
    out.first[w + 1] = out.first[w] + counts[w];
  }
  for (std::size_t t = 0; t < seen.size(); ++t) {
    for (std::size_t i = 0; i < next[t].size(); ++i) {
      next[t][i] += out.first[all.find(seen[t].keys()[i])];
    }
  }
  return next;
}

void measure(RegionWalls& all, std::size_t w) {
  const auto begin = all.heights.begin() + static_cast<std::ptrdiff_t>(all.first[w]);
  const auto end = all.heights.begin() + static_cast<std::ptrdiff_t>(all.first[w + 1]);
  RegionWall& wall = all.walls[w];
  wall.lowest = *std::min_element(begin, end);
  const auto middle = begin + (end - begin - 1) / 2;
  std::nth_element(begin, middle, end);
  wall.median = *middle;
}

// each(context, visit) calls visit(pair of regions, height, pairs of pixels, thread). The order in
// which threads run affects only the order of the walls.
template <class Each>
Result<RegionWalls> walls_of(const Each& each, int threads, const JobContext& context) {
  std::vector<SeenWalls> seen(static_cast<std::size_t>(threads));
  if (!each(context.part(0.0, 0.7),
            [&](std::uint64_t key, float height, std::size_t pairs, int thread) {
              seen[static_cast<std::size_t>(thread)].add(key, height, pairs);
            })) {
    return cancelled_error();
  }
  RegionWalls out;
  auto next = lay_out(seen, out);
  out.heights.resize(out.first.back());
  parallel_each(threads, threads, [&](std::int64_t t, int) {
    const auto k = static_cast<std::size_t>(t);
    seen[k].put(next[k], out.heights.data());
    next[k] = {};
  });
  seen.clear();
  constexpr std::int64_t kSome = 256;
  const auto count = static_cast<std::int64_t>(out.walls.size());
  const bool done = parallel_items((count + kSome - 1) / kSome, threads, context.part(0.8, 1.0),
                                   "walls", [&](std::int64_t some, int) {
                                     const std::int64_t end = std::min(count, (some + 1) * kSome);
                                     for (std::int64_t w = some * kSome; w < end; ++w)
                                       measure(out, static_cast<std::size_t>(w));
                                   });
  if (!done) return cancelled_error();
  return out;
}

}  // namespace

std::uint64_t RegionWalls::bytes() const {
  return walls.size() * sizeof(RegionWall) + heights.size() * sizeof(float) +
         first.size() * sizeof(std::size_t);
}

template <class T>
Result<RegionWalls> region_walls(const Pixels<T>& image, const Basins& basins,
                                 const RegionTable& regions, const BasinRule& rule,
                                 const JobContext& context) {
  const WallPieces pieces(image.size);
  const int threads = threads_for(image.size.count());
  // Most neighbours are in one region, if not in one basin.
  std::vector<std::uint32_t> labels;
  if (Status done = look_up(basins.labels, regions.region, labels, context.part(0.0, 0.1)); !done) {
    return done.error();
  }
  const auto each = [&](const JobContext& part, const auto& visit) {
    return each_wall(image, labels, rule.near, rule.bright, pieces, threads, part, "walls",
                     [&](std::size_t p, std::size_t q, float h, int thread) {
                       visit(PairNumbers::key(labels[p], labels[q]), h, std::size_t{1}, thread);
                     });
  };
  return walls_of(each, threads, context.part(0.1, 1.0));
}

template Result<RegionWalls> region_walls(const Pixels<std::uint8_t>&, const Basins&,
                                          const RegionTable&, const BasinRule&, const JobContext&);
template Result<RegionWalls> region_walls(const Pixels<std::uint16_t>&, const Basins&,
                                          const RegionTable&, const BasinRule&, const JobContext&);
template Result<RegionWalls> region_walls(const Pixels<float>&, const Basins&, const RegionTable&,
                                          const BasinRule&, const JobContext&);

Result<RegionWalls> region_walls(const WallSource& source, const RegionTable& regions,
                                 const JobContext& context) {
  const auto each = [&](const JobContext& part, const auto& visit) {
    return source.each(
        part, [&](std::uint32_t a, std::uint32_t b, float h, std::size_t pairs, int thread) {
          a = regions.region[a];
          b = regions.region[b];
          if (a != b && a != 0 && b != 0) visit(PairNumbers::key(a, b), h, pairs, thread);
        });
  };
  return walls_of(each, source.threads, context);
}

}  // namespace aprscope

#include "core/cells/basin_tree.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <tuple>

#include <immintrin.h>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/pass_table.hpp"
#include "core/cells/wall_visit.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kNoPass = std::numeric_limits<std::uint64_t>::max();
// Heights as whole numbers in the same order; −0 is 0.
constexpr std::uint32_t kSign = std::uint32_t{1} << 31U;
std::uint32_t rank(float height) {
  const auto bits = std::bit_cast<std::uint32_t>(height + 0.0F);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
float height_of(std::uint32_t rank) {
  return std::bit_cast<float>((rank & kSign) != 0 ? rank & ~kSign : ~rank);
}
// With more than one basin in so many pixels, the lowest pass of each basin is found first; then
// few passes are left to keep track of.
constexpr std::uint64_t kManyBasins = 64;

bool lower(const BasinPass& a, const BasinPass& b) {
  return std::tie(a.height, a.a, a.b) < std::tie(b.height, b.a, b.b);
}

template <class T>
void lower_to(T& shared, T value) {
  std::atomic_ref at(shared);
  T before = at.load(std::memory_order_relaxed);
  while (value < before && !at.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

template <class T>
class TreeMaker {
 public:
  TreeMaker(const Pixels<T>& image, const Basins& basins, const BasinRule& rule,
            const JobContext& context)
      : image_(image),
        basins_(basins),
        rule_(rule),
        context_(context),
        pieces_(image.size),
        threads_(threads_for(image.size.count())),
        sets_(basins.floors.size()) {}

  Result<BasinTree> run() {
    BasinTree out;
    if (static_cast<std::uint64_t>(image_.size.count()) < kManyBasins * basins_.count() &&
        !(is_in_pieces_ = find_lowest(out.passes))) {
      return cancelled_error();
    }
    std::vector<BasinPass> rest;
    if (!gather(rest)) return cancelled_error();
    sort_passes(rest);
    std::uint32_t visited = 0;
    for (const BasinPass& pass : rest) {
      if ((++visited & 0xFFFFU) == 0 && context_.stop_requested()) return cancelled_error();
      if (sets_.unite(pass.a, pass.b)) out.passes.push_back(pass);
    }
    if (context_.stop_requested()) return cancelled_error();
    sort_passes(out.passes);
    out.floors = basins_.floors;
    out.sizes = basins_.sizes;
    out.markers = basins_.markers;
    return out;
  }

 private:
  // Sorts passes in parts, which are then merged two by two.
  void sort_passes(std::vector<BasinPass>& passes) const {
    const auto count = static_cast<std::int64_t>(passes.size());
    const int parts = threads_for(count);
    const auto at = [&](std::int64_t part) {
      return passes.begin() +
             static_cast<std::ptrdiff_t>(count * std::min<std::int64_t>(part, parts) / parts);
    };
    parallel_each(parts, parts, [&](std::int64_t i, int) { std::sort(at(i), at(i + 1), lower); });
    for (std::int64_t width = 1; width < parts; width *= 2) {
      parallel_each((parts + 2 * width - 1) / (2 * width), parts, [&](std::int64_t i, int) {
        const std::int64_t first = 2 * width * i;
        std::inplace_merge(at(first), at(first + width), at(first + 2 * width), lower);
      });
    }
  }

  // Calls visit(basin, other basin, height, thread) where two of `labels` differ.
  template <class Visit>
  bool each(const std::vector<std::uint32_t>& labels, double from, double to, const Visit& visit) {
    const std::uint32_t* const basins = basins_.labels.data();
    return each_wall(image_, labels, rule_.near, rule_.bright, pieces_, threads_,
                     context_.part(from, to), "passes",
                     [&](std::size_t p, std::size_t q, float h, int thread) {
                       visit(basins[p], basins[q], h, thread);
                     });
  }

  // The lowest pass of each basin is part of the tree (Borůvka 1926), of those that are as low the
  // one to the first basin.
  bool find_lowest(std::vector<BasinPass>& passes) {
    const std::size_t count = basins_.floors.size();
    std::vector<std::uint64_t> lowest(count, kNoPass);
    const bool done =
        each(basins_.labels, 0.0, 0.5, [&](std::uint32_t a, std::uint32_t b, float h, int) {
          const std::uint64_t high = std::uint64_t{rank(h)} << 32U;
          lower_to(lowest[a], high | b);
          lower_to(lowest[b], high | a);
        });
    if (!done) return false;
    for (std::uint32_t i = 1; i < count; ++i) {
      if (lowest[i] == kNoPass) continue;
      const auto to = static_cast<std::uint32_t>(lowest[i]);
      if (!sets_.unite(i, to)) continue;
      passes.push_back({height_of(static_cast<std::uint32_t>(lowest[i] >> 32U)), std::min(i, to),
                        std::max(i, to)});
    }
    return true;
  }

  // The lowest pass between each two of the pieces that there are.
  bool gather(std::vector<BasinPass>& rest) {
    std::vector<std::uint32_t> piece(basins_.floors.size());
    for (std::uint32_t i = 0; i < piece.size(); ++i) piece[i] = sets_.find(i);
    // Most neighbours are in one piece by now.
    std::vector<std::uint32_t> labels;
    if (is_in_pieces_ && !look_up(basins_.labels, piece, labels, context_.part(0.5, 0.6))) {
      return false;
    }
    std::vector<PassTable> tables(static_cast<std::size_t>(threads_));
    const bool done = each(
        is_in_pieces_ ? labels : basins_.labels, 0.6, 0.9,
        [&](std::uint32_t a, std::uint32_t b, float h, int thread) {
          const auto [u, v] = std::minmax(piece[a], piece[b]);
          tables[static_cast<std::size_t>(thread)].add(u, v, {h, std::min(a, b), std::max(a, b)});
        });
    if (!done) return false;
    for (PassTable& one : tables) {
      one.append_to(rest);
      one = {};
    }
    return true;
  }

  const Pixels<T>& image_;
  const Basins& basins_;
  const BasinRule& rule_;
  const JobContext& context_;
  const WallPieces pieces_;
  const int threads_;
  DisjointSets sets_;
  // Whether some basins are one piece.
  bool is_in_pieces_ = false;
};

// Unites basins from the lowest pass on; each set has the number of its deepest basin.
class Rising {
 public:
  explicit Rising(const BasinTree& tree) : sets_(tree.floors.size()), floors_(tree.floors) {}

  std::uint32_t find(std::uint32_t i) { return sets_.find(i); }
  [[nodiscard]] float floor(std::uint32_t set) const { return floors_[set]; }
  /// The deeper of two sets, of equally deep ones the first.
  [[nodiscard]] bool deeper(std::uint32_t a, std::uint32_t b) const {
    return floors_[a] != floors_[b] ? floors_[a] < floors_[b] : a < b;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    if (!deeper(a, b)) std::swap(a, b);
    sets_.put(b, a);
  }

 private:
  DisjointSets sets_;
  const std::vector<float>& floors_;
};

}  // namespace

std::uint64_t BasinTree::bytes() const {
  return passes.size() * sizeof(BasinPass) + 4 * (floors.size() + markers.size()) +
         8 * sizes.size();
}

template <class T>
Result<BasinTree> basin_tree(const Pixels<T>& image, const Basins& basins, const BasinRule& rule,
                             const JobContext& context) {
  return TreeMaker<T>(image, basins, rule, context).run();
}

template Result<BasinTree> basin_tree(const Pixels<std::uint8_t>&, const Basins&, const BasinRule&,
                                      const JobContext&);
template Result<BasinTree> basin_tree(const Pixels<std::uint16_t>&, const Basins&, const BasinRule&,
                                      const JobContext&);
template Result<BasinTree> basin_tree(const Pixels<float>&, const Basins&, const BasinRule&,
                                      const JobContext&);

RegionTable cut_tree(const BasinTree& tree, double depth) {
  Rising rising(tree);
  for (const BasinPass& pass : tree.passes) {
    const std::uint32_t a = rising.find(pass.a);
    const std::uint32_t b = rising.find(pass.b);
    const double floor = std::max(rising.floor(a), rising.floor(b));
    if (static_cast<double>(pass.height) - floor <= depth) rising.unite(a, b);
  }
  // Basins are in the order of their first pixels, so regions are, too.
  RegionTable out;
  out.region.assign(tree.floors.size(), 0);
  std::vector<std::uint32_t> number(tree.floors.size(), 0);
  for (std::uint32_t i = 1; i < out.region.size(); ++i) {
    std::uint32_t& its = number[rising.find(i)];
    if (its == 0) its = ++out.count;
    out.region[i] = its;
  }
  return out;
}

RegionTable without_small(const BasinTree& tree, const RegionTable& regions,
                          std::uint64_t least_pixels) {
  std::vector<std::uint64_t> sizes(std::size_t{regions.count} + 1, 0);
  for (std::size_t i = 1; i < regions.region.size(); ++i) {
    sizes[regions.region[i]] += tree.sizes[i];
  }
  DisjointSets sets(sizes.size());
  for (const BasinPass& pass : tree.passes) {
    const std::uint32_t a = sets.find(regions.region[pass.a]);
    const std::uint32_t b = sets.find(regions.region[pass.b]);
    if (a == b || a == 0 || b == 0 || std::min(sizes[a], sizes[b]) >= least_pixels) continue;
    sets.put(b, a);
    sizes[a] += sizes[b];
  }
  RegionTable out;
  out.region.assign(regions.region.size(), 0);
  std::vector<std::uint32_t> number(sizes.size(), 0);
  for (std::size_t i = 1; i < regions.region.size(); ++i) {
    const std::uint32_t set = sets.find(regions.region[i]);
    if (set == 0 || sizes[set] < least_pixels) continue;
    if (number[set] == 0) number[set] = ++out.count;
    out.region[i] = number[set];
  }
  return out;
}

RegionTable flood_from_markers(const BasinTree& tree) {
  RegionTable out;
  out.region = tree.markers;
  out.region.resize(tree.floors.size(), 0);
  DisjointSets sets(tree.floors.size());
  for (const BasinPass& pass : tree.passes) {
    const std::uint32_t a = sets.find(pass.a);
    const std::uint32_t b = sets.find(pass.b);
    if (out.region[a] != 0 && out.region[b] != 0) continue;
    if (out.region[a] != 0) {
      sets.put(b, a);
    } else {
      sets.put(a, b);
    }
  }
  for (std::uint32_t i = 1; i < out.region.size(); ++i) {
    out.region[i] = out.region[sets.find(i)];
    out.count = std::max(out.count, out.region[i]);
  }
  return out;
}

std::vector<float> basin_depths(const BasinTree& tree) {
  std::vector<float> depths(tree.floors.size(), std::numeric_limits<float>::infinity());
  Rising rising(tree);
  for (const BasinPass& pass : tree.passes) {
    std::uint32_t a = rising.find(pass.a);
    std::uint32_t b = rising.find(pass.b);
    if (!rising.deeper(a, b)) std::swap(a, b);
    depths[b] = pass.height - rising.floor(b);
    rising.unite(a, b);
  }
  return depths;
}

namespace {

// Writes past the caches: otherwise each line would first be read, which costs half as much again,
// and the results do not stay in the caches until they are used.
void look_up_piece(const std::uint32_t* labels, const std::uint32_t* table, std::size_t count,
                   std::uint32_t* out) {
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    const std::uint64_t two =
        std::uint64_t{table[labels[i + 1]]} << 32U | std::uint64_t{table[labels[i]]};
    _mm_stream_si64(reinterpret_cast<long long*>(out + i), static_cast<long long>(two));
  }
  for (; i < count; ++i) out[i] = table[labels[i]];
  _mm_sfence();
}

}  // namespace

Status look_up(const std::vector<std::uint32_t>& labels, const std::vector<std::uint32_t>& table,
               std::vector<std::uint32_t>& out, const JobContext& context) {
  const auto count = static_cast<std::int64_t>(labels.size());
  if (out.size() != labels.size()) {
    out.clear();
    make_zeros(out, count);
  }
  constexpr std::int64_t kPiece = std::int64_t{1} << 17;
  const bool done =
      parallel_items((count + kPiece - 1) / kPiece, threads_for(count), context, "labels",
                     [&](std::int64_t piece, int) {
                       const std::int64_t begin = piece * kPiece;
                       look_up_piece(labels.data() + begin, table.data(),
                                     static_cast<std::size_t>(std::min(count - begin, kPiece)),
                                     out.data() + begin);
                     });
  if (!done) return cancelled_error();
  return {};
}

}  // namespace aprscope

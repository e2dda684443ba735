#include "core/cells/basins.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <type_traits>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/flood_steps.hpp"
#include "core/cells/flood_ways.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

using namespace flood;  // NOLINT: ways are what this file is about

// Of a pixel in the front of a plateau: not in memory, so that what is beside it is known without
// dividing.
struct Place {
  std::uint32_t z = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

// What vectors of heights are compared with, of the same width.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;

// Pixels in pieces of rows, which threads share.
constexpr std::int64_t kPiece = std::int64_t{1} << 15;
// Below these many pixels of a plateau's front one thread is enough.
constexpr std::int64_t kFront = std::int64_t{1} << 13;

template <class T, bool kBright>
class Descent {
 public:
  Descent(const Pixels<T>& image, const BasinRule& rule, const JobContext& context)
      : image_(image),
        n_(image.size),
        rule_(rule),
        context_(context),
        steps_(rule.near, image.size),
        pixels_(image.size.count()),
        rows_(n_.z * n_.x),
        piece_rows_(std::max<std::int64_t>(1, kPiece / std::max<std::int64_t>(1, n_.y))),
        pieces_((rows_ + piece_rows_ - 1) / std::max<std::int64_t>(1, piece_rows_)),
        threads_(threads_for(pixels_)) {}

  Result<Basins> run() {
    ways_ = Scratch<std::uint8_t>(pixels_, Pages::huge);
    make_zeros(out_.labels, pixels_);
    if (!find_ways()) return cancelled_error();
    lead_to_markers();
    if (!cross_plateaus()) return cancelled_error();
    if (!find_minima()) return cancelled_error();
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1ULL;
    if (first_[static_cast<std::size_t>(pieces_)] > most) {
      return Error{"has more than 4 294 967 294 minima", "the image", "smooth it first"};
    }
    if (!number_minima() || !follow_ways() || !join_flat_minima()) return cancelled_error();
    if (!number_basins()) return cancelled_error();
    return std::move(out_);
  }

 private:
  static T height(T value) {
    if constexpr (!kBright) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return -value;
    } else {
      return static_cast<T>(std::numeric_limits<T>::max() - value);
    }
  }
  [[nodiscard]] T at(std::int64_t i) const {
    return height(image_.values[static_cast<std::size_t>(i)]);
  }
  [[nodiscard]] float floor_at(std::int64_t i) const {
    const auto value = static_cast<float>(image_.values[static_cast<std::size_t>(i)]);
    return kBright ? -value : value;
  }
  [[nodiscard]] std::uint8_t& way(std::int64_t i) { return ways_.data()[i]; }
  [[nodiscard]] std::uint32_t& label(std::int64_t i) {
    return out_.labels[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] std::uint8_t shared_way(std::int64_t i) {
    return std::atomic_ref(way(i)).load(std::memory_order_relaxed);
  }
  [[nodiscard]] const FloodStep& step(int k) const {
    return steps_.steps[static_cast<std::size_t>(k)];
  }
  [[nodiscard]] Index3 position(std::int64_t i) const {
    return {i / (n_.x * n_.y), i / n_.y % n_.x, i % n_.y};
  }

  // Calls work(first pixel, pixel behind the last, piece, thread) for pieces of whole rows.
  template <class Work>
  bool each_piece(double from, double to, const Work& work) {
    return parallel_items(pieces_, threads_, context_.part(from, to), "basins",
                          [&](std::int64_t piece, int thread) {
                            const std::int64_t begin = piece * piece_rows_;
                            const std::int64_t end = std::min(rows_, begin + piece_rows_);
                            work(begin * n_.y, end * n_.y, piece, thread);
                          });
  }

  bool find_ways() {
    struct RowScratch {
      std::vector<T> lowest;
      std::vector<Lane<T>> way, tie;
    };
    std::vector<RowScratch> scratch(static_cast<std::size_t>(threads_));
    const auto row = static_cast<std::size_t>(n_.y);
    for (RowScratch& one : scratch) {
      one.lowest.resize(row);
      one.way.resize(row);
      one.tie.resize(row);
    }
    return each_piece(0.0, 0.3, [&](std::int64_t begin, std::int64_t end, std::int64_t, int t) {
      RowScratch& s = scratch[static_cast<std::size_t>(t)];
      for (std::int64_t i = begin; i < end; i += n_.y) {
        if (steps_.count <= kFaceCount) {
          row_ways<true>(i, s.lowest.data(), s.way.data(), s.tie.data());
        } else {
          row_ways<false>(i, s.lowest.data(), s.way.data(), s.tie.data());
        }
      }
    });
  }

  // `ties`: of faces, which of the steps lead to the lowest neighbours; of more steps than a lane
  // has bits, whether several do.
  template <bool kFaces>
  void row_ways(std::int64_t start, T* __restrict lowest, Lane<T>* __restrict ways,
                Lane<T>* __restrict ties) {
    const std::int64_t length = n_.y;
    const T* values = image_.values.data() + start;
    for (std::int64_t y = 0; y < length; ++y) {
      lowest[y] = height(values[y]);
      ways[y] = kMinimum;
      ties[y] = 0;
    }
    const Index3 here = position(start);
    for (int k = 0; k < steps_.count; ++k) {
      const FloodStep& s = step(k);
      if (here.z + s.z < 0 || here.z + s.z >= n_.z || here.x + s.x < 0 || here.x + s.x >= n_.x) {
        continue;
      }
      const T* __restrict other = values + s.offset;
      const std::int64_t from = s.y < 0 ? 1 : 0;
      const std::int64_t to = s.y > 0 ? length - 1 : length;
      const auto this_way = static_cast<Lane<T>>(k);
      const auto bit = kFaces ? static_cast<Lane<T>>(1U << static_cast<unsigned>(k)) : Lane<T>{0};
      for (std::int64_t y = from; y < to; ++y) {
        const T value = height(other[y]);
        const bool lower = value < lowest[y];
        const bool equal = value == lowest[y];
        const Lane<T> before = ways[y];
        const bool leads = before < kFlat;
        const Lane<T> same = equal && !leads ? Lane<T>{kInner} : before;
        const Lane<T> more = kFaces ? static_cast<Lane<T>>(ties[y] | bit) : Lane<T>{1};
        const Lane<T> tied = equal && leads ? more : ties[y];
        lowest[y] = lower ? value : lowest[y];
        ways[y] = lower ? this_way : same;
        ties[y] = lower ? bit : tied;
      }
    }
    std::uint8_t* out = ways_.data() + start;
    for (std::int64_t y = 0; y < length; ++y) out[y] = static_cast<std::uint8_t>(ways[y]);
    for (std::int64_t y = 0; y < length; ++y) {
      if constexpr (kFaces) {
        const auto tied = static_cast<std::uint32_t>(ties[y]);
        if ((tied & (tied - 1U)) != 0) out[y] = one_of_bits(tied, start + y);
      } else if (ties[y] != 0) {
        const T wanted = lowest[y];
        out[y] = one_of(start + y, [&](std::int64_t j) { return at(j) == wanted; });
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      for (std::int64_t y = 0; y < length; ++y) {
        if (height(values[y]) == std::numeric_limits<T>::infinity()) out[y] = kOutside;
      }
    }
  }

  // One of the nearest neighbours that are good, by chance where there are several.
  template <class Good>
  std::uint8_t one_of(std::int64_t i, const Good& good) const {
    const Index3 here = position(i);
    std::array<std::uint8_t, 26> found{};
    std::uint32_t count = 0;
    int reach = 0;
    for (int k = 0; k < steps_.count; ++k) {
      const FloodStep& s = step(k);
      if (count > 0 && s.reach != reach) break;
      if (!s.inside(n_, here) || !good(i + s.offset)) continue;
      found[count++] = static_cast<std::uint8_t>(k);
      reach = s.reach;
    }
    return found[count < 2 ? 0 : chance(i) % count];
  }

  // Markers are the lowest of all, so that water of all pixels beside one goes there.
  void lead_to_markers() {
    for (const FloodMarker& one : rule_.markers) {
      way(one.pixel) = kMarked;
      label(one.pixel) = one.number;
    }
    for (const FloodMarker& one : rule_.markers) {
      const Index3 here = position(one.pixel);
      for (const FloodStep& s : steps_) {
        if (!s.inside(n_, here)) continue;
        const std::int64_t i = one.pixel + s.offset;
        if (way(i) == kMarked || way(i) == kOutside) continue;
        way(i) = one_of(i, [&](std::int64_t j) { return way(j) == kMarked; });
      }
    }
  }

  // Calls work(first pixel of a row, its position) for rows of a piece.
  template <class Work>
  void each_row(std::int64_t begin, std::int64_t end, const Work& work) const {
    Index3 here = position(begin);
    for (std::int64_t start = begin; start < end; start += n_.y) {
      work(start, here);
      if (++here.x == n_.x) here = {here.z + 1, 0, 0};
    }
  }

  // Plateaus from their lower borders inward, a step at a time.
  bool cross_plateaus() {
    std::vector<std::vector<Place>> found(static_cast<std::size_t>(pieces_));
    const bool done =
        each_piece(0.3, 0.35, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          std::vector<std::uint8_t> beside;
          each_row(begin, end, [&](std::int64_t start, const Index3& here) {
            find_front(start, here, beside, found[static_cast<std::size_t>(piece)]);
          });
        });
    if (!done) return false;
    std::vector<Place> front;
    gather(found, front);
    for (const Place& p : front) way(pixel_at(p)) = kClaimed;
    std::uint8_t before = 0;
    for (; !front.empty(); gather(found, front)) {
      if (context_.stop_requested()) return false;
      advance(front, before, found);
      before = before == kOdd ? kEven : kOdd;
    }
    return true;
  }
  [[nodiscard]] std::int64_t pixel_at(const Place& p) const {
    return (std::int64_t{p.z} * n_.x + p.x) * n_.y + p.y;
  }
  // Pixels of plateaus in this row that are beside a way out. Nothing is written meanwhile.
  void find_front(std::int64_t start, Index3 here, std::vector<std::uint8_t>& beside,
                  std::vector<Place>& found) const {
    const std::uint8_t* const ways = ways_.data() + start;
    beside.assign(static_cast<std::size_t>(n_.y), 0);
    std::uint8_t* const is_beside = beside.data();
    for (const FloodStep& s : steps_) {
      if (here.z + s.z < 0 || here.z + s.z >= n_.z || here.x + s.x < 0 || here.x + s.x >= n_.x) {
        continue;
      }
      const std::uint8_t* const other = ways + s.offset;
      const std::int64_t to = s.y > 0 ? n_.y - 1 : n_.y;
      for (std::int64_t y = s.y < 0 ? 1 : 0; y < to; ++y) {
        is_beside[y] = static_cast<std::uint8_t>(is_beside[y] | (leads_on(other[y]) ? 1U : 0U));
      }
    }
    for (std::int64_t y = 0; y < n_.y; ++y) {
      is_beside[y] = static_cast<std::uint8_t>(is_beside[y] & (ways[y] == kInner ? 1U : 0U));
    }
    for (here.y = 0; here.y < n_.y; ++here.y) {
      if (is_beside[here.y] == 0) continue;
      const std::int64_t i = start + here.y;
      for (const FloodStep& s : steps_) {
        const std::int64_t j = i + s.offset;
        if (s.inside(n_, here) && leads_on(ways_.data()[j]) && at(j) == at(i)) {
          found.push_back({static_cast<std::uint32_t>(here.z), static_cast<std::uint32_t>(here.x),
                           static_cast<std::uint32_t>(here.y)});
          break;
        }
      }
    }
  }

  static void gather(std::vector<std::vector<Place>>& found, std::vector<Place>& front) {
    front.clear();
    for (auto& some : found) {
      front.insert(front.end(), some.begin(), some.end());
      some.clear();
    }
  }

  // One step: the front finds its ways, and who is behind it.
  void advance(const std::vector<Place>& front, std::uint8_t before,
               std::vector<std::vector<Place>>& next) {
    const auto count = static_cast<std::int64_t>(front.size());
    const int threads = count < kFront ? 1 : threads_;
    if (next.size() < static_cast<std::size_t>(threads)) {
      next.resize(static_cast<std::size_t>(threads));
    }
    parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
      auto& mine = next[static_cast<std::size_t>(thread)];
      for (std::int64_t k = begin; k < end; ++k) {
        advance_from(front[static_cast<std::size_t>(k)], before, mine);
      }
    });
  }
  // Ways of this very step lead nowhere yet: those of the step before have `before` beside them.
  // What has no lower neighbour is as high as a neighbour that has none either, so that behind the
  // border of a plateau nothing has to be compared.
  void advance_from(const Place& place, std::uint8_t before, std::vector<Place>& next) {
    const Index3 here{place.z, place.x, place.y};
    const std::int64_t i = (here.z * n_.x + here.x) * n_.y + here.y;
    const bool is_within = here.z > 0 && here.z + 1 < n_.z && here.x > 0 && here.x + 1 < n_.x &&
                           here.y > 0 && here.y + 1 < n_.y;
    std::array<std::uint8_t, 26> good{};
    std::uint32_t count = 0;
    int reach = 0;
    for (int k = 0; k < steps_.count; ++k) {
      const FloodStep& s = step(k);
      if (!is_within && !s.inside(n_, here)) continue;
      const std::int64_t j = i + s.offset;
      const std::uint8_t other = shared_way(j);
      if (other == kInner) {
        // Two threads may claim one at once: it finds the same way twice.
        std::atomic_ref(way(j)).store(kClaimed, std::memory_order_relaxed);
        next.push_back({static_cast<std::uint32_t>(here.z + s.z),
                        static_cast<std::uint32_t>(here.x + s.x),
                        static_cast<std::uint32_t>(here.y + s.y)});
      } else if ((other & ~kStep) == before && (count == 0 || s.reach == reach) &&
                 (before != 0 || at(j) == at(i))) {
        good[count++] = static_cast<std::uint8_t>(k);
        reach = s.reach;
      }
    }
    const std::uint8_t chosen = good[count < 2 ? 0 : chance(i) % count];
    std::atomic_ref(way(i)).store(
        static_cast<std::uint8_t>(chosen | (before == kOdd ? kEven : kOdd)),
        std::memory_order_relaxed);
  }

  // What is left of plateaus are minima. Their pixels lead back to other ones of theirs; those that
  // cannot stand for the minimum, if need be several of them.
  bool find_minima() {
    first_.assign(static_cast<std::size_t>(pieces_) + 1, 0);
    const bool done =
        each_piece(0.35, 0.45, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          std::uint64_t count = 0;
          each_row(begin, end, [&](std::int64_t start, Index3 here) {
            for (here.y = 0; here.y < n_.y; ++here.y) {
              std::uint8_t& its = way(start + here.y);
              if (its == kInner) its = way_back(start + here.y, here);
              if ((its & kOdd) != 0) its &= kStep;
              count += its == kMinimum ? 1 : 0;
            }
          });
          first_[static_cast<std::size_t>(piece) + 1] = count;
        });
    first_[0] = 0;
    for (const FloodMarker& one : rule_.markers) {
      first_[0] = std::max<std::uint64_t>(first_[0], one.number);
    }
    for (std::size_t p = 1; p < first_.size(); ++p) first_[p] += first_[p - 1];
    return done;
  }
  [[nodiscard]] std::uint8_t way_back(std::int64_t i, const Index3& here) const {
    for (int k = 0; k < steps_.count; ++k) {
      const FloodStep& s = step(k);
      if (s.back() && s.inside(n_, here) && at(i + s.offset) == at(i)) {
        return static_cast<std::uint8_t>(kFlat | static_cast<unsigned>(k));
      }
    }
    return kMinimum;
  }

  bool number_minima() {
    const std::uint64_t all = first_[static_cast<std::size_t>(pieces_)];
    floors_.assign(static_cast<std::size_t>(all) + 1, std::numeric_limits<float>::infinity());
    for (const FloodMarker& one : rule_.markers) {
      floors_[one.number] = std::min(floors_[one.number], floor_at(one.pixel));
    }
    return each_piece(0.45, 0.5,
                      [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
                        auto next = first_[static_cast<std::size_t>(piece)];
                        for (std::int64_t i = begin; i < end; ++i) {
                          if (way(i) != kMinimum) continue;
                          label(i) = static_cast<std::uint32_t>(++next);
                          floors_[static_cast<std::size_t>(next)] = floor_at(i);
                        }
                      });
  }

  // Threads may write one label twice; it is the same each time.
  bool follow_ways() {
    return each_piece(0.5, 0.8, [&](std::int64_t begin, std::int64_t end, std::int64_t, int) {
      const auto label_at = [&](std::int64_t i) { return std::atomic_ref(label(i)); };
      const auto next = [&](std::int64_t i) { return i + step(way(i) & kStep).offset; };
      for (std::int64_t i = begin; i < end; ++i) {
        if (way(i) >= kMinimum) continue;
        std::int64_t j = i;
        std::uint32_t found = 0;
        while ((found = label_at(j).load(std::memory_order_relaxed)) == 0) j = next(j);
        for (std::int64_t k = i; k != j; k = next(k)) {
          label_at(k).store(found, std::memory_order_relaxed);
        }
      }
    });
  }

  bool join_flat_minima() {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> pairs(
        static_cast<std::size_t>(pieces_));
    const bool done =
        each_piece(0.8, 0.85, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          auto& mine = pairs[static_cast<std::size_t>(piece)];
          each_row(begin, end, [&](std::int64_t start, Index3 here) {
            for (here.y = 0; here.y < n_.y; ++here.y) {
              const std::int64_t i = start + here.y;
              if (way(i) < kFlat || way(i) >= kMinimum) continue;
              for (const FloodStep& s : steps_) {
                const std::int64_t j = i + s.offset;
                if (!s.back() || !s.inside(n_, here) || at(j) != at(i) || label(j) == label(i)) {
                  continue;
                }
                const std::pair pair{label(i), label(j)};
                if (mine.empty() || mine.back() != pair) mine.push_back(pair);
              }
            }
          });
        });
    if (!done) return false;
    sets_ = DisjointSets(floors_.size());
    for (const auto& some : pairs) {
      for (const auto& [a, b] : some) sets_.unite(a, b);
    }
    return true;
  }

  // In the order of first pixels: each stretch notes which it meets first.
  bool number_basins() {
    const std::size_t provisional = floors_.size();
    for (std::size_t i = 0; i < provisional; ++i) {
      // Each knows who stands for it, so that threads need not write.
      stands_.push_back(sets_.find(static_cast<std::uint32_t>(i)));
    }
    std::vector<std::vector<std::uint32_t>> met(static_cast<std::size_t>(threads_));
    parallel_stretches(rows_, threads_, [&](std::int64_t begin, std::int64_t end, int thread) {
      std::vector<bool> known(provisional, false);
      known[0] = true;
      auto& mine = met[static_cast<std::size_t>(thread)];
      for (std::int64_t r = begin; r < end; ++r) {
        if (context_.stop_requested()) return;
        std::uint32_t last = 0;
        for (std::int64_t i = r * n_.y; i < (r + 1) * n_.y; ++i) {
          if (label(i) == last) continue;
          last = label(i);
          const std::uint32_t one = stands_[last];
          if (known[one]) continue;
          known[one] = true;
          mine.push_back(one);
        }
      }
    });
    std::vector<std::uint32_t> number(provisional, 0);
    out_.floors.assign(1, 0.0F);
    if (!rule_.markers.empty()) out_.markers.assign(1, 0);
    const std::uint64_t last_marker = first_[0];
    for (const auto& some : met) {
      for (const std::uint32_t one : some) {
        if (number[one] != 0) continue;
        number[one] = static_cast<std::uint32_t>(out_.floors.size());
        out_.floors.push_back(floors_[one]);
        if (!rule_.markers.empty()) out_.markers.push_back(one <= last_marker ? one : 0);
      }
    }
    for (std::size_t i = 1; i < provisional; ++i) number[i] = number[stands_[i]];
    out_.sizes.assign(out_.floors.size(), 0);
    return each_piece(0.85, 1.0, [&](std::int64_t begin, std::int64_t end, std::int64_t, int) {
      for (std::int64_t i = begin; i < end;) {
        const std::uint32_t old = label(i);
        const std::uint32_t now = number[old];
        const std::int64_t from = i;
        while (i < end && label(i) == old) label(i++) = now;
        std::atomic_ref(out_.sizes[now])
            .fetch_add(static_cast<std::uint64_t>(i - from), std::memory_order_relaxed);
      }
    });
  }

  const Pixels<T>& image_;
  const Size3 n_;
  const BasinRule& rule_;
  const JobContext& context_;
  const FloodSteps steps_;
  const std::int64_t pixels_, rows_, piece_rows_, pieces_;
  const int threads_;
  Scratch<std::uint8_t> ways_;
  // Provisional number of the last minimum before each piece; of the first piece: the last marker.
  std::vector<std::uint64_t> first_;
  // By provisional number.
  std::vector<float> floors_;
  std::vector<std::uint32_t> stands_;
  DisjointSets sets_{0};
  Basins out_;
};

Status check_markers(std::span<const FloodMarker> markers, std::int64_t pixels) {
  std::int64_t last = -1;
  for (const FloodMarker& one : markers) {
    if (one.pixel < 0 || one.pixel >= pixels) {
      return Error{"lies outside the image", "marker " + std::to_string(one.number),
                   "give a position inside"};
    }
    if (one.pixel <= last || one.number == 0) {
      return Error{"markers are out of order or have the number 0", "the markers",
                   "sort them by pixel, one a pixel"};
    }
    last = one.pixel;
  }
  return {};
}

}  // namespace

std::uint64_t Basins::bytes() const {
  return 4 * (labels.size() + floors.size() + markers.size()) + 8 * sizes.size();
}

template <class T>
Result<Basins> find_basins(const Pixels<T>& image, const BasinRule& rule,
                           const JobContext& context) {
  if (Status ok = check_markers(rule.markers, image.size.count()); !ok) return ok.error();
  if (image.size.count() == 0) {
    Basins none;
    none.floors.assign(1, 0.0F);
    none.sizes.assign(1, 0);
    return none;
  }
  if (rule.bright) return Descent<T, true>(image, rule, context).run();
  return Descent<T, false>(image, rule, context).run();
}

template Result<Basins> find_basins(const Pixels<std::uint8_t>&, const BasinRule&,
                                    const JobContext&);
template Result<Basins> find_basins(const Pixels<std::uint16_t>&, const BasinRule&,
                                    const JobContext&);
template Result<Basins> find_basins(const Pixels<float>&, const BasinRule&, const JobContext&);

}  // namespace aprscope

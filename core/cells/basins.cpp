#include "core/cells/basins.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/descent.hpp"
#include "core/cells/flood_steps.hpp"
#include "core/cells/flood_ways.hpp"
#include "core/cells/plateau_crossing.hpp"
#include "core/cells/steepest_descent.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

using namespace flood;  // NOLINT: ways are what this file is about

template <class T, bool kBright>
class BasinFinder {
 public:
  BasinFinder(const Pixels<T>& image, const BasinRule& rule, const JobContext& context)
      : image_(image),
        n_(image.size),
        rule_(rule),
        ways_(image.size.count(), Pages::huge),
        d_(image, rule.near, context, ways_.data()) {}

  Result<Basins> run() {
    make_zeros(out_.labels, n_.count());
    if (!descend_steepest(d_, rule_.markers)) return cancelled_error();
    if (!cross_plateaus(d_)) return cancelled_error();
    if (!find_minima()) return cancelled_error();
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1ULL;
    if (first_[static_cast<std::size_t>(d_.pieces())] > most) {
      return Error{"has more than 4 294 967 294 minima", "the image", "smooth it first"};
    }
    if (!number_minima() || !follow_ways() || !join_flat_minima()) return cancelled_error();
    if (!number_basins()) return cancelled_error();
    return std::move(out_);
  }

 private:
  [[nodiscard]] float floor_at(std::int64_t i) const {
    const auto value = static_cast<float>(image_.values[static_cast<std::size_t>(i)]);
    return kBright ? -value : value;
  }
  [[nodiscard]] std::uint32_t& label(std::int64_t i) {
    return out_.labels[static_cast<std::size_t>(i)];
  }

  // What is left of plateaus are minima. Their pixels lead back to other ones of theirs; those that
  // cannot stand for the minimum, if need be several of them.
  bool find_minima() {
    first_.assign(static_cast<std::size_t>(d_.pieces()) + 1, 0);
    const bool done = d_.each_piece(
        0.35, 0.45, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          std::uint64_t count = 0;
          d_.each_row(begin, end, [&](std::int64_t start, Index3 here) {
            for (here.y = 0; here.y < n_.y; ++here.y) {
              std::uint8_t& its = d_.way(start + here.y);
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
    for (int k = 0; k < d_.steps().count; ++k) {
      const FloodStep& s = d_.step(k);
      if (s.back() && s.inside(n_, here) && d_.at(i + s.offset) == d_.at(i)) {
        return static_cast<std::uint8_t>(kFlat | static_cast<unsigned>(k));
      }
    }
    return kMinimum;
  }

  bool number_minima() {
    const std::uint64_t all = first_[static_cast<std::size_t>(d_.pieces())];
    floors_.assign(static_cast<std::size_t>(all) + 1, std::numeric_limits<float>::infinity());
    for (const FloodMarker& one : rule_.markers) {
      label(one.pixel) = one.number;
      floors_[one.number] = std::min(floors_[one.number], floor_at(one.pixel));
    }
    return d_.each_piece(0.45, 0.5,
                         [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
                           auto next = first_[static_cast<std::size_t>(piece)];
                           for (std::int64_t i = begin; i < end; ++i) {
                             if (d_.way(i) != kMinimum) continue;
                             label(i) = static_cast<std::uint32_t>(++next);
                             floors_[static_cast<std::size_t>(next)] = floor_at(i);
                           }
                         });
  }

  // Threads may write one label twice; it is the same each time.
  bool follow_ways() {
    return d_.each_piece(0.5, 0.8, [&](std::int64_t begin, std::int64_t end, std::int64_t, int) {
      const auto label_at = [&](std::int64_t i) { return std::atomic_ref(label(i)); };
      const auto next = [&](std::int64_t i) { return i + d_.step(d_.way(i) & kStep).offset; };
      for (std::int64_t i = begin; i < end; ++i) {
        if (d_.way(i) >= kMinimum) continue;
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
        static_cast<std::size_t>(d_.pieces()));
    const bool done = d_.each_piece(
        0.8, 0.85, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          auto& mine = pairs[static_cast<std::size_t>(piece)];
          d_.each_row(begin, end, [&](std::int64_t start, Index3 here) {
            for (here.y = 0; here.y < n_.y; ++here.y) {
              const std::int64_t i = start + here.y;
              if (d_.way(i) < kFlat || d_.way(i) >= kMinimum) continue;
              for (const FloodStep& s : d_.steps()) {
                const std::int64_t j = i + s.offset;
                if (!s.back() || !s.inside(n_, here) || d_.at(j) != d_.at(i) ||
                    label(j) == label(i)) {
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
    std::vector<std::vector<std::uint32_t>> met(static_cast<std::size_t>(d_.threads()));
    parallel_stretches(d_.rows(), d_.threads(),
                       [&](std::int64_t begin, std::int64_t end, int thread) {
                         std::vector<bool> known(provisional, false);
                         known[0] = true;
                         auto& mine = met[static_cast<std::size_t>(thread)];
                         for (std::int64_t r = begin; r < end; ++r) {
                           if (d_.context().stop_requested()) return;
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
    return d_.each_piece(0.85, 1.0, [&](std::int64_t begin, std::int64_t end, std::int64_t, int) {
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
  Scratch<std::uint8_t> ways_;
  const Descent<T, kBright> d_;
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
  if (rule.bright) return BasinFinder<T, true>(image, rule, context).run();
  return BasinFinder<T, false>(image, rule, context).run();
}

template Result<Basins> find_basins(const Pixels<std::uint8_t>&, const BasinRule&,
                                    const JobContext&);
template Result<Basins> find_basins(const Pixels<std::uint16_t>&, const BasinRule&,
                                    const JobContext&);
template Result<Basins> find_basins(const Pixels<float>&, const BasinRule&, const JobContext&);

}  // namespace aprscope

#include "core/cells/plateau_crossing.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace aprscope::flood {
namespace {

// Of a pixel in the front of a plateau: not in memory, so that what is beside it is known without
// dividing.
struct FrontPixel {
  std::uint32_t z = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

// Below these many pixels of a plateau's front one thread is enough.
constexpr std::int64_t kFront = std::int64_t{1} << 13;

template <class T, bool kBright>
class PlateauCrossing {
 public:
  explicit PlateauCrossing(const Descent<T, kBright>& descent) : d_(descent), n_(descent.size()) {}

  // Plateaus from their lower borders inward, a step at a time.
  bool run() {
    std::vector<std::vector<FrontPixel>> found(static_cast<std::size_t>(d_.pieces()));
    const bool done = d_.each_piece(
        0.3, 0.35, [&](std::int64_t begin, std::int64_t end, std::int64_t piece, int) {
          std::vector<std::uint8_t> beside;
          d_.each_row(begin, end, [&](std::int64_t start, const Index3& here) {
            find_front(start, here, beside, found[static_cast<std::size_t>(piece)]);
          });
        });
    if (!done) return false;
    std::vector<FrontPixel> front;
    gather(found, front);
    for (const FrontPixel& p : front) d_.way(pixel_at(p)) = kClaimed;
    std::uint8_t before = 0;
    for (; !front.empty(); gather(found, front)) {
      if (d_.context().stop_requested()) return false;
      advance(front, before, found);
      before = before == kOdd ? kEven : kOdd;
    }
    return true;
  }

 private:
  [[nodiscard]] std::int64_t pixel_at(const FrontPixel& p) const {
    return (std::int64_t{p.z} * n_.x + p.x) * n_.y + p.y;
  }
  // Pixels of plateaus in this row that are beside a way out. Nothing is written meanwhile.
  void find_front(std::int64_t start, Index3 here, std::vector<std::uint8_t>& beside,
                  std::vector<FrontPixel>& found) const {
    const std::uint8_t* const ways = d_.ways() + start;
    beside.assign(static_cast<std::size_t>(n_.y), 0);
    std::uint8_t* const is_beside = beside.data();
    for (const FloodStep& s : d_.steps()) {
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
      for (const FloodStep& s : d_.steps()) {
        const std::int64_t j = i + s.offset;
        if (s.inside(n_, here) && leads_on(d_.ways()[j]) && d_.at(j) == d_.at(i)) {
          found.push_back({static_cast<std::uint32_t>(here.z), static_cast<std::uint32_t>(here.x),
                           static_cast<std::uint32_t>(here.y)});
          break;
        }
      }
    }
  }

  static void gather(std::vector<std::vector<FrontPixel>>& found, std::vector<FrontPixel>& front) {
    front.clear();
    for (auto& some : found) {
      front.insert(front.end(), some.begin(), some.end());
      some.clear();
    }
  }

  // One step: the front finds its ways, and who is behind it.
  void advance(const std::vector<FrontPixel>& front, std::uint8_t before,
               std::vector<std::vector<FrontPixel>>& next) {
    const auto count = static_cast<std::int64_t>(front.size());
    const int threads = count < kFront ? 1 : d_.threads();
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
  void advance_from(const FrontPixel& place, std::uint8_t before, std::vector<FrontPixel>& next) {
    const Index3 here{place.z, place.x, place.y};
    const std::int64_t i = (here.z * n_.x + here.x) * n_.y + here.y;
    const bool is_within = here.z > 0 && here.z + 1 < n_.z && here.x > 0 && here.x + 1 < n_.x &&
                           here.y > 0 && here.y + 1 < n_.y;
    std::array<std::uint8_t, 26> good{};
    std::uint32_t count = 0;
    int reach = 0;
    for (int k = 0; k < d_.steps().count; ++k) {
      const FloodStep& s = d_.step(k);
      if (!is_within && !s.inside(n_, here)) continue;
      const std::int64_t j = i + s.offset;
      const std::uint8_t other = d_.shared_way(j);
      if (other == kInner) {
        // Two threads may claim one at once: it finds the same way twice.
        std::atomic_ref(d_.way(j)).store(kClaimed, std::memory_order_relaxed);
        next.push_back({static_cast<std::uint32_t>(here.z + s.z),
                        static_cast<std::uint32_t>(here.x + s.x),
                        static_cast<std::uint32_t>(here.y + s.y)});
      } else if ((other & ~kStep) == before && (count == 0 || s.reach == reach) &&
                 (before != 0 || d_.at(j) == d_.at(i))) {
        good[count++] = static_cast<std::uint8_t>(k);
        reach = s.reach;
      }
    }
    const std::uint8_t chosen = good[count < 2 ? 0 : chance(i) % count];
    std::atomic_ref(d_.way(i)).store(
        static_cast<std::uint8_t>(chosen | (before == kOdd ? kEven : kOdd)),
        std::memory_order_relaxed);
  }

  const Descent<T, kBright> d_;
  const Size3 n_;
};

}  // namespace

template <class T, bool kBright>
bool cross_plateaus(const Descent<T, kBright>& descent) {
  return PlateauCrossing<T, kBright>(descent).run();
}

template bool cross_plateaus(const Descent<std::uint8_t, false>&);
template bool cross_plateaus(const Descent<std::uint8_t, true>&);
template bool cross_plateaus(const Descent<std::uint16_t, false>&);
template bool cross_plateaus(const Descent<std::uint16_t, true>&);
template bool cross_plateaus(const Descent<float, false>&);
template bool cross_plateaus(const Descent<float, true>&);

}  // namespace aprscope::flood

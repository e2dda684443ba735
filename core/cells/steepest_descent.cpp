#include "core/cells/steepest_descent.hpp"

#include <array>
#include <limits>
#include <type_traits>
#include <vector>

namespace aprscope::flood {
namespace {

// What vectors of heights are compared with, of the same width.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;

template <class T, bool kBright>
class SteepestDescent {
 public:
  explicit SteepestDescent(const Descent<T, kBright>& descent) : d_(descent), n_(descent.size()) {}

  bool find_ways() {
    struct RowScratch {
      std::vector<T> lowest;
      std::vector<Lane<T>> way, tie;
    };
    std::vector<RowScratch> scratch(static_cast<std::size_t>(d_.threads()));
    const auto row = static_cast<std::size_t>(n_.y);
    for (RowScratch& one : scratch) {
      one.lowest.resize(row);
      one.way.resize(row);
      one.tie.resize(row);
    }
    return d_.each_piece(0.0, 0.3, [&](std::int64_t begin, std::int64_t end, std::int64_t, int t) {
      RowScratch& s = scratch[static_cast<std::size_t>(t)];
      for (std::int64_t i = begin; i < end; i += n_.y) {
        if (d_.steps().count <= kFaceCount) {
          row_ways<true>(i, s.lowest.data(), s.way.data(), s.tie.data());
        } else {
          row_ways<false>(i, s.lowest.data(), s.way.data(), s.tie.data());
        }
      }
    });
  }

  // Markers are the lowest of all, so that water of all pixels beside one goes there.
  void lead_to_markers(std::span<const FloodMarker> markers) {
    for (const FloodMarker& one : markers) d_.way(one.pixel) = kMarked;
    for (const FloodMarker& one : markers) {
      const Index3 here = d_.position(one.pixel);
      for (const FloodStep& s : d_.steps()) {
        if (!s.inside(n_, here)) continue;
        const std::int64_t i = one.pixel + s.offset;
        if (d_.way(i) == kMarked || d_.way(i) == kOutside) continue;
        d_.way(i) = one_of(i, [&](std::int64_t j) { return d_.way(j) == kMarked; });
      }
    }
  }

 private:
  // `ties`: of faces, which of the steps lead to the lowest neighbours; of more steps than a lane
  // has bits, whether several do.
  template <bool kFaces>
  void row_ways(std::int64_t start, T* __restrict lowest, Lane<T>* __restrict ways,
                Lane<T>* __restrict ties) {
    const std::int64_t length = n_.y;
    const T* values = d_.values() + start;
    for (std::int64_t y = 0; y < length; ++y) {
      lowest[y] = Descent<T, kBright>::height(values[y]);
      ways[y] = kMinimum;
      ties[y] = 0;
    }
    const Index3 here = d_.position(start);
    for (int k = 0; k < d_.steps().count; ++k) {
      const FloodStep& s = d_.step(k);
      if (here.z + s.z < 0 || here.z + s.z >= n_.z || here.x + s.x < 0 || here.x + s.x >= n_.x) {
        continue;
      }
      const T* __restrict other = values + s.offset;
      const std::int64_t from = s.y < 0 ? 1 : 0;
      const std::int64_t to = s.y > 0 ? length - 1 : length;
      const auto this_way = static_cast<Lane<T>>(k);
      const auto bit = kFaces ? static_cast<Lane<T>>(1U << static_cast<unsigned>(k)) : Lane<T>{0};
      for (std::int64_t y = from; y < to; ++y) {
        const T value = Descent<T, kBright>::height(other[y]);
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
    std::uint8_t* out = d_.ways() + start;
    for (std::int64_t y = 0; y < length; ++y) out[y] = static_cast<std::uint8_t>(ways[y]);
    for (std::int64_t y = 0; y < length; ++y) {
      if constexpr (kFaces) {
        const auto tied = static_cast<std::uint32_t>(ties[y]);
        if ((tied & (tied - 1U)) != 0) out[y] = one_of_bits(tied, start + y);
      } else if (ties[y] != 0) {
        const T wanted = lowest[y];
        out[y] = one_of(start + y, [&](std::int64_t j) { return d_.at(j) == wanted; });
      }
    }
    if constexpr (std::is_floating_point_v<T>) {
      for (std::int64_t y = 0; y < length; ++y) {
        if (Descent<T, kBright>::height(values[y]) == std::numeric_limits<T>::infinity())
          out[y] = kOutside;
      }
    }
  }

  // One of the nearest neighbours that are good, by chance where there are several.
  template <class Good>
  std::uint8_t one_of(std::int64_t i, const Good& good) const {
    const Index3 here = d_.position(i);
    std::array<std::uint8_t, 26> found{};
    std::uint32_t count = 0;
    int reach = 0;
    for (int k = 0; k < d_.steps().count; ++k) {
      const FloodStep& s = d_.step(k);
      if (count > 0 && s.reach != reach) break;
      if (!s.inside(n_, here) || !good(i + s.offset)) continue;
      found[count++] = static_cast<std::uint8_t>(k);
      reach = s.reach;
    }
    return found[count < 2 ? 0 : chance(i) % count];
  }

  const Descent<T, kBright> d_;
  const Size3 n_;
};

}  // namespace

template <class T, bool kBright>
bool descend_steepest(const Descent<T, kBright>& descent, std::span<const FloodMarker> markers) {
  SteepestDescent<T, kBright> pass(descent);
  if (!pass.find_ways()) return false;
  pass.lead_to_markers(markers);
  return true;
}

template bool descend_steepest(const Descent<std::uint8_t, false>&, std::span<const FloodMarker>);
template bool descend_steepest(const Descent<std::uint8_t, true>&, std::span<const FloodMarker>);
template bool descend_steepest(const Descent<std::uint16_t, false>&, std::span<const FloodMarker>);
template bool descend_steepest(const Descent<std::uint16_t, true>&, std::span<const FloodMarker>);
template bool descend_steepest(const Descent<float, false>&, std::span<const FloodMarker>);
template bool descend_steepest(const Descent<float, true>&, std::span<const FloodMarker>);

}  // namespace aprscope::flood

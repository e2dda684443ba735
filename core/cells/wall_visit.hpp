#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/cells/flood_steps.hpp"

namespace aprscope {

/// Slices of rows that one thread visits at a time.
struct WallPieces {
  std::int64_t rows = 0;
  std::int64_t rows_each = 1;
  std::int64_t count = 0;

  explicit WallPieces(const Size3& n, std::int64_t pixels_each = std::int64_t{1} << 16)
      : rows(n.z * n.x),
        rows_each(std::max<std::int64_t>(1, pixels_each / std::max<std::int64_t>(1, n.y))),
        count((rows + rows_each - 1) / rows_each) {}
};

/// Finds where two rows of labels differ and neither is 0, in ascending order. In noise that is
/// nearly random, so that no branch depends on a single pair.
class RowDifferences {
 public:
  static constexpr std::int64_t kMost = 512;

  /// Looks at rows of `length` labels (kMost at most).
  void find(const std::uint32_t* a, const std::uint32_t* b, std::int64_t length) {
    std::uint8_t* const differ = differ_.data();
    for (std::int64_t k = 0; k < length; ++k) {
      differ[k] = static_cast<std::uint8_t>(static_cast<unsigned>(a[k] != b[k]) &
                                            static_cast<unsigned>(std::min(a[k], b[k]) != 0));
    }
    std::memset(differ + length, 0, kWord);
    count_ = 0;
    for (std::int64_t k = 0; k < length; k += kWord) {
      std::uint64_t word = 0;
      std::memcpy(&word, differ + k, kWord);
      if (word == 0) continue;
      for (std::int64_t i = k; i < k + kWord; ++i) {
        at_[count_] = static_cast<std::uint16_t>(i);
        count_ += differ[i];
      }
    }
  }
  [[nodiscard]] const std::uint16_t* begin() const { return at_.data(); }
  [[nodiscard]] const std::uint16_t* end() const { return at_.data() + count_; }

 private:
  static constexpr std::int64_t kWord = 8;

  std::array<std::uint8_t, kMost + kWord> differ_;
  // The last place is written to where nothing more is found.
  std::array<std::uint16_t, kMost + kWord> at_;
  std::size_t count_ = 0;
};

/// Calls visit(pixel, its neighbour, height, thread) for all pairs of neighbouring pixels with
/// different labels other than 0. Heights are as in Basins; that of a pair is the higher of both
/// pixels'. False: cancelled.
template <class T, class Visit>
bool each_wall(const Pixels<T>& image, const std::vector<std::uint32_t>& labels, Connectivity near,
               bool bright, const WallPieces& pieces, int threads, const JobContext& context,
               std::string_view stage, const Visit& visit) {
  const Size3 n = image.size;
  const FloodSteps steps(near, n);
  return parallel_items(pieces.count, threads, context, stage, [&](std::int64_t piece, int thread) {
    RowDifferences differences;
    const std::int64_t begin = piece * pieces.rows_each;
    const std::int64_t end = std::min(pieces.rows, begin + pieces.rows_each);
    for (std::int64_t r = begin; r < end; ++r) {
      const Index3 here{r / n.x, r % n.x, 0};
      const std::int64_t start = r * n.y;
      for (const FloodStep& s : steps) {
        if (s.back() || here.z + s.z >= n.z || here.x + s.x < 0 || here.x + s.x >= n.x) continue;
        const std::int64_t to = start + (s.y > 0 ? n.y - 1 : n.y);
        for (std::int64_t from = start + (s.y < 0 ? 1 : 0); from < to;
             from += RowDifferences::kMost) {
          const std::uint32_t* const first = labels.data() + from;
          differences.find(first, first + s.offset, std::min(RowDifferences::kMost, to - from));
          for (const std::uint16_t at : differences) {
            const auto p = static_cast<std::size_t>(from + at);
            const auto q = static_cast<std::size_t>(from + at + s.offset);
            const auto v = static_cast<float>(image.values[p]);
            const auto w = static_cast<float>(image.values[q]);
            visit(p, q, bright ? -std::min(v, w) : std::max(v, w), thread);
          }
        }
      }
    }
  });
}

}  // namespace aprscope

#pragma once

#include <algorithm>
#include <cstdint>
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

/// Calls visit(label, other label, height, piece, thread) for all pairs of neighbouring pixels with
/// different labels other than 0. Heights are as in Basins; that of a pair is the higher of both
/// pixels'. False: cancelled.
template <class T, class Visit>
bool each_wall(const Pixels<T>& image, const std::vector<std::uint32_t>& labels, Connectivity near,
               bool bright, const WallPieces& pieces, int threads, const JobContext& context,
               std::string_view stage, const Visit& visit) {
  const Size3 n = image.size;
  const FloodSteps steps(near, n);
  return parallel_items(pieces.count, threads, context, stage, [&](std::int64_t piece, int thread) {
    const std::int64_t begin = piece * pieces.rows_each;
    const std::int64_t end = std::min(pieces.rows, begin + pieces.rows_each);
    for (std::int64_t r = begin; r < end; ++r) {
      const Index3 here{r / n.x, r % n.x, 0};
      const std::int64_t start = r * n.y;
      for (const FloodStep& s : steps) {
        if (s.back() || here.z + s.z >= n.z || here.x + s.x < 0 || here.x + s.x >= n.x) continue;
        const std::int64_t to = start + (s.y > 0 ? n.y - 1 : n.y);
        for (std::int64_t i = start + (s.y < 0 ? 1 : 0); i < to; ++i) {
          const auto p = static_cast<std::size_t>(i);
          const auto q = static_cast<std::size_t>(i + s.offset);
          if (labels[p] == labels[q] || labels[p] == 0 || labels[q] == 0) continue;
          const auto v = static_cast<float>(image.values[p]);
          const auto w = static_cast<float>(image.values[q]);
          visit(labels[p], labels[q], bright ? -std::min(v, w) : std::max(v, w), piece, thread);
        }
      }
    }
  });
}

}  // namespace aprscope

#include "core/cells/label_boxes.hpp"

#include <algorithm>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

bool holds(const std::uint32_t* row, std::int64_t n, std::uint32_t label) {
  std::uint32_t any = 0;
  for (std::int64_t y = 0; y < n; ++y) any |= row[y] == label ? 1U : 0U;
  return any != 0;
}

void take_row(Region& box, std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1) {
  if (box.end.z == 0) {
    box = {{z, x, y0}, {z + 1, x + 1, y1}};
    return;
  }
  box.begin = {std::min(box.begin.z, z), std::min(box.begin.x, x), std::min(box.begin.y, y0)};
  box.end = {std::max(box.end.z, z + 1), std::max(box.end.x, x + 1), std::max(box.end.y, y1)};
}

}  // namespace

Result<std::vector<Region>> label_boxes(const LabelPixels& labels,
                                        std::span<const std::uint32_t> wanted,
                                        const JobContext& context) {
  const Size3 n = labels.size;
  const int threads = threads_for(n.count());
  // Each thread has its own boxes; they are united in any order.
  std::vector<std::vector<Region>> boxes(static_cast<std::size_t>(threads),
                                         std::vector<Region>(wanted.size()));
  const bool done = parallel_items(
      n.z, threads, context, "looking for the cell", [&](std::int64_t z, int thread) {
        auto& mine = boxes[static_cast<std::size_t>(thread)];
        for (std::int64_t x = 0; x < n.x; ++x) {
          const std::uint32_t* const row = labels.values.data() + (z * n.x + x) * n.y;
          for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!holds(row, n.y, wanted[i])) continue;
            std::int64_t y0 = 0;
            while (row[y0] != wanted[i]) ++y0;
            std::int64_t y1 = n.y;
            while (row[y1 - 1] != wanted[i]) --y1;
            take_row(mine[i], z, x, y0, y1);
          }
        }
      });
  if (!done) return cancelled_error();
  std::vector<Region> out(wanted.size());
  for (const auto& mine : boxes) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const Region& box = mine[i];
      if (box.end.z == 0) continue;
      take_row(out[i], box.begin.z, box.begin.x, box.begin.y, box.end.y);
      take_row(out[i], box.end.z - 1, box.end.x - 1, box.begin.y, box.end.y);
    }
  }
  return out;
}

}  // namespace aprscope

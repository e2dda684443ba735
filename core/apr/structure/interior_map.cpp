#include "core/apr/structure/interior_map.hpp"

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {

InteriorMap::InteriorMap(const LinearAccess& tree) : level_max_(tree.level_max()) {
  Level above_root;
  above_root.bits = {1};
  above_root.ranks = {0};
  levels_.push_back(std::move(above_root));
  const std::uint16_t* const y = tree.y().data();
  for (int l = 0; l < level_max_; ++l) {
    Level level;
    level.grid = tree.grid(l);
    level.words = (level.grid.y + 63) / 64;
    const std::int64_t rows = level.grid.z * level.grid.x;
    level.bits.resize(static_cast<std::size_t>(rows * level.words));
    level.ranks.resize(level.bits.size());
    const std::uint64_t first = tree.first_row(l);
    const std::uint64_t* const ends = tree.xz_end().data() + first;
    const bool empty = tree.level(l).empty();
    if (!empty) {
      parallel_for(rows, threads_for(rows * level.words), [&](std::int64_t i) {
        std::uint64_t* const bits = level.bits.data() + i * level.words;
        std::uint16_t* const ranks = level.ranks.data() + i * level.words;
        const std::uint64_t begin = ends[i - 1];
        const std::uint64_t end = ends[i];
        if (begin == end) return;
        for (std::uint64_t k = begin; k < end; ++k) {
          bits[y[k] >> 6U] |= std::uint64_t{1} << (y[k] & 63U);
        }
        int before = 0;
        for (std::int64_t w = 0; w < level.words; ++w) {
          ranks[w] = static_cast<std::uint16_t>(before);
          before += std::popcount(bits[w]);
        }
      });
    }
    levels_.push_back(std::move(level));
  }
}

std::uint64_t InteriorMap::bytes() const {
  std::uint64_t sum = 0;
  for (const Level& l : levels_) {
    sum += l.bits.size() * sizeof(std::uint64_t) + l.ranks.size() * sizeof(std::uint16_t);
  }
  return sum;
}

}  // namespace aprscope

#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/apr/structure/linear_access.hpp"

namespace aprscope {

/// Which cells are interior, as one bit a cell of the levels above the finest, with counts that
/// turn a position into an index. It says everything about an APR that its sorted lists of y say:
/// the cells that exist on a level are the children of the interior cells of the level above, and
/// those of them that are not interior themselves are particles. About 1/51 byte a pixel.
class InteriorMap {
 public:
  /// Rows of bits along y, in whole words; unused bits are 0.
  struct Level {
    Size3 grid{1, 1, 1};
    std::int64_t words = 1;
    std::vector<std::uint64_t> bits;
    /// Number of set bits of the row before each word; rows have at most 65535 cells.
    std::vector<std::uint16_t> ranks;

    [[nodiscard]] std::int64_t at(std::int64_t z, std::int64_t x) const {
      return (z * grid.x + x) * words;
    }
    [[nodiscard]] const std::uint64_t* row(std::int64_t z, std::int64_t x) const {
      return bits.data() + at(z, x);
    }
    [[nodiscard]] const std::uint16_t* row_ranks(std::int64_t z, std::int64_t x) const {
      return ranks.data() + at(z, x);
    }
    [[nodiscard]] bool test(std::int64_t z, std::int64_t x, std::int64_t y) const {
      return ((row(z, x)[y >> 6] >> (y & 63)) & 1U) != 0;
    }
    /// Interior cells of row (z, x) before y.
    [[nodiscard]] std::int64_t rank(std::int64_t z, std::int64_t x, std::int64_t y) const {
      const std::int64_t w = at(z, x) + (y >> 6);
      const std::uint64_t before =
          bits[static_cast<std::size_t>(w)] & ((std::uint64_t{1} << (y & 63)) - 1);
      return ranks[static_cast<std::size_t>(w)] + std::popcount(before);
    }
  };

  InteriorMap() = default;

  /// Makes the map from the interior cells (levels 0 … level_max − 1) of a structure.
  explicit InteriorMap(const LinearAccess& tree);

  /// Levels −1 … level_max − 1. Level −1 is one interior cell, the parent of the root, so that
  /// every level with particles has two levels above it.
  [[nodiscard]] const Level& level(int l) const { return levels_[static_cast<std::size_t>(l + 1)]; }

  /// Particles of row (level, z, x) before y, the position of one: past the end of a row there may
  /// be no word to look at.
  [[nodiscard]] std::int64_t particle_rank(int l, std::int64_t z, std::int64_t x,
                                           std::int64_t y) const {
    const Level& above = level(l - 1);
    std::int64_t cells = 2 * above.rank(z >> 1, x >> 1, y >> 1) + (y & 1);
    if (l < level_max_) cells -= level(l).rank(z, x, y);
    return cells;
  }

  [[nodiscard]] int level_max() const { return level_max_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  int level_max_ = 0;
  std::vector<Level> levels_;
};

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/apr/convert/bit_lists.hpp"
#include "core/apr/convert/pulling_scheme.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The cells of some levels in some slices as lists: a part of a LinearAccess, whose rows and cells
/// are counted from its own first one.
class CellSlab {
 public:
  [[nodiscard]] int level_max() const { return level_max_; }
  /// The whole grid of a level.
  [[nodiscard]] const Size3& grid(int level) const { return at(level).grid; }
  /// The slices [begin, end) of the grid of a level that this slab holds.
  [[nodiscard]] std::int64_t begin(int level) const { return at(level).begin; }
  [[nodiscard]] std::int64_t end(int level) const { return at(level).end; }
  /// Cells of row (level, z, x), z a slice of this slab; unchecked.
  [[nodiscard]] ParticleRange row(int level, std::int64_t z, std::int64_t x) const {
    const Level& l = at(level);
    const std::int64_t i = l.first_row + (z - l.begin) * l.grid.x + x;
    return {lists_.ends.data()[i - 1], lists_.ends.data()[i]};
  }
  /// All cells of a level.
  [[nodiscard]] ParticleRange cells(int level) const;
  /// One past the last cell of each row of a level.
  [[nodiscard]] std::span<const std::uint64_t> ends(int level) const;
  [[nodiscard]] std::span<const std::uint16_t> y() const {
    return {lists_.y.data(), static_cast<std::size_t>(lists_.y.count())};
  }
  [[nodiscard]] std::uint64_t count() const { return y().size(); }

 private:
  friend class CellSlabs;
  struct Level {
    Size3 grid{1, 1, 1};
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t first_row = 1;
  };
  [[nodiscard]] const Level& at(int level) const {
    return levels_[static_cast<std::size_t>(level - level_first_)];
  }

  int level_max_ = 1;
  int level_first_ = 1;
  std::vector<Level> levels_;
  BitLists lists_;
};

/// The structure of an APR that is never whole in memory: its cells stay bits, and become lists for
/// some slices at a time. Throws std::bad_alloc where nothing else is said.
class CellSlabs {
 public:
  /// The particles of a set of an image of `size`: levels 1 to level_max.
  static CellSlabs particles(std::shared_ptr<const CellSet> set, const Size3& size, int level_max);
  /// The interior cells of a set: the parents of particles and of interior cells, levels 0 to
  /// level_max − 1.
  static CellSlabs interior(std::shared_ptr<const CellSet> set, const Size3& size, int level_max);

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] int level_max() const { return level_max_; }
  [[nodiscard]] int level_first() const { return level_first_; }
  [[nodiscard]] int level_last() const {
    return level_first_ + static_cast<int>(levels_.size()) - 1;
  }
  [[nodiscard]] std::uint64_t count() const { return levels_.back().before.back(); }
  /// Cells of a level.
  [[nodiscard]] std::uint64_t count(int level) const {
    return at(level).before.back() - at(level).before.front();
  }
  /// Cells that come before slice z of a level, counted in all; z may be the end of its grid.
  [[nodiscard]] std::uint64_t before(int level, std::int64_t z) const {
    return at(level).before[static_cast<std::size_t>(z)];
  }
  [[nodiscard]] const Size3& grid(int level) const { return at(level).grid; }

  /// Lists of the levels [first, last] in the slices of pixels [begin, end): multiples of the side
  /// of a cell of level `first`, and even, or the end of the image. Nothing when cancelled.
  [[nodiscard]] std::optional<CellSlab> list(int first, int last, std::int64_t begin,
                                             std::int64_t end, const JobContext& context) const;
  /// The levels [first, last] whole. Nothing when cancelled.
  [[nodiscard]] std::optional<LinearAccess> whole(int first, int last,
                                                  const JobContext& context) const;

 private:
  struct Level {
    LevelBits bits;
    Size3 grid{1, 1, 1};
    // Cells before each slice, and before the next level.
    std::vector<std::uint64_t> before;
  };

  CellSlabs(const Size3& size, int level_max, int level_first)
      : size_(size), level_max_(level_max), level_first_(level_first) {}
  void add(const LevelBits& bits);
  [[nodiscard]] const Level& at(int level) const {
    return levels_[static_cast<std::size_t>(level - level_first_)];
  }

  Size3 size_;
  int level_max_;
  int level_first_;
  std::vector<Level> levels_;
  // Owners of the bit grids that `levels_` points into.
  std::shared_ptr<const CellSet> set_;
  std::shared_ptr<const std::vector<BitGrid>> own_;
};

}  // namespace aprscope

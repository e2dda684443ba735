#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

template <class T>
class Scratch;

/// Finest level of an image: max(1, ceil(log2(largest dimension))).
int finest_level(const Size3& size);

/// Size of the grid of cells of `level`: ceil(n / 2^(level_max − level)) in each dimension.
Size3 level_grid(const Size3& size, int level_max, int level);

/// Entries of xz_end of the levels [first, last]: a 0, and one for each row. 1 where first > last.
std::uint64_t row_entries(const Size3& size, int level_max, int first, int last);

/// A half-open range of particle indices.
struct ParticleRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] std::uint64_t count() const { return end - begin; }
  [[nodiscard]] bool empty() const { return begin == end; }
};

/// The linear access structure: a sparse set of cells on each level, ordered level (coarse to fine)
/// → z → x → y. Cell (l, z, x, y) covers the pixels [z·s, (z+1)·s) × … with s = 2^(level_max − l),
/// clipped to the image. Immutable.
class LinearAccess {
 public:
  LinearAccess() = default;

  /// Takes `y` (the y of each cell) and `xz_end` (xz_end[0] = 0, then one past the last cell of
  /// each row, rows ordered level_first … level_last → z → x). Checks sizes, monotone rows, y
  /// strictly increasing in each row and within the grid; an error names the first offence.
  static Result<LinearAccess> create(Size3 size, int level_max, int level_first, int level_last,
                                     std::vector<std::uint16_t> y,
                                     std::vector<std::uint64_t> xz_end);

  /// Makes a structure of lists that are known to be in order: nothing is checked again.
  static LinearAccess of_ordered(Size3 size, int level_max, int level_first, int level_last,
                                 Scratch<std::uint16_t> y, Scratch<std::uint64_t> xz_end);

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] int level_max() const { return level_max_; }
  /// First and last level that have rows.
  [[nodiscard]] int level_first() const { return level_first_; }
  [[nodiscard]] int level_last() const { return level_last_; }
  [[nodiscard]] std::uint64_t count() const { return y_.size(); }

  [[nodiscard]] const Size3& grid(int level) const {
    return grids_[static_cast<std::size_t>(level - level_first_)];
  }
  /// Index into xz_end() of the row (level, z = 0, x = 0).
  [[nodiscard]] std::uint64_t first_row(int level) const {
    return first_rows_[static_cast<std::size_t>(level - level_first_)];
  }
  /// Cells of row (level, z, x); unchecked.
  [[nodiscard]] ParticleRange row(int level, std::int64_t z, std::int64_t x) const {
    const std::uint64_t i = first_row(level) + static_cast<std::uint64_t>(z * grid(level).x + x);
    return {xz_end_[i - 1], xz_end_[i]};
  }
  /// Cells of a whole level.
  [[nodiscard]] ParticleRange level(int level) const;

  [[nodiscard]] std::span<const std::uint16_t> y() const { return y_; }
  [[nodiscard]] std::span<const std::uint64_t> xz_end() const { return xz_end_; }

  /// Index of cell (level, z, x, y), if it is in the set. O(log row length).
  [[nodiscard]] std::optional<std::uint64_t> find(int level, std::int64_t z, std::int64_t x,
                                                  std::int64_t y) const;

  [[nodiscard]] std::uint64_t bytes() const;

  friend bool operator==(const LinearAccess& a, const LinearAccess& b) {
    return a.size_ == b.size_ && a.level_max_ == b.level_max_ && a.level_first_ == b.level_first_ &&
           a.level_last_ == b.level_last_ && std::ranges::equal(a.y_, b.y_) &&
           std::ranges::equal(a.xz_end_, b.xz_end_);
  }

 private:
  LinearAccess(Size3 size, int level_max, int level_first, int level_last);
  template <class Lists>
  void hold(Lists lists);

  Size3 size_{0, 0, 0};
  int level_max_ = 0;
  int level_first_ = 0;
  int level_last_ = -1;
  std::vector<Size3> grids_;
  std::vector<std::uint64_t> first_rows_;
  // The lists, and what holds them: they never change, so that copies share them.
  std::span<const std::uint16_t> y_;
  std::span<const std::uint64_t> xz_end_;
  std::shared_ptr<const void> lists_;
};

}  // namespace aprscope

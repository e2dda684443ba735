#pragma once

#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// A set of cells of one level: one bit a cell, each row along y in whole words, unused bits 0.
class BitGrid {
 public:
  BitGrid() = default;
  explicit BitGrid(const Size3& size)
      : size_(size),
        words_((size.y + 63) / 64),
        bits_(static_cast<std::size_t>(size.z * size.x * words_), 0) {}

  [[nodiscard]] const Size3& size() const { return size_; }
  /// Number of words of a row.
  [[nodiscard]] std::int64_t words() const { return words_; }
  [[nodiscard]] std::uint64_t* row(std::int64_t z, std::int64_t x) {
    return bits_.data() + (z * size_.x + x) * words_;
  }
  [[nodiscard]] const std::uint64_t* row(std::int64_t z, std::int64_t x) const {
    return bits_.data() + (z * size_.x + x) * words_;
  }
  [[nodiscard]] bool test(std::int64_t z, std::int64_t x, std::int64_t y) const {
    return ((row(z, x)[y >> 6] >> (y & 63)) & 1U) != 0;
  }
  /// Bits that belong to cells in the last word of a row.
  [[nodiscard]] std::uint64_t last_word_mask() const {
    const auto rest = static_cast<unsigned>(size_.y & 63);
    return rest == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
  }
  [[nodiscard]] std::uint64_t count() const;

 private:
  Size3 size_{0, 0, 0};
  std::int64_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// Threads worth waking for a sweep over the bits of a grid.
int sweep_threads(const Size3& size);

/// The cells that touch a cell of `in` (26-neighbourhood) or are one themselves.
BitGrid dilate(const BitGrid& in);

/// The cells of `grid`, one level coarser, that have a child in `a` or `b`, which are of one size.
BitGrid parents_of(const BitGrid& a, const BitGrid& b, const Size3& grid);

/// Word `w` of the row of children (along y) of the cells in row `parents`, which has `words`
/// words; the children's row may need masking at its end.
std::uint64_t children_word(const std::uint64_t* parents, std::int64_t words, std::int64_t w);

}  // namespace aprscope

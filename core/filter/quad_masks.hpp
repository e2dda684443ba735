#pragma once

#include <cstdint>
#include <vector>

#include "core/filter/slab.hpp"

namespace aprscope::detail {

/// Bits [begin, end) of the word that holds bits [64 w, 64 w + 64).
std::uint64_t word_mask(std::int64_t begin, std::int64_t end, std::int64_t w);

/// Which pairs of cells of a slab's quads are computed, and which are needed for that: words of 64
/// pairs, from word first_word() of a row on. Where the slab ends inside the grid, the needed pairs
/// reach beyond it by the radius.
class QuadMasks {
 public:
  /// Takes the memory that slabs of this shape need. Throws std::bad_alloc.
  void reserve(const Slab& largest);
  /// Turns to a slab of which nothing is active.
  void open(const Slab& slab);

  /// Words of a row, the first of them, and how many come before the slab's own.
  [[nodiscard]] std::int64_t words() const { return words_; }
  [[nodiscard]] std::int64_t first_word() const { return first_word_; }
  [[nodiscard]] std::int64_t before() const { return before_; }

  /// The slab's own words of quad row (z, x): pairs that are computed.
  [[nodiscard]] std::uint64_t* active(std::int64_t z, std::int64_t x) {
    return active_.data() + active_row(z, x) * words_ + before_;
  }
  [[nodiscard]] const std::uint64_t* active(std::int64_t z, std::int64_t x) const {
    return active_.data() + active_row(z, x) * words_ + before_;
  }
  /// Must be called for each row in which a bit was set.
  void set_active(std::int64_t z, std::int64_t x) {
    set(active_rows_, (z - slab_.z0) * own_words_, x - slab_.x0);
  }
  /// After the active ones are set.
  void find_needed();
  /// Defined for rows that next_needed() returns.
  [[nodiscard]] const std::uint64_t* needed(std::int64_t z, std::int64_t x) const {
    return needed_.data() + ((z - slab_.first_z()) * wide_ + x - first_x_) * words_;
  }

  /// The first row of plane z from x on with a bit; the end of the slab, or of what it reads, where
  /// there is none.
  [[nodiscard]] std::int64_t next_active(std::int64_t z, std::int64_t x) const {
    return slab_.x0 + next(active_rows_, (z - slab_.z0) * own_words_, x - slab_.x0, own_);
  }
  [[nodiscard]] std::int64_t next_needed(std::int64_t z, std::int64_t x) const {
    return first_x_ + next(needed_rows_, (z - slab_.first_z()) * wide_words_, x - first_x_, wide_);
  }

 private:
  using Words = std::vector<std::uint64_t>;

  [[nodiscard]] std::int64_t active_row(std::int64_t z, std::int64_t x) const {
    return (z - slab_.z0) * own_ + x - slab_.x0;
  }
  static void set(Words& rows, std::int64_t first, std::int64_t i) {
    rows[static_cast<std::size_t>(first + i / 64)] |= std::uint64_t{1} << (i % 64);
  }
  // The first bit that is set among bits [i, n) that begin in word `first`; n where there is none.
  static std::int64_t next(const Words& rows, std::int64_t first, std::int64_t i, std::int64_t n) {
    for (; i < n; i = (i / 64 + 1) * 64) {
      const std::uint64_t left = rows[static_cast<std::size_t>(first + i / 64)] >> (i % 64);
      if (left != 0) return i + __builtin_ctzll(left);
    }
    return n;
  }
  [[nodiscard]] bool gather(std::int64_t z);

  Slab slab_;
  std::int64_t words_ = 0;
  std::int64_t before_ = 0;
  std::int64_t first_word_ = 0;
  std::int64_t own_ = 0;  // rows of a plane, and the words that hold one bit for each
  std::int64_t own_words_ = 0;
  std::int64_t first_x_ = 0;
  std::int64_t wide_ = 0;  // … that are read
  std::int64_t wide_words_ = 0;
  Words active_, needed_;
  Words active_rows_, needed_rows_;
  Words near_, nearer_;
};

}  // namespace aprscope::detail

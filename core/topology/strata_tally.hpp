#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"
#include "core/topology/strata_kernels.hpp"

namespace aprscope {

/// The strata of pixels that open boxes are made of, all of one size and as many of each kind of
/// free axes as `boxes` says: along an axis n pixels and, between them, n − 1 walls.
StrataCounts::OfLevel strata_of_boxes(StrataCounts::OfLevel boxes, const Size3& side);

/// What one thread has counted, by place: sums of words of the kernels, which are small enough for
/// the caches, and where those are full, strata of pixels.
class StrataTally {
 public:
  /// Throws std::bad_alloc.
  explicit StrataTally(int levels);

  /// How many pixels the cells are wide from now on.
  void set_side(const Size3& side);

  /// Adds the words of `count` cells in a row. Place `first` is that of the first level.
  template <int first = 0, class Place>
  void add(const Place* places, const std::uint64_t* words, std::int64_t count) {
    std::uint64_t* const banks[kBanks] = {bank(0), bank(1), bank(2), bank(3)};
    const std::int64_t whole = count - count % kBanks;
    for (std::int64_t i = 0; i < whole; i += kBanks) {
      const Place* const place = places + i;
      const std::uint64_t* const word = words + i;
      if (bank_ == 0 && are_alike(place)) {
        add_word(banks[i / kBanks % kBanks], place[0] - first,
                 word[0] + word[1] + word[2] + word[3]);
        continue;
      }
      for (std::int64_t b = 0; b < kBanks; ++b) add_word(banks[b], place[b] - first, word[b]);
    }
    for (std::int64_t i = whole; i < count; ++i) add_word(banks[0], places[i] - first, words[i]);
  }
  /// Adds those of a block whose bits are set.
  template <int first, class Place>
  void add_some(const Place* places, const std::uint64_t* words, std::uint64_t bits) {
    if (bits == ~std::uint64_t{0}) {
      add<first>(places, words, kStrataBlock);
      return;
    }
    std::uint64_t* const banks[2] = {bank(0), bank(1)};
    for (; bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctzll(bits);
      add_word(banks[i & 1], places[i] - first, words[i]);
    }
  }
  /// Adds a cell of another size.
  void add_one(std::size_t level, std::uint64_t word, const Size3& side);
  /// Adds so many pixels of flat neighbourhoods.
  void add_flat(std::size_t level, std::int64_t count) {
    for (std::int64_t& strata : strata_[level]) strata += count;
  }

  /// Adds all that was added to `counts` of as many levels, or of none yet, and ends.
  void add_to(StrataCounts& counts);

 private:
  // Cells of one place often follow each other, and each sum would wait for the one before: cells
  // take turns among several tables, where these are small.
  static constexpr std::int64_t kBanks = 4;
  static constexpr std::size_t kSmall = 4096;

  // Sums begin with so many cells that one overflows before a word of as many cells as there are
  // tables would add a cell too many.
  static constexpr std::uint64_t kNone = kBanks * kStrataCell;

  // Whether the next few cells have one place: where there is one table only, they are added to it
  // together.
  template <class Place>
  static bool are_alike(const Place* places) {
    std::array<Place, kBanks> next;
    std::copy_n(places, kBanks, next.begin());
    std::array<Place, kBanks> same;
    same.fill(places[0]);
    return next == same;
  }
  std::uint64_t* bank(std::size_t i) { return words_.data() + i * bank_; }
  void add_word(std::uint64_t* sums, std::int64_t level, std::uint64_t word) {
    if (__builtin_add_overflow(sums[level], word, &sums[level])) [[unlikely]] {
      spill(static_cast<std::uint32_t>(level), sums[level]);
    }
  }
  // A sum that has overflowed begins anew.
  void spill(std::uint32_t level, std::uint64_t& sum) {
    full_[full_count_++] = {sum, level};
    sum = kNone;
    if (full_count_ == full_.size()) empty();
  }
  // Strata lie far apart in memory: many at once, so that one need not wait for the other.
  void empty();
  void flush();

  struct Full {
    std::uint64_t sum = 0;
    std::uint32_t level = 0;
  };

  std::size_t levels_;
  std::size_t bank_;
  Size3 side_{1, 1, 1};
  std::vector<std::uint64_t> words_;
  std::array<Full, 512> full_;
  std::size_t full_count_ = 0;
  std::vector<StrataCounts::OfLevel> strata_;
};

}  // namespace aprscope

#pragma once

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

  /// Adds the words of `count` cells in a row. Place p is that of level p − `first`.
  template <class Place>
  void add(const Place* places, const std::uint64_t* words, std::int64_t count, Place first = 0) {
    std::uint64_t* const banks[kBanks] = {bank(0) - first, bank(1) - first, bank(2) - first,
                                          bank(3) - first};
    std::int64_t i = 0;
    for (; i + kBanks <= count; i += kBanks) {
      for (std::int64_t b = 0; b < kBanks; ++b) add(banks[b], places[i + b], words[i + b], first);
    }
    for (; i < count; ++i) add(banks[0], places[i], words[i], first);
  }
  /// Adds those of a block whose bits are set.
  template <class Place>
  void add_some(const Place* places, const std::uint64_t* words, std::uint64_t bits, Place first) {
    if (bits == ~std::uint64_t{0}) {
      add(places, words, kStrataBlock, first);
      return;
    }
    std::uint64_t* const banks[2] = {bank(0) - first, bank(1) - first};
    for (; bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctzll(bits);
      add(banks[i & 1], places[i], words[i], first);
    }
  }
  /// Adds a cell of another size.
  void add_one(std::size_t level, std::uint64_t word, const Size3& side);
  /// Adds so many pixels of flat neighbourhoods.
  void add_flat(std::size_t level, std::int64_t count) {
    for (std::int64_t& strata : strata_[level]) strata += count;
  }

  /// All that was added.
  const std::vector<StrataCounts::OfLevel>& strata();

 private:
  // Cells of one place often follow each other, and each sum would wait for the one before: cells
  // take turns among several tables, where these are small.
  static constexpr std::int64_t kBanks = 4;
  static constexpr std::size_t kSmall = 4096;

  std::uint64_t* bank(std::size_t i) { return words_.data() + i * bank_; }
  template <class Place>
  void add(std::uint64_t* sums, Place place, std::uint64_t word, Place first) {
    if (__builtin_add_overflow(sums[place], word, &sums[place])) [[unlikely]] {
      spill(static_cast<std::size_t>(place - first), sums[place]);
    }
  }
  // A sum that has overflowed begins anew.
  void spill(std::size_t level, std::uint64_t& sum);
  void flush();

  std::size_t levels_;
  std::size_t bank_;
  bool pixels_ = true;
  Size3 side_{1, 1, 1};
  std::vector<std::uint64_t> words_;
  std::vector<StrataCounts::OfLevel> strata_;
};

}  // namespace aprscope

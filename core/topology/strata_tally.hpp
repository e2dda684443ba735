#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"
#include "core/topology/strata_kernels.hpp"

namespace aprscope {

/// The strata of pixels that open boxes are made of, all of one size and as many of each kind of
/// free axes as `boxes` says: along an axis n pixels and, between them, n − 1 walls.
StrataCounts::OfLevel strata_of_boxes(StrataCounts::OfLevel boxes, const Size3& side);

/// Strata by code, where there are too many codes for one table a thread: all threads add to this
/// table. Empty where codes are few.
class SharedStrata {
 public:
  /// A table for codes below `codes`. Throws std::bad_alloc.
  explicit SharedStrata(int codes) {
    if (codes > kMostOwn) levels_.resize(static_cast<std::size_t>(codes));
  }
  [[nodiscard]] bool empty() const { return levels_.empty(); }
  void add(std::size_t code, const StrataCounts::OfLevel& more) {
    for (std::size_t s = 0; s < 8; ++s) {
      if (more[s] == 0) continue;
      std::atomic_ref(levels_[code][s]).fetch_add(more[s], std::memory_order_relaxed);
    }
  }
  /// Returns all strata from code `first` on, once no thread adds any more, and empties the table.
  std::vector<StrataCounts::OfLevel> take(int first);

 private:
  static constexpr int kMostOwn = 65537;
  std::vector<StrataCounts::OfLevel> levels_;
};

/// Counts of one thread by code (the numbers that a kernel compares): sums of the kernels' words,
/// small enough for the caches; sums that are full move to a table of strata of pixels.
class StrataTally {
 public:
  /// A tally of codes below `codes`; `shared` was made for as many. Throws std::bad_alloc.
  StrataTally(int codes, SharedStrata& shared);

  /// How many pixels the cells are wide from now on.
  void set_side(const Size3& side);

  /// Adds the words of `count` cells in a row.
  template <class Code>
  void add(const Code* codes, const std::uint64_t* words, std::int64_t count) {
    std::uint64_t* const banks[kBanks] = {bank(0), bank(1), bank(2), bank(3)};
    const std::int64_t whole = count - count % kBanks;
    for (std::int64_t i = 0; i < whole; i += kBanks) {
      const Code* const code = codes + i;
      const std::uint64_t* const word = words + i;
      if (bank_ == 0 && are_alike(code)) {
        add_word(banks[0], code[0], word[0] + word[1] + word[2] + word[3]);
        continue;
      }
      for (std::int64_t b = 0; b < kBanks; ++b) add_word(banks[b], code[b], word[b]);
    }
    for (std::int64_t i = whole; i < count; ++i) add_word(banks[0], codes[i], words[i]);
  }
  /// Adds the cells of a block of `count` whose bits are set; others have the word 0 or code 0.
  template <class Code>
  void add_some(const Code* codes, const std::uint64_t* words, std::uint64_t bits,
                std::int64_t count) {
    // For many bits it is faster to add zeros than to look for the next bit.
    constexpr int kMany = 24;
    if (std::popcount(bits) >= kMany) {
      add(codes, words, count);
      return;
    }
    std::uint64_t* const banks[2] = {bank(0), bank(1)};
    for (; bits != 0; bits &= bits - 1) {
      const int i = std::countr_zero(bits);
      add_word(banks[i & 1], codes[i], words[i]);
    }
  }
  /// Adds a cell of another size.
  void add_one(std::size_t code, std::uint64_t word, const Size3& side);
  /// Adds so many pixels of flat neighbourhoods.
  void add_flat(std::size_t code, std::int64_t count) {
    StrataCounts::OfLevel alike;
    alike.fill(count);
    add_strata(code, alike);
  }

  /// Adds the counts of the codes from `first` on to `counts` (of as many levels, or empty) and
  /// ends the tally. Counts in the shared table stay there.
  void add_to(StrataCounts& counts, int first);

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
  template <class Code>
  static bool are_alike(const Code* codes) {
    Code different = 0;
    for (std::int64_t i = 1; i < kBanks; ++i) {
      different = static_cast<Code>(different | (codes[0] ^ codes[i]));
    }
    return different == 0;
  }
  std::uint64_t* bank(std::size_t i) { return words_.data() + i * bank_; }
  void add_word(std::uint64_t* sums, std::size_t code, std::uint64_t word) {
    if (__builtin_add_overflow(sums[code], word, &sums[code])) [[unlikely]] {
      spill(static_cast<std::uint32_t>(code), sums[code]);
    }
  }
  // A sum that has overflowed begins anew.
  void spill(std::uint32_t code, std::uint64_t& sum) {
    full_[full_count_++] = {sum, code};
    sum = kNone;
    if (full_count_ == full_.size()) empty();
  }
  // Strata lie far apart in memory: many at once, so that one need not wait for the other.
  void empty();
  void flush();
  void add_strata(std::size_t code, const StrataCounts::OfLevel& more) {
    if (!shared_.empty()) return shared_.add(code, more);
    for (std::size_t s = 0; s < 8; ++s) strata_[code][s] += more[s];
  }

  struct Full {
    std::uint64_t sum = 0;
    std::uint32_t code = 0;
  };

  SharedStrata& shared_;
  std::size_t codes_;
  std::size_t bank_;
  Size3 side_{1, 1, 1};
  std::vector<std::uint64_t> words_;
  std::array<Full, 512> full_;
  std::size_t full_count_ = 0;
  std::vector<StrataCounts::OfLevel> strata_;
};

}  // namespace aprscope

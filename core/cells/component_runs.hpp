#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/base/scratch.hpp"
#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Which pixels of a mask are objects: those that are not zero, or those that are.
enum class MaskSide { set, clear };

/// Connected components of a mask as runs of pixels of rows, numbered from 1 on in the order of
/// their first pixel (z, x, y), whatever the number of threads.
///
/// Rows are words of bits, so that contacts of rows come 64 at a time. Where corners connect (26),
/// two by two rows are one *band*: its pixels at one y and the next always touch, so that the bits
/// of the four rows, joined, have fewer runs, and each is in one piece. Runs are united in slabs of
/// bands, one a thread at a time, with links to the lower number (Rem's algorithm: Patwary, Blair
/// and Manne 2010), and slabs are joined where they meet.
class ComponentRuns {
 public:
  /// `mask` in the order of Pixels; an image of one slice has no neighbours in z. Errors:
  /// cancelled, more components than u32 tells apart. Throws std::bad_alloc.
  static Result<ComponentRuns> of(std::span<const std::uint8_t> mask, const Size3& size,
                                  MaskSide side, Connectivity connectivity,
                                  const JobContext& context = {});

  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }

  /// Calls f(begin, end, label) for the runs of pixels of a row, from left to right.
  template <class F>
  void each_run(std::int64_t z, std::int64_t x, const F& f) const {
    const std::int64_t own = row_of(z, x);
    const std::int64_t band = band_of(own);
    const Slab& slab = slab_of(band);
    const std::uint64_t* bits = row_bits(own);
    for (std::int64_t w = 0; w < words_; ++w) {
      std::uint64_t left = bits[w];
      while (left != 0) {
        const std::uint64_t first = left & (~left + 1);
        const std::uint64_t run = left & ~(left + first);
        const auto begin = 64 * w + __builtin_ctzll(left);
        f(begin, begin + __builtin_popcountll(run), label_of(slab, run_at(band, begin)));
        left &= ~run;
      }
    }
  }

  /// Labels of the runs of the band that was painted last, a thread's own.
  struct PaintedBand {
    std::int64_t band = -1;
    std::vector<std::uint32_t> labels;
  };
  /// Writes the labels of a row; pixels of none stay as they are. Rows in order are cheapest.
  void paint(std::int64_t z, std::int64_t x, std::uint32_t* out, PaintedBand& painted) const;

  /// 1 for each label that has a pixel on the border of the image, else 0; [0] is 0. In an image of
  /// one slice, the border is that of the slice.
  [[nodiscard]] std::vector<std::uint8_t> at_border() const;

 private:
  // Bands [begin, end) with what is known of their runs.
  struct Slab {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    // For each run the run that it links to; later the number of its piece in this slab.
    Scratch<std::uint32_t> piece;
    std::uint32_t runs = 0;
    std::uint32_t pieces = 0;
    // Number of its first piece among those of all slabs.
    std::uint64_t offset = 0;
    // First pixel of each piece, where bands have several rows.
    std::vector<std::uint64_t> first;
  };
  struct Side;

  ComponentRuns() = default;

  // An image of one slice is seen as one of as many slices as it has rows.
  [[nodiscard]] std::int64_t row_of(std::int64_t z, std::int64_t x) const {
    return z * size_.x + x;
  }
  [[nodiscard]] std::int64_t band_of(std::int64_t row) const {
    return row / grid_.x / rows_.z * bands_.x + row % grid_.x / rows_.x;
  }
  [[nodiscard]] const std::uint64_t* row_bits(std::int64_t row) const {
    return bits_.data() + row * words_;
  }
  [[nodiscard]] const std::uint64_t* band_bits(std::int64_t band) const {
    return (joined_.count() > 0 ? joined_.data() : bits_.data()) + band * words_;
  }
  [[nodiscard]] const std::uint32_t* ranks(std::int64_t band) const {
    return ranks_.data() + band * words_;
  }
  [[nodiscard]] const Slab& slab_of(std::int64_t band) const {
    return slabs_[static_cast<std::size_t>(band / bands_.x / slab_bands_)];
  }
  // The run of its slab that a pixel of a band lies in.
  [[nodiscard]] std::uint32_t run_at(std::int64_t band, std::int64_t y) const {
    const std::uint64_t* bits = band_bits(band);
    const std::int64_t w = y >> 6U;
    const std::uint64_t before = w > 0 ? bits[w - 1] >> 63U : 0;
    const std::uint64_t starts = bits[w] & ~(bits[w] << 1U | before);
    const std::uint64_t up_to = ~std::uint64_t{0} >> (63U - (static_cast<unsigned>(y) & 63U));
    return ranks(band)[w] + static_cast<std::uint32_t>(__builtin_popcountll(starts & up_to)) - 1U;
  }
  [[nodiscard]] std::uint32_t label_of(const Slab& slab, std::uint32_t run) const {
    return numbers_[slab.offset + slab.piece.data()[run]];
  }

  void pack(std::span<const std::uint8_t> mask, MaskSide side, Slab& slab,
            const JobContext& context);
  void unite(Slab& slab, Connectivity connectivity, const JobContext& context);
  void find_first_pixels(Slab& slab) const;
  Status number(Connectivity connectivity);
  void number_by_first_pixel(const std::vector<std::uint32_t>& roots);
  template <class Unite>
  void unite_bands(std::int64_t bz, std::int64_t bx, bool within, bool before,
                   Connectivity connectivity, const Unite& unite) const;
  template <class Unite>
  void unite_contacts(std::int64_t a, std::int64_t b, const Side& near_a, const Side& near_b,
                      bool diagonal, const Side* through, const Unite& unite) const;

  Size3 size_;
  // The image as it is worked on, rows of a band, and bands.
  Size3 grid_;
  Size3 rows_;
  Size3 bands_;
  std::int64_t words_ = 0;
  std::int64_t slab_bands_ = 1;
  Scratch<std::uint64_t> bits_;
  // The bits of the rows of a band, joined; empty where it has one row.
  Scratch<std::uint64_t> joined_;
  // Runs of the slab before each word.
  Scratch<std::uint32_t> ranks_;
  std::vector<Slab> slabs_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t count_ = 0;
};

}  // namespace aprscope

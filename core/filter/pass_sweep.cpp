#include "core/filter/pass_sweep.hpp"

#include <array>

#include <immintrin.h>

#include "core/filter/image_passes.hpp"

namespace aprscope::detail {
namespace {

// Walks along a slab. The passes along x and z compute whole blocks. Masks have a bit for each
// block, from the first block of the dense rows on: all loads are aligned, and a mask is a word or
// two. Rows of two planes alternate in memory, so that one pass over longer lists does all rows of
// a quad.
class PassWalk {
 public:
  PassWalk(const PassFilter& filter, const Size3& size, const Slab& slab, QuadSource& source,
           Boundary boundary, SweepScratch& scratch)
      : filter_(filter),
        size_(size),
        slab_(slab),
        source_(source),
        boundary_(boundary),
        scratch_(scratch),
        own_(slab.x1 - slab.x0),
        depth_(slab.last_z() - slab.first_z()),
        pairs_(pairs(slab)),
        pair_values_(pair_values(slab)),
        words_(mask_words(slab)) {
    scratch.blocks.resize(static_cast<std::size_t>(2 * slab.stride() / kBlock));
  }

  // The ring holds pairs of planes.
  static std::int64_t pairs(const Slab& slab) {
    return std::min(slab.quads_z(), 2 * slab.halo_z() + 1);
  }
  static std::int64_t pair_values(const Slab& slab) {
    return PassFilter::padded(4 * (slab.x1 - slab.x0) * slab.stride());
  }
  static std::int64_t wide_quads(const Slab& shape) {
    return std::min(shape.quads_x(), shape.x1 - shape.x0 + 2 * shape.halo_x());
  }
  static std::int64_t deep_quads(const Slab& shape) {
    return std::min(shape.quads_z(), shape.z1 - shape.z0 + 2 * shape.halo_z());
  }
  static std::int64_t mask_words(const Slab& shape) {
    return (8 * shape.words() + 2 * shape.halo_blocks() + 63) / 64;
  }

  void run(const JobContext& context) {
    find_blocks();
    std::int64_t filled = slab_.first_z();
    for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
      for (; filled < std::min(slab_.last_z(), z + slab_.halo_z() + 1); ++filled) {
        if (context.stop_requested()) return;
        take_in(filled);
      }
      if (context.stop_requested()) return;
      finish(z);
    }
  }

 private:
  // Blocks that the pass along z computes, and those that the pass along x does.
  [[nodiscard]] std::uint64_t* below(std::int64_t z, std::int64_t x) {
    return scratch_.row_masks.data() + ((z - slab_.z0) * own_ + x - slab_.x0) * words_;
  }
  [[nodiscard]] std::uint64_t* crossed(std::int64_t z, std::int64_t x) {
    return scratch_.row_masks.data() +
           ((slab_.z1 - slab_.z0 + z - slab_.first_z()) * own_ + x - slab_.x0) * words_;
  }

  void find_blocks() {
    std::fill_n(scratch_.row_masks.begin(), (slab_.z1 - slab_.z0 + depth_) * own_ * words_, 0);
    for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
      const std::int64_t begin = std::max(slab_.first_z(), z - slab_.halo_z());
      const std::int64_t end = std::min(slab_.last_z(), z + slab_.halo_z() + 1);
      for (std::int64_t x = source_.next_active(z, slab_.x0); x < slab_.x1;
           x = source_.next_active(z, x + 1)) {
        std::uint64_t* const blocks = below(z, x);
        spread_blocks(source_.active(z, x), blocks);
        for (std::int64_t k = begin; k < end; ++k) {
          std::uint64_t* const to = crossed(k, x);
          for (std::int64_t w = 0; w < words_; ++w) to[w] |= blocks[w];
        }
      }
    }
  }

  // Blocks that active pairs of cells depend on along y, as far as they lie in the grid.
  void spread_blocks(const std::uint64_t* active, std::uint64_t* to) const {
    constexpr std::uint64_t kBytes = 0x0101010101010101ULL;
    const std::int64_t halo = slab_.halo_blocks();
    const auto add = [&](std::uint64_t pairs, std::int64_t first) {
      pairs |= pairs >> 4;
      pairs |= pairs >> 2;
      pairs |= pairs >> 1;
      const std::uint64_t blocks = _pext_u64(pairs, kBytes);
      to[first / 64] |= blocks << (first % 64);
      if (first % 64 > 56 && first / 64 + 1 < words_) {
        to[first / 64 + 1] |= blocks >> (64 - first % 64);
      }
    };
    for (std::int64_t w = 0; w < slab_.words(); ++w) {
      const std::uint64_t pairs = active[w];
      if (pairs == 0) continue;
      const std::int64_t first = 8 * w + halo;
      add(pairs, first);
      for (std::int64_t d = 1; d <= halo; ++d) {
        // Pairs of a block that reach into the d-th block beside it.
        const std::int64_t reach = slab_.radius.y - (d - 1) * kBlock;
        const auto count = static_cast<unsigned>(std::min(kBlock / 2, (reach + 1) / 2));
        const std::uint64_t few = (1U << count) - 1U;
        add(pairs & few * kBytes, first - d);
        add(pairs & (few << (8U - count)) * kBytes, first + d);
      }
    }
    const std::int64_t begin = std::max<std::int64_t>(0, halo - slab_.b0);
    const std::int64_t end = (slab_.grid.y + kBlock - 1) / kBlock - slab_.b0 + halo;
    for (std::int64_t w = 0; w < words_; ++w) to[w] &= bits_between(begin - 64 * w, end - 64 * w);
  }
  static std::uint64_t bits_between(std::int64_t begin, std::int64_t end) {
    const auto below = [](std::int64_t n) {
      return n >= 64 ? ~std::uint64_t{0} : n <= 0 ? 0 : (std::uint64_t{1} << n) - 1;
    };
    return below(end) & ~below(begin);
  }

  // Rows: two planes that are filled, then the ring of those that were passed along x.
  [[nodiscard]] float* filled_row(std::int64_t z, std::int64_t x) {
    return scratch_.rows.data() + (2 * (x - 2 * slab_.first_x()) + z % 2) * slab_.stride();
  }
  [[nodiscard]] float* crossed_row(std::int64_t z, std::int64_t x) {
    return scratch_.passed.data() + z / 2 % pairs_ * pair_values_ +
           (2 * (x - 2 * slab_.x0) + z % 2) * slab_.stride();
  }
  // Rows (z, x) of a quad: those that were passed along z, and those that were passed along y, too.
  [[nodiscard]] float* below_row(std::int64_t z, std::int64_t x) {
    return scratch_.more.data() + (2 * x + z) * slab_.stride();
  }
  [[nodiscard]] float* result_row(std::int64_t z, std::int64_t x) {
    return below_row(z, x) + 4 * slab_.stride();
  }

  // Lists blocks as offsets into dense rows; false where there are none.
  bool list(const std::uint64_t* blocks) {
    std::int32_t* to = scratch_.blocks.data();
    for (std::int64_t w = 0; w < words_; ++w) {
      for (std::uint64_t left = blocks[w]; left != 0; left &= left - 1) {
        *to++ = static_cast<std::int32_t>((64 * w + __builtin_ctzll(left)) * kBlock);
      }
    }
    listed_ = to - scratch_.blocks.data();
    return listed_ > 0;
  }
  // Makes one pass over the listed blocks, and over the same blocks of rows `apart` behind.
  void pass(Axis axis, std::int64_t apart, float* out, float* next) {
    std::int64_t count = listed_;
    if (apart != 0) {
      std::int32_t* const blocks = scratch_.blocks.data();
      for (std::int64_t i = 0; i < listed_; ++i) {
        blocks[count++] = blocks[i] + static_cast<std::int32_t>(apart);
      }
    }
    filter_.pass(axis, scratch_.pointers.data(), scratch_.blocks.data(), count, out, next);
  }
  [[nodiscard]] bool outside(std::int64_t i, std::int64_t n) const {
    return boundary_ == Boundary::zero && (i < 0 || i >= n);
  }

  // Fills quad plane z and passes it along x.
  void take_in(std::int64_t z) {
    const Size3& grid = slab_.grid;
    const std::int64_t z_end = std::min(2 * z + 2, grid.z);
    for (std::int64_t x = source_.next_needed(z, slab_.first_x()); x < slab_.last_x();
         x = source_.next_needed(z, x + 1)) {
      std::array<float*, 4> rows{};
      std::size_t n = 0;
      for (std::int64_t cz = 2 * z; cz < z_end; ++cz) {
        for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
          rows[n++] = filled_row(cz, cx);
        }
      }
      source_.fill(z, x, rows.data());
    }
    const std::int64_t apart = 2 * z + 1 < grid.z ? slab_.stride() : 0;
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      if (!list(crossed(z, x))) continue;
      const bool both = 2 * x + 1 < grid.x;
      find_across(2 * z, 2 * x - slab_.radius.x, size_.x + (both ? 1 : 0));
      pass(Axis::x, apart, crossed_row(2 * z, 2 * x),
           both ? crossed_row(2 * z, 2 * x + 1) : nullptr);
    }
  }

  // Points at the rows of plane cz that a pass along x takes.
  void find_across(std::int64_t cz, std::int64_t first, std::int64_t count) {
    const float** const to = scratch_.pointers.data();
    const std::int64_t n = slab_.grid.x;
    if (first >= 0 && first + count <= n) {
      const std::int64_t step = 2 * slab_.stride();
      const float* row = filled_row(cz, first);
      for (std::int64_t k = 0; k < count; ++k, row += step) to[k] = row;
      return;
    }
    for (std::int64_t k = 0; k < count; ++k) {
      to[k] = outside(first + k, n) ? scratch_.zeros.data()
                                    : filled_row(cz, reflect_index(first + k, n));
    }
  }

  // Passes the ring along z, then y, and stores the outputs of quad plane z.
  void finish(std::int64_t z) {
    const Size3& grid = slab_.grid;
    const bool both = 2 * z + 1 < grid.z;
    const std::int64_t lines = size_.z + (both ? 1 : 0);
    const float** const planes = scratch_.planes.data();
    for (std::int64_t k = 0; k < lines; ++k) {
      const std::int64_t from = 2 * z + k - slab_.radius.z;
      planes[k] =
          outside(from, grid.z) ? nullptr : crossed_row(reflect_index(from, grid.z), 2 * slab_.x0);
    }
    for (std::int64_t x = source_.next_active(z, slab_.x0); x < slab_.x1;
         x = source_.next_active(z, x + 1)) {
      list(below(z, x));
      const bool ends = reaches_ends();
      const bool pair = 2 * x + 1 < grid.x;
      const float** const to = scratch_.pointers.data();
      const std::int64_t offset = 4 * (x - slab_.x0) * slab_.stride();
      for (std::int64_t k = 0; k < lines; ++k) {
        to[k] = planes[k] != nullptr ? planes[k] + offset : scratch_.zeros.data();
      }
      pass(Axis::z, pair ? 2 * slab_.stride() : 0, below_row(0, 0),
           both ? below_row(1, 0) : nullptr);
      list_outputs(z, x);
      const auto runs = static_cast<std::int64_t>(scratch_.runs.size());
      RunValues values;
      values.at = scratch_.starts.data();
      // Starts follow the order of rows in memory: by x, and in each x by z.
      std::int64_t count = 0;
      for (std::int64_t r = 0; r < slab_.outputs_x(); ++r) {
        for (std::int64_t p = 0; p < slab_.outputs_z(); ++p) {
          values.rows[static_cast<std::size_t>(p * slab_.outputs_x() + r)] = result_row(p, r);
          if ((r == 1 && !pair) || (p == 1 && !both)) continue;
          float* const row = below_row(p, r);
          if (ends) extend_rows(slab_, boundary_, {&row, 1});
          const auto apart = static_cast<std::int32_t>((2 * r + p) * slab_.stride());
          std::int32_t* const starts = scratch_.starts.data();
          for (std::int64_t i = 0; i < runs; ++i) starts[count++] = starts[i] + apart;
        }
      }
      const float* const first = below_row(0, 0) - slab_.radius.y;
      const std::int64_t taps = size_.y;
      for (std::int64_t k = 0; k < taps; ++k) to[k] = first + k;
      filter_.pass(Axis::y, to, scratch_.starts.data(), count, result_row(0, 0), nullptr);
      source_.store(z, x, scratch_.runs.data(), runs, values);
    }
  }

  // Whether what is listed holds the first or the last block of a row of the grid.
  [[nodiscard]] bool reaches_ends() const {
    const std::int64_t first = scratch_.blocks.front() + slab_.base();
    const std::int64_t last = scratch_.blocks[static_cast<std::size_t>(listed_ - 1)] + slab_.base();
    // Reflected cells lie no farther from the end of a row than the radius.
    return first <= slab_.radius.y || last + kBlock + slab_.radius.y >= slab_.grid.y;
  }

  // Lists runs of the active cells of a quad.
  void list_outputs(std::int64_t z, std::int64_t x) {
    scratch_.runs.clear();
    list_runs(source_.active(z, x), slab_, scratch_.runs);
    scratch_.starts.resize(4 * scratch_.runs.size());
    const auto base = static_cast<std::int32_t>(slab_.base());
    for (std::size_t i = 0; i < scratch_.runs.size(); ++i) {
      scratch_.starts[i] = scratch_.runs[i] - base;
    }
  }

  const PassFilter& filter_;
  const Size3& size_;
  const Slab& slab_;
  QuadSource& source_;
  Boundary boundary_;
  SweepScratch& scratch_;
  std::int64_t own_, depth_, pairs_, pair_values_;
  std::int64_t words_;  // of a mask of blocks
  std::int64_t listed_ = 0;
};

}  // namespace

std::int64_t PassFilter::padded(std::int64_t values) {
  constexpr std::int64_t kSets = 64;
  constexpr std::int64_t kApart = 5;
  const std::int64_t lines = values / kBlock;
  return (lines + (kApart + kSets - lines % kSets) % kSets) * kBlock;
}

void PassFilter::shape(Slab& slab) const {
  if (slab.grid.y < kBlock) slab.image = false;
  if (slab.image) return ImagePasses::shape(slab);
  slab.z1 = std::clamp<std::int64_t>(20 * slab.halo_z(), 16, 64);
  // Planes about as large as the second-level cache, and as little around them as that allows:
  // rows around are filled only, blocks beyond the ends of rows are passed along x and z, too.
  constexpr std::int64_t kBytes = 1280 * 1024;
  const std::int64_t blocks = slab.b1 - slab.b0;
  Slab best = slab;
  double least = 0.0;
  for (const std::int64_t b : {16, 32, 64}) {
    for (const std::int64_t x : {4, 8, 16, 32}) {
      Slab s = slab;
      s.b1 = s.b0 + std::min(b, blocks);
      s.x1 = x;
      const std::int64_t values =
          PassWalk::pairs(s) * PassWalk::pair_values(s) + 4 * PassWalk::wide_quads(s) * s.stride();
      const bool fits = values * static_cast<std::int64_t>(sizeof(float)) <= kBytes;
      if (!fits && least > 0.0) continue;
      const double around =
          static_cast<double>(x + 2 * s.halo_x()) / static_cast<double>(x) *
          (1.0 + static_cast<double>(s.halo_blocks()) / static_cast<double>(s.b1 - s.b0));
      if (least > 0.0 && around >= least) continue;
      least = around;
      best = s;
    }
  }
  slab = best;
}

void PassFilter::reserve(const Slab& largest, SweepScratch& scratch) const {
  if (largest.image) return ImagePasses::reserve(largest, size_, scratch);
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  const std::int64_t own = largest.x1 - largest.x0;
  grow(scratch.rows, 4 * PassWalk::wide_quads(largest) * largest.stride());
  grow(scratch.passed, PassWalk::pairs(largest) * PassWalk::pair_values(largest));
  grow(scratch.more, 8 * largest.stride());
  grow(scratch.zeros, 3 * largest.stride());
  grow(scratch.row_masks, (largest.z1 - largest.z0 + PassWalk::deep_quads(largest)) * own *
                              PassWalk::mask_words(largest));
  scratch.blocks.reserve(static_cast<std::size_t>(2 * largest.stride() / kBlock));
  grow(scratch.pointers, std::max({size_.z, size_.x, size_.y}) + 1);
  grow(scratch.planes, size_.z + 1);
  scratch.runs.reserve(64);
  scratch.starts.reserve(4 * 64);
}

void PassFilter::run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
                     const JobContext& context) const {
  if (slab.image) return ImagePasses(*this, size_, slab, source, boundary, scratch).run(context);
  PassWalk(*this, size_, slab, source, boundary, scratch).run(context);
}

}  // namespace aprscope::detail

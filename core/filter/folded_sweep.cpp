#include "core/filter/folded_sweep.hpp"

#include <array>

#include "core/filter/row_ring.hpp"

namespace aprscope::detail {
namespace {

// Planes of sums of two that a plane of outputs depends on.
std::int64_t added_planes(const FoldedStencil& stencil) {
  return stencil.mirrored.z ? stencil.terms.z - 1 : 0;
}

// The walk along a slab.
class Walk {
 public:
  Walk(const FoldedStencil& stencil, const Slab& slab, QuadSource& source, Boundary boundary,
       SweepScratch& scratch)
      : stencil_(stencil),
        slab_(slab),
        source_(source),
        boundary_(boundary),
        scratch_(scratch),
        ring_(slab, scratch.rows.data()),
        first_row_(2 * (slab.x0 - slab.halo_x())),
        rows_(2 * (slab.x1 - slab.x0 + 2 * slab.halo_x())),
        words_(mask_words(slab)) {}

  static std::int64_t mask_words(const Slab& slab) { return (slab.stride() / kBlock + 63) / 64; }

  void run(const JobContext& context) {
    std::int64_t filled = slab_.first_z();
    for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
      for (; filled < std::min(slab_.last_z(), z + slab_.halo_z() + 1); ++filled) {
        if (context.stop_requested()) return;
        ring_.fill(filled, source_, boundary_);
      }
      if (!list_work(z)) continue;
      add_planes(z);
      for (std::int64_t p = 0; p < slab_.outputs_z(); ++p) {
        if (!computes(2 * z + p)) continue;
        for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
          if (context.stop_requested()) return;
          compute(x, p);
        }
      }
      store(z);
    }
  }

 private:
  // Quad x has runs [runs[2 i], runs[2 i + 2]) and vectors of sums [runs[2 i + 1], …) of the lists,
  // i counted from the first quad.
  [[nodiscard]] std::int32_t* quad_lists(std::int64_t x) {
    return scratch_.quad_lists.data() + 2 * (x - slab_.x0);
  }

  // Lists what quad plane z computes; false where that is nothing.
  bool list_work(std::int64_t z) {
    scratch_.runs.clear();
    scratch_.starts.clear();
    std::int64_t active = source_.next_active(z, slab_.x0);
    if (active >= slab_.x1) return false;
    std::fill_n(scratch_.row_masks.begin(), rows_ * words_, 0);
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      std::int32_t* const lists = quad_lists(x);
      lists[0] = static_cast<std::int32_t>(scratch_.runs.size());
      lists[1] = static_cast<std::int32_t>(scratch_.starts.size());
      if (x == active) {
        list_quad(source_.active(z, x));
        mark_rows(x, lists[1], static_cast<std::int32_t>(scratch_.starts.size()));
        active = source_.next_active(z, x + 1);
      }
      lists[2] = static_cast<std::int32_t>(scratch_.runs.size());
      lists[3] = static_cast<std::int32_t>(scratch_.starts.size());
    }
    if (scratch_.runs.empty()) return false;
    list_blocks();
    return true;
  }

  // Runs that hold the active cells of a quad, and vectors that hold those and the radius around.
  void list_quad(const std::uint64_t* mask) {
    constexpr std::int64_t kPairs = kBlock / 2;
    const std::int64_t radius = slab_.radius.y;
    const std::int64_t first = slab_.b0 * kBlock - slab_.base();
    const auto without = [](std::uint64_t word, std::int64_t count) {
      return count >= 64 ? 0 : count <= 0 ? word : word & ~std::uint64_t{0} << count;
    };
    std::int64_t run_end = 0;           // pairs before it lie in a run
    std::int64_t end = first - radius;  // sums before it are listed
    for (std::int64_t w = 0; w < slab_.words(); ++w) {
      const std::uint64_t word = mask[w];
      for (std::uint64_t left = without(word, run_end - 64 * w); left != 0;
           left = without(left, run_end - 64 * w)) {
        const std::int64_t pair = 64 * w + __builtin_ctzll(left);
        scratch_.runs.push_back(static_cast<std::int32_t>(first + 2 * pair));
        run_end = pair + kPairs;
      }
      // Pairs whose sums are all listed: first + 2 · pair + 2 + radius <= end.
      const auto listed = [&] { return (end - first - radius) / 2 - 64 * w; };
      for (std::uint64_t left = without(word, listed()); left != 0;
           left = without(left, listed())) {
        const std::int64_t y = first + 2 * (64 * w + __builtin_ctzll(left));
        end = std::max(end, y - radius);
        for (; end < y + 2 + radius; end += kBlock) {
          scratch_.starts.push_back(static_cast<std::int32_t>(end));
        }
      }
    }
  }

  // Blocks of rows around quad x that its vectors [begin, end) read.
  void mark_rows(std::int64_t x, std::int32_t begin, std::int32_t end) {
    if (begin == end) return;
    std::uint64_t* const mask = scratch_.row_masks.data() + rows_ * words_;
    std::fill_n(mask, words_, 0);
    for (std::int32_t i = begin; i < end; ++i) {
      const std::int64_t at = scratch_.starts[static_cast<std::size_t>(i)];
      for (const std::int64_t b : {at / kBlock, (at + kBlock - 1) / kBlock}) {
        mask[b / 64] |= std::uint64_t{1} << (b % 64);
      }
    }
    const std::int64_t first = 2 * x - slab_.radius.x - first_row_;
    const std::int64_t last = 2 * x + slab_.outputs_x() + slab_.radius.x - first_row_;
    for (std::int64_t row = first; row < last; ++row) {
      std::uint64_t* const to = scratch_.row_masks.data() + row * words_;
      for (std::int64_t w = 0; w < words_; ++w) to[w] |= mask[w];
    }
  }

  // Turns these masks into lists of where blocks start.
  void list_blocks() {
    if (added_planes(stencil_) == 0) return;
    scratch_.blocks.clear();
    for (std::int64_t row = 0; row < rows_; ++row) {
      scratch_.row_lists[static_cast<std::size_t>(row)] =
          static_cast<std::int32_t>(scratch_.blocks.size());
      for (std::int64_t w = 0; w < words_; ++w) {
        for (std::uint64_t left = scratch_.row_masks[static_cast<std::size_t>(row * words_ + w)];
             left != 0; left &= left - 1) {
          scratch_.blocks.push_back(
              static_cast<std::int32_t>((64 * w + __builtin_ctzll(left)) * kBlock));
        }
      }
    }
    scratch_.row_lists[static_cast<std::size_t>(rows_)] =
        static_cast<std::int32_t>(scratch_.blocks.size());
  }

  [[nodiscard]] const float* plane(std::int64_t z) const {
    const bool inside = z >= 0 && z < slab_.grid.z;
    if (!inside && boundary_ == Boundary::zero) return scratch_.zeros.data();
    return ring_.plane(reflect_index(z, slab_.grid.z));
  }

  [[nodiscard]] bool computes(std::int64_t z) const {
    return z >= slab_.wanted.begin.z && z < slab_.wanted.end.z;
  }

  // Finds the planes that outputs of quad plane z depend on, and adds those that are folded: of
  // both planes at once, which read most rows twice.
  void add_planes(std::int64_t z) {
    const std::int64_t pairs = added_planes(stencil_);
    const float** const below = scratch_.pointers.data();
    const float** const above = below + 2 * pairs;
    std::int64_t added = 0;
    for (std::int64_t p = 0; p < slab_.outputs_z(); ++p) {
      const std::int64_t cz = 2 * z + p;
      if (!computes(cz)) continue;
      const float** planes = scratch_.planes.data() + p * stencil_.terms.z;
      if (!stencil_.mirrored.z) {
        for (std::int64_t k = 0; k < stencil_.size.z; ++k) {
          *planes++ = plane(cz + k - slab_.radius.z);
        }
        continue;
      }
      *planes++ = plane(cz);
      for (std::int64_t k = 1; k <= pairs; ++k) {
        below[added] = plane(cz - k);
        above[added] = plane(cz + k);
        *planes++ = scratch_.passed.data() + added * RowRing::area(slab_);
        ++added;
      }
    }
    if (added == 0) return;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const std::int32_t* const list = scratch_.row_lists.data() + row;
      if (list[0] == list[1]) continue;
      kernels_.add_rows(below, above, added, row * slab_.stride(), scratch_.blocks.data() + list[0],
                        list[1] - list[0], scratch_.passed.data(), RowRing::area(slab_));
    }
  }

  // Outputs of quad x in its plane p.
  void compute(std::int64_t x, std::int64_t p) {
    const std::int32_t* const lists = quad_lists(x);
    const std::int64_t runs = lists[2] - lists[0];
    if (runs == 0) return;
    const std::int64_t rows = std::min<std::int64_t>(2, slab_.grid.x - 2 * x);
    const std::int64_t stride = slab_.stride();
    // Both rows of the quad at once: vectors of the second row lie a stride behind the first's.
    std::vector<std::int32_t>& vectors = scratch_.vectors;
    vectors.clear();
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int32_t i = lists[1]; i < lists[3]; ++i) {
        vectors.push_back(scratch_.starts[static_cast<std::size_t>(i)] +
                          static_cast<std::int32_t>(row * stride));
      }
    }
    FoldedWindow window;
    for (std::int64_t k = 0; k < stencil_.terms.z; ++k) {
      scratch_.pointers[static_cast<std::size_t>(k)] =
          scratch_.planes[static_cast<std::size_t>(p * stencil_.terms.z + k)] + ring_.row(2 * x);
    }
    window.planes = scratch_.pointers.data();
    window.stride = stride;
    window.size_z = stencil_.terms.z;
    window.radius_x = slab_.radius.x;
    window.pairs = stencil_.mirrored.x;
    window.sums = stencil_.terms.y;
    window.weights = stencil_.weights.data();
    float* const sums = scratch_.more.data();
    kernels_.fold(window, vectors.data(), static_cast<std::int64_t>(vectors.size()), sums,
                  2 * stride);
    const std::int64_t outputs = slab_.outputs();
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t o = p * slab_.outputs_x() + row;
      kernels_.unfold(sums + row * stride, 2 * stride, window.sums, stencil_.mirrored.y,
                      scratch_.runs.data() + lists[0], runs, outputs * kBlock,
                      scratch_.results.data() + (lists[0] * outputs + o) * kBlock);
    }
  }

  void store(std::int64_t z) {
    // Convert positions in dense rows to positions in rows of the grid.
    const auto base = static_cast<std::int32_t>(slab_.base());
    for (std::int32_t& y : scratch_.runs) y += base;
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      const std::int32_t* const lists = quad_lists(x);
      if (lists[0] == lists[2]) continue;
      source_.store(z, x, scratch_.runs.data() + lists[0], lists[2] - lists[0],
                    RunValues::packed(scratch_.results.data() + lists[0] * slab_.outputs() * kBlock,
                                      slab_.outputs()));
    }
  }

  const FilterKernels& kernels_ = filter_kernels();
  const FoldedStencil& stencil_;
  const Slab& slab_;
  QuadSource& source_;
  Boundary boundary_;
  SweepScratch& scratch_;
  RowRing ring_;
  std::int64_t first_row_, rows_;  // of a plane
  std::int64_t words_;             // of a mask of blocks
};

}  // namespace

void FoldedCorrelation::shape(Slab& slab) const {
  slab.image = false;  // rows of an image are copied once and read many times
  slab.z1 = std::clamp<std::int64_t>(12 * slab.halo_z(), 32, 64);
  // Planes about as large as the second-level cache, and as little around them as that allows: what
  // is read again and again, a few rows of each plane, stays in the cache.
  constexpr std::int64_t kBytes = 1100 * 1024;
  const std::int64_t blocks = slab.b1 - slab.b0;
  Slab best = slab;
  double least = 0.0;
  for (const std::int64_t b : {std::int64_t{64}, std::int64_t{32}, std::int64_t{16}}) {
    for (const std::int64_t x : {16, 8, 4}) {
      Slab s = slab;
      s.b1 = s.b0 + std::min(b, blocks);
      s.x1 = x;
      const std::int64_t values =
          RowRing::values(s) + s.outputs_z() * added_planes(stencil_) * RowRing::area(s);
      const bool fits = values * static_cast<std::int64_t>(sizeof(float)) <= kBytes;
      const bool smallest = b == 16 && x == 4;
      const double around = static_cast<double>(RowRing::area(s)) /
                            static_cast<double>(2 * x * (s.b1 - s.b0) * kBlock);
      if ((fits || (smallest && least == 0.0)) && (least == 0.0 || around < least)) {
        least = around;
        best = s;
      }
    }
  }
  slab = best;
}

void FoldedCorrelation::reserve(const Slab& largest, SweepScratch& scratch) const {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  const std::int64_t own = largest.x1 - largest.x0;
  const std::int64_t rows = 2 * (own + 2 * largest.halo_x());
  const std::int64_t words = Walk::mask_words(largest);
  const std::int64_t runs = own * (largest.b1 - largest.b0);
  // Vectors of a quad follow one another, and lie in its rows.
  const std::int64_t vectors = largest.stride() / kBlock + 1;
  grow(scratch.rows, RowRing::values(largest));
  grow(scratch.passed, largest.outputs_z() * added_planes(stencil_) * RowRing::area(largest));
  grow(scratch.zeros, RowRing::area(largest));
  grow(scratch.more, stencil_.terms.y * 2 * largest.stride());
  grow(scratch.results, runs * largest.outputs() * kBlock);
  grow(scratch.planes, 2 * stencil_.size.z);
  grow(scratch.pointers, 4 * stencil_.size.z);
  grow(scratch.row_masks, (rows + 1) * words);
  grow(scratch.row_lists, rows + 1);
  grow(scratch.quad_lists, 2 * own + 2);
  scratch.runs.reserve(static_cast<std::size_t>(runs));
  scratch.starts.reserve(static_cast<std::size_t>(own * vectors));
  scratch.vectors.reserve(static_cast<std::size_t>(2 * vectors));
  scratch.blocks.reserve(static_cast<std::size_t>(rows * (largest.stride() / kBlock)));
}

void FoldedCorrelation::run(const Slab& slab, QuadSource& source, Boundary boundary,
                            SweepScratch& scratch, const JobContext& context) const {
  Walk(stencil_, slab, source, boundary, scratch).run(context);
}

}  // namespace aprscope::detail

#include "core/filter/pass_sweep.hpp"

#include <array>

#include "core/filter/image_passes.hpp"

namespace aprscope::detail {
namespace {

// The walk along a slab: where rows are, and which of their cells each pass has to compute.
class Walk {
 public:
  Walk(const PassFilter& filter, const Size3& size, const Slab& slab, QuadSource& source,
       Boundary boundary, SweepScratch& scratch)
      : filter_(filter),
        size_(size),
        slab_(slab),
        source_(source),
        boundary_(boundary),
        scratch_(scratch),
        own_(slab.x1 - slab.x0),
        wide_(slab.last_x() - slab.first_x()),
        depth_(slab.last_z() - slab.first_z()),
        planes_(planes(slab)) {}

  static std::int64_t planes(const Slab& slab) {
    return std::min(2 * slab.quads_z(), 2 * (2 * slab.halo_z() + 1));
  }
  static std::int64_t wide_quads(const Slab& shape) {
    return std::min(shape.quads_x(), shape.x1 - shape.x0 + 2 * shape.halo_x());
  }
  static std::int64_t deep_quads(const Slab& shape) {
    return std::min(shape.quads_z(), shape.z1 - shape.z0 + 2 * shape.halo_z());
  }

  void run(const JobContext& context) {
    find_masks();
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
  // Cells of outputs; those that the pass along x computes; those that the pass along y computes.
  [[nodiscard]] PairMask& output(std::int64_t z, std::int64_t x) {
    return scratch_.masks[static_cast<std::size_t>((z - slab_.z0) * own_ + x - slab_.x0)];
  }
  [[nodiscard]] PairMask& crossed(std::int64_t z, std::int64_t x) {
    return scratch_.masks[static_cast<std::size_t>(
        ((slab_.z1 - slab_.z0) + z - slab_.first_z()) * own_ + x - slab_.x0)];
  }
  [[nodiscard]] PairMask& along(std::int64_t z, std::int64_t x) {
    return scratch_
        .masks[static_cast<std::size_t>((slab_.z1 - slab_.z0 + depth_) * own_ +
                                        (z - slab_.first_z()) * wide_ + x - slab_.first_x())];
  }

  void find_masks() {
    std::fill(scratch_.masks.begin(), scratch_.masks.end(), PairMask{});
    for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
      for (std::int64_t x = source_.next_active(z, slab_.x0); x < slab_.x1;
           x = source_.next_active(z, x + 1)) {
        PairMask& mask = output(z, x);
        std::copy_n(source_.active(z, x), slab_.words(), mask.words.data());
        for (std::int64_t k = std::max(slab_.first_z(), z - slab_.halo_z());
             k < std::min(slab_.last_z(), z + slab_.halo_z() + 1); ++k) {
          crossed(k, x) |= mask;
        }
      }
    }
    for (std::int64_t z = slab_.first_z(); z < slab_.last_z(); ++z) {
      for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
        const PairMask& mask = crossed(z, x);
        if (!mask.any()) continue;
        for (std::int64_t k = std::max(slab_.first_x(), x - slab_.halo_x());
             k < std::min(slab_.last_x(), x + slab_.halo_x() + 1); ++k) {
          along(z, k) |= mask;
        }
      }
    }
  }

  // Rows: four to fill, then the two planes that were passed along y, then the ring.
  [[nodiscard]] float* filled_row(std::int64_t i) {
    return scratch_.rows.data() + i * slab_.stride();
  }
  [[nodiscard]] float* along_row(std::int64_t z, std::int64_t x) {
    return scratch_.rows.data() +
           (4 + (z & 1) * 2 * wide_ + x - 2 * slab_.first_x()) * slab_.stride();
  }
  [[nodiscard]] float* crossed_row(std::int64_t z, std::int64_t x) {
    return scratch_.passed.data() + ((z % planes_) * 2 * own_ + x - 2 * slab_.x0) * slab_.stride();
  }

  // Runs of a mask as offsets into dense rows.
  void list(const PairMask& mask) {
    scratch_.runs.clear();
    list_runs(mask.words.data(), slab_, scratch_.runs);
    scratch_.starts.clear();
    for (const std::int32_t y : scratch_.runs) {
      scratch_.starts.push_back(static_cast<std::int32_t>(y - slab_.base()));
    }
  }
  void pass(Axis axis, float* out, float* next) {
    filter_.pass(axis, scratch_.pointers.data(), scratch_.starts.data(),
                 static_cast<std::int64_t>(scratch_.starts.size()), out, next);
  }
  [[nodiscard]] bool outside(std::int64_t i, std::int64_t n) const {
    return boundary_ == Boundary::zero && (i < 0 || i >= n);
  }

  // Passes quad plane z along y, then x.
  void take_in(std::int64_t z) {
    const Size3& grid = slab_.grid;
    const std::int64_t z_end = std::min(2 * z + 2, grid.z);
    for (std::int64_t x = slab_.first_x(); x < slab_.last_x(); ++x) {
      const PairMask& mask = along(z, x);
      if (!mask.any()) continue;
      std::array<float*, 4> rows{filled_row(0), filled_row(1), filled_row(2), filled_row(3)};
      const bool ends = source_.fill(z, x, rows.data()) == QuadSource::Filled::with_ends;
      list(mask);
      std::int64_t i = 0;
      for (std::int64_t cz = 2 * z; cz < z_end; ++cz) {
        for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx, ++i) {
          if (ends) extend_row(slab_, boundary_, filled_row(i));
          const float* const first = filled_row(i) - slab_.radius.y;
          const float** const to = scratch_.pointers.data();
          const std::int64_t count = size_.y;
          for (std::int64_t k = 0; k < count; ++k) to[k] = first + k;
          pass(Axis::y, along_row(cz, cx), nullptr);
        }
      }
    }
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      const PairMask& mask = crossed(z, x);
      if (!mask.any()) continue;
      list(mask);
      const bool both = 2 * x + 1 < grid.x;
      for (std::int64_t cz = 2 * z; cz < z_end; ++cz) {
        find_across(cz, 2 * x - slab_.radius.x, size_.x + (both ? 1 : 0));
        pass(Axis::x, crossed_row(cz, 2 * x), both ? crossed_row(cz, 2 * x + 1) : nullptr);
      }
    }
  }

  // Points at the rows of plane cz that a pass along x takes.
  void find_across(std::int64_t cz, std::int64_t first, std::int64_t count) {
    const float** const to = scratch_.pointers.data();
    const std::int64_t n = slab_.grid.x;
    if (first >= 0 && first + count <= n) {
      const std::int64_t stride = slab_.stride();
      const float* row = along_row(cz, first);
      for (std::int64_t k = 0; k < count; ++k, row += stride) to[k] = row;
      return;
    }
    for (std::int64_t k = 0; k < count; ++k) {
      to[k] = outside(first + k, n) ? scratch_.zeros.data()
                                    : along_row(cz, reflect_index(first + k, n));
    }
  }

  // Passes the ring along z and stores the outputs of quad plane z.
  void finish(std::int64_t z) {
    const Size3& grid = slab_.grid;
    const std::int64_t lines = size_.z + (2 * z + 1 < grid.z ? 1 : 0);
    const float** const planes = scratch_.planes.data();
    for (std::int64_t k = 0; k < lines; ++k) {
      const std::int64_t from = 2 * z + k - slab_.radius.z;
      planes[k] =
          outside(from, grid.z) ? nullptr : crossed_row(reflect_index(from, grid.z), 2 * slab_.x0);
    }
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      const PairMask& mask = output(z, x);
      if (!mask.any()) continue;
      list(mask);
      const bool both = 2 * z + 1 < grid.z;
      // A row for each output; those beyond the grid are not asked for.
      float* const out = scratch_.more.data();
      RunValues values;
      values.at = scratch_.starts.data();
      for (std::int64_t o = 0; o < slab_.outputs(); ++o) {
        values.rows[static_cast<std::size_t>(o)] = out + o * slab_.stride();
      }
      for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
        const float** const to = scratch_.pointers.data();
        const std::int64_t offset = (cx - 2 * slab_.x0) * slab_.stride();
        for (std::int64_t k = 0; k < lines; ++k) {
          to[k] = planes[k] != nullptr ? planes[k] + offset : scratch_.zeros.data();
        }
        float* const row = out + (cx - 2 * x) * slab_.stride();
        pass(Axis::z, row, both ? row + slab_.outputs_x() * slab_.stride() : nullptr);
      }
      source_.store(z, x, scratch_.runs.data(), static_cast<std::int64_t>(scratch_.runs.size()),
                    values);
    }
  }

  const PassFilter& filter_;
  const Size3& size_;
  const Slab& slab_;
  QuadSource& source_;
  Boundary boundary_;
  SweepScratch& scratch_;
  std::int64_t own_, wide_, depth_, planes_;
};

}  // namespace

void PassFilter::shape(Slab& slab) const {
  if (slab.image) return ImagePasses::shape(slab);
  slab.z1 = std::clamp<std::int64_t>(20 * slab.halo_z(), 16, 64);
  // Passed planes that stay in the second-level cache, and as little around them as that allows:
  // rows around are passed along y, what lies beyond their ends is filled only.
  constexpr std::int64_t kBytes = 960 * 1024;
  const std::int64_t blocks = slab.b1 - slab.b0;
  Slab best = slab;
  double least = 0.0;
  for (const std::int64_t b : {16, 32, 64}) {
    for (const std::int64_t x : {4, 8, 16, 32}) {
      Slab s = slab;
      s.b1 = s.b0 + std::min(b, blocks);
      s.x1 = x;
      const std::int64_t rows = Walk::planes(s) * 2 * x + 4 * Walk::wide_quads(s);
      const bool fits = rows * s.stride() * static_cast<std::int64_t>(sizeof(float)) <= kBytes;
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
  const std::int64_t wide = Walk::wide_quads(largest);
  const std::int64_t deep = Walk::deep_quads(largest);
  grow(scratch.rows, (4 + 4 * wide) * largest.stride());
  grow(scratch.passed, Walk::planes(largest) * 2 * own * largest.stride());
  grow(scratch.more, 4 * largest.stride());
  grow(scratch.zeros, largest.stride());
  grow(scratch.masks, (largest.z1 - largest.z0 + deep) * own + deep * wide);
  grow(scratch.pointers, std::max({size_.z, size_.x, size_.y}) + 1);
  grow(scratch.planes, size_.z + 1);
  scratch.runs.reserve(64);
  scratch.starts.reserve(64);
}

void PassFilter::run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
                     const JobContext& context) const {
  if (slab.image) return ImagePasses(*this, size_, slab, source, boundary, scratch).run(context);
  Walk(*this, size_, slab, source, boundary, scratch).run(context);
}

}  // namespace aprscope::detail

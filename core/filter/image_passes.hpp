#pragma once

#include "core/filter/pass_sweep.hpp"

namespace aprscope::detail {

/// Three passes over the pixels of a slab: rows are passed along y where they lie in the image,
/// then along x, and kept in a ring of planes for the pass along z. Each sum is added in the same
/// order as for particles.
class ImagePasses {
 public:
  ImagePasses(const PassFilter& filter, const Size3& size, const Slab& slab, QuadSource& source,
              Boundary boundary, SweepScratch& scratch);

  /// The shape of slabs, and the memory that one needs. Throws std::bad_alloc.
  static void shape(Slab& slab);
  static void reserve(const Slab& largest, const Size3& size, SweepScratch& scratch);

  void run(const JobContext& context);

 private:
  static std::int64_t planes(const Slab& slab);

  // Rows [first_, last_) are passed along y.
  [[nodiscard]] float* along_row(std::int64_t x) {
    return scratch_.rows.data() + (1 + x - first_) * slab_.stride();
  }
  [[nodiscard]] float* crossed_row(std::int64_t z, std::int64_t x) {
    return scratch_.passed.data() + ((z % planes_) * rows_ + x - 2 * slab_.x0) * slab_.stride();
  }
  [[nodiscard]] bool outside(std::int64_t i, std::int64_t n) const {
    return boundary_ == Boundary::zero && (i < 0 || i >= n);
  }
  void pass(Axis axis, std::int64_t begin, std::int64_t end, float* out, float* next);
  void pass_row(std::int64_t z, std::int64_t x);
  void take_in(std::int64_t z);
  void finish(std::int64_t z);

  const PassFilter& filter_;
  const Size3& size_;
  const Slab& slab_;
  const Pixels<float>& image_;
  QuadSource& source_;
  Boundary boundary_;
  SweepScratch& scratch_;
  std::int64_t planes_, rows_;
  std::int64_t first_ = 0, last_ = 0;
  // Runs, by their place in scratch_.starts: all; those that see pixels of the row only.
  std::int64_t runs_ = 0;
  std::int64_t inner_begin_ = 0, inner_end_ = 0;
};

}  // namespace aprscope::detail

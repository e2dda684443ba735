#pragma once

#include "core/filter/pass_sweep.hpp"

namespace aprscope::detail {

/// Three passes over the pixels of a slab: rows are passed along x where they lie in the image and
/// kept in a ring of planes for the pass along z, whose rows are then passed along y. Each sum is
/// added in the same order as for particles. Rows must be at least a block long.
class ImagePasses {
 public:
  ImagePasses(const PassFilter& filter, const Size3& size, const Slab& slab, QuadSource& source,
              Boundary boundary, SweepScratch& scratch);

  /// Sets the size of slabs; reserves the memory for one of them. Throws std::bad_alloc.
  static void shape(Slab& slab);
  static void reserve(const Slab& largest, const Size3& size, SweepScratch& scratch);

  void run(const JobContext& context);

 private:
  static std::int64_t planes(const Slab& slab);
  static std::int64_t plane_values(const Slab& slab);

  [[nodiscard]] float* crossed_row(std::int64_t z, std::int64_t x) {
    return scratch_.passed.data() + (z % planes_) * plane_values(slab_) +
           (x - 2 * slab_.x0) * slab_.stride();
  }
  [[nodiscard]] bool outside(std::int64_t i, std::int64_t n) const {
    return boundary_ == Boundary::zero && (i < 0 || i >= n);
  }
  void pass(Axis axis, const std::vector<std::int32_t>& starts, float* out, float* next);
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
};

}  // namespace aprscope::detail

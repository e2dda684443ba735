#pragma once

#include "core/filter/sweep.hpp"

namespace aprscope::detail {

/// A filter that is three passes. Of particles, planes are passed along x as they come and kept in
/// a ring for the pass along z, which is followed by that along y; each pass computes only what the
/// next one reads, so that the pass along y, the dearest because its loads are unaligned, computes
/// results only.
class PassFilter : public SweepFilter {
 public:
  explicit PassFilter(const Size3& size) : size_(size) {}

  [[nodiscard]] Size3 radius() const override { return {size_.z / 2, size_.x / 2, size_.y / 2}; }
  void shape(Slab& slab) const override;
  void reserve(const Slab& largest, SweepScratch& scratch) const override;
  void run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
           const JobContext& context) const override;

  /// Makes one pass over blocks that begin at `starts` of `out` and of the rows, as many rows as
  /// the filter is long in that dimension. Where `next` is not null there is one row more, and the
  /// pass over the rows from the second on goes there. Along y all rows are one row, moved cell by
  /// cell: rows[k] = rows[0] + k.
  virtual void pass(Axis axis, const float* const* rows, const std::int32_t* starts,
                    std::int64_t count, float* out, float* next) const = 0;

  /// Values of a plane of a ring and a few more: a pass along z reads some lines of each plane,
  /// which must not fall into the same sets of the first-level cache.
  static std::int64_t padded(std::int64_t values);

 private:
  Size3 size_;
};

}  // namespace aprscope::detail

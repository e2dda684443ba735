#pragma once

#include "core/filter/sweep.hpp"

namespace aprscope::detail {

/// A filter that looks at the whole neighbourhood of a block at once. Dense rows of as many planes
/// as a neighbourhood is deep are kept in a ring while the slab is walked along z.
class WindowFilter : public SweepFilter {
 public:
  explicit WindowFilter(const Size3& size) : size_(size) {}

  [[nodiscard]] Size3 radius() const override { return {size_.z / 2, size_.x / 2, size_.y / 2}; }
  void shape(Slab& slab) const override;
  void reserve(const Slab& largest, SweepScratch& scratch) const override;
  void run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
           const JobContext& context) const override;

  /// Computes blocks from a window; see FilterKernels::correlate for `out`.
  virtual void compute(const Window& window, const std::int32_t* starts, std::int64_t count,
                       SweepScratch& scratch, float* out) const = 0;

 protected:
  [[nodiscard]] const Size3& size() const { return size_; }

 private:
  Size3 size_;
};

}  // namespace aprscope::detail

#pragma once

#include "core/filter/folded_stencil.hpp"
#include "core/filter/sweep.hpp"

namespace aprscope::detail {

/// Correlation with a stencil that is symmetric, in fewer products. Planes of cells at equal
/// distance in z are added for a whole slab, then rows at equal distance in x; each such row is
/// multiplied by the weights along y, one of a pair, into as many sums, which are moved along y and
/// added once at the end. Up to four values are added before they are multiplied: those beyond 8e37
/// may become infinite.
class FoldedCorrelation : public SweepFilter {
 public:
  explicit FoldedCorrelation(FoldedStencil stencil) : stencil_(std::move(stencil)) {}

  [[nodiscard]] Size3 radius() const override {
    return {stencil_.size.z / 2, stencil_.size.x / 2, stencil_.size.y / 2};
  }
  void shape(Slab& slab) const override;
  void reserve(const Slab& largest, SweepScratch& scratch) const override;
  void run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
           const JobContext& context) const override;

 private:
  FoldedStencil stencil_;
};

}  // namespace aprscope::detail

#pragma once

#include <span>
#include <vector>

#include "core/operations/filter/filter_plan.hpp"

namespace aprscope {

/// A filter of an APR that is looked at part by part.
class PartFilter {
 public:
  /// Makes the stencils; `level_max` is that of the whole. Errors: those of pyramids_of().
  static Result<PartFilter> create(const FilterPlan& plan, int level_max);

  /// Filters a part whose level 0 is level `level_shift` of the whole; writes inside `region` (of
  /// the part) only. Errors: cancelled, out of memory.
  [[nodiscard]] Status run(const FilterInput& part, int level_shift, const Region& region,
                           std::span<float> out, const JobContext& context) const;

 private:
  PartFilter(const FilterPlan& plan, std::vector<StencilPyramid> pyramids, int level_max)
      : plan_(plan), pyramids_(std::move(pyramids)), level_max_(level_max) {}

  FilterPlan plan_;
  std::vector<StencilPyramid> pyramids_;
  int level_max_;
};

}  // namespace aprscope

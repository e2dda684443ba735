#pragma once

#include <span>
#include <vector>

#include "core/operations/filter/filter_plan.hpp"
#include "core/operations/filter/slab_filter.hpp"

namespace aprscope {

/// A filter of an APR that is looked at part by part.
class PartFilter {
 public:
  /// Makes the stencils; `level_max` is that of the whole. Errors: those of pyramids_of().
  static Result<PartFilter> create(const FilterPlan& plan, int level_max);

  /// Filters a part as FilterAprPart does.
  [[nodiscard]] Status run(const AprPart& part, std::span<const float> tree, const Region& region,
                           std::span<float> out, const JobContext& context) const;
  /// run() of this filter, which must outlive it.
  [[nodiscard]] FilterAprPart work() const {
    return [this](const AprPart& part, std::span<const float> tree, const Region& region,
                  std::span<float> out,
                  const JobContext& context) { return run(part, tree, region, out, context); };
  }

 private:
  PartFilter(const FilterPlan& plan, std::vector<StencilPyramid> pyramids, int level_max)
      : plan_(plan), pyramids_(std::move(pyramids)), level_max_(level_max) {}

  FilterPlan plan_;
  std::vector<StencilPyramid> pyramids_;
  int level_max_;
};

}  // namespace aprscope

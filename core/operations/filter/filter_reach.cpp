#include "core/operations/filter/filter_reach.hpp"

#include <algorithm>

namespace aprscope {

std::int64_t slices_reached(const FilterPlan& plan, int level_max, int coarsest) {
  const auto cells = [&](int above) -> std::int64_t {
    std::int64_t most = 0;
    if (plan.kind == FilterPlan::Kind::statistic) {
      // A restricted mean weighs the cells that the box touches, one more than fits to either side.
      const bool weighed =
          plan.statistic == LocalStatistic::mean && plan.mode == StencilMode::restricted;
      most = weighed ? restrict_stencil(wide_box_stencil(plan.size), above).size.z / 2
                     : statistic_size({plan.size, plan.mode}, above).z / 2;
    }
    for (const Stencil& stencil : plan.stencils) {
      const bool restricted = plan.mode == StencilMode::restricted;
      most = std::max(most, (restricted ? restrict_stencil(stencil, above) : stencil).size.z / 2);
    }
    return most;
  };
  std::int64_t slices = 0;
  for (int l = coarsest; l <= level_max; ++l) {
    slices = std::max(slices, cells(level_max - l) << (level_max - l));
  }
  return slices;
}

}  // namespace aprscope

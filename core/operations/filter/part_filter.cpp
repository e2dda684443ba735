#include "core/operations/filter/part_filter.hpp"

#include <utility>

namespace aprscope {

Result<PartFilter> PartFilter::create(const FilterPlan& plan, int level_max) {
  auto pyramids = pyramids_of(plan, level_max);
  if (!pyramids) return pyramids.error();
  return PartFilter(plan, std::move(*pyramids), level_max);
}

Status PartFilter::run(const AprPart& part, std::span<const float> tree, const Region& region,
                       std::span<float> out, const JobContext& context) const {
  const FilterInput input{part.access.get(), part.values, tree};
  const int first = part.level_shift;
  const int last = first + part.access->level_max();
  if (plan_.kind == FilterPlan::Kind::statistic) {
    StatisticBox box{plan_.size, plan_.mode};
    box.finer_levels = level_max_ - last;
    return local_statistic(input, plan_.statistic, box, plan_.boundary, region, out, context);
  }
  std::vector<StencilPyramid> here;
  for (const StencilPyramid& whole : pyramids_) {
    std::vector<Stencil> stencils;
    for (int l = first; l <= last; ++l) stencils.push_back(whole.at(l));
    auto pyramid = StencilPyramid::from_levels(std::move(stencils));
    if (!pyramid) return pyramid.error();
    here.push_back(std::move(*pyramid));
  }
  if (plan_.kind == FilterPlan::Kind::gradient_magnitude) {
    return gradient_magnitude(input, here, plan_.boundary, region, out, context);
  }
  return convolve(input, here.front(), plan_.boundary, region, out, context);
}

}  // namespace aprscope

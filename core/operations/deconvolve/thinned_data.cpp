#include "core/operations/deconvolve/thinned_data.hpp"

#include <utility>

#include "core/operations/engine/result_data.hpp"

namespace aprscope {

Result<ThinnedImage> hold_out(const Dataset& input, float offset, const HoldOutOptions& options,
                              const JobContext& context) {
  if (!input.is_apr())
    return hold_out(input.values().pixels().values, offset, {}, options, context);
  const std::vector<WeightRun> weights = cell_volumes(*input.apr().access);
  return hold_out(input.values().particles(), offset, weights, options, context);
}

std::shared_ptr<const Dataset> with_values(const Dataset& input, std::vector<float> values) {
  if (!input.is_apr()) return Dataset::create(filtered_image(input, std::move(values)));
  return Dataset::create(with_field(input.apr(), std::move(values), "photons held out"));
}

}  // namespace aprscope

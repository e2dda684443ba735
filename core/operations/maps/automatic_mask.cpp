#include "core/operations/maps/automatic_mask.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/connected_components.hpp"
#include "core/cells/distance.hpp"
#include "core/maps/map_filters.hpp"
#include "core/maps/soft_mask.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/measure/counted_levels.hpp"
#include "core/topology/topology_curves.hpp"

namespace aprscope {
namespace {

Result<double> otsu(const Dataset& map, const JobContext& context) {
  const auto counts = count_values(map, LevelSets::superlevel, context);
  if (!counts) return counts.error();
  const auto found = otsu_threshold(counts->levels, counts->pixels, LevelSets::superlevel);
  if (found) return *found;
  return Error{"has one value only, which no threshold separates", map.name(),
               "choose another map, or a value"};
}

// The largest piece of an object; the first of those that are as large.
Status keep_largest(Pixels<std::uint8_t>& object, const JobContext& context) {
  const auto pieces = connected_components(object, Connectivity::faces, context);
  if (!pieces) return pieces.error();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(pieces->largest) + 1);
  for (const std::uint32_t label : pieces->values) ++sizes[label];
  sizes[0] = 0;
  const auto best =
      static_cast<std::uint32_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  for (std::size_t i = 0; i < object.values.size(); ++i) {
    object.values[i] = best != 0 && pieces->values[i] == best ? 1 : 0;
  }
  return {};
}

// The map as it is looked at for a threshold.
Result<std::shared_ptr<const Dataset>> smoothed(const Dataset& map, double limit,
                                                const JobContext& context) {
  if (limit <= 0.0) return Dataset::create(filtered_image(map, map.values().pixels().values));
  auto values = low_passed(map.values().pixels().values, map.size().z, limit, context);
  if (!values) return values.error();
  return Dataset::create(filtered_image(map, *std::move(values)));
}

}  // namespace

Result<FoundMask> find_mask(const Dataset& map, const MaskSettings& settings,
                            const JobContext& context) {
  const auto smooth = smoothed(map, settings.low_pass, context.part(0.0, 0.4));
  if (!smooth) return smooth.error();
  Result<double> threshold =
      settings.threshold ? Result<double>(*settings.threshold) : otsu(**smooth, context);
  if (!threshold) return threshold.error();
  FoundMask found;
  found.threshold = *threshold;
  const std::vector<float>& values = (*smooth)->values().pixels().values;
  Pixels<std::uint8_t> object(map.size());
  const std::int64_t count = map.size().count();
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    object.values[at] = static_cast<double>(values[at]) >= found.threshold ? 1 : 0;
  });
  if (std::find(object.values.begin(), object.values.end(), 1) == object.values.end()) {
    return Error{
        "has nothing as bright as " + std::to_string(found.threshold) + " once it is smoothed",
        map.name(), "use a lower threshold, or less smoothing"};
  }
  if (settings.largest) {
    if (Status ok = keep_largest(object, context.part(0.4, 0.6)); !ok) return ok.error();
  }
  const auto distances =
      squared_distances(object.values, object.size, {1.0, 1.0, 1.0, "px"}, context.part(0.6, 1.0));
  if (!distances) return distances.error();
  found.mask = soft_mask({distances->data(), static_cast<std::size_t>(count)}, settings.extend,
                         settings.edge);
  return found;
}

std::uint64_t mask_bytes(const Dataset& map) {
  const auto count = static_cast<std::uint64_t>(map.size().count());
  return map_bytes(map) + count * (2 * sizeof(float) + 1) + component_label_bytes(map.size());
}

}  // namespace aprscope

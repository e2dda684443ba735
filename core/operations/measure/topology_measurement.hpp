#pragma once

#include <functional>

#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Counts the strata of the data at these levels, on some device.
using StrataCounter = std::function<Result<StrataCounts>(
    const LevelPlaces& places, Construction construction, const JobContext& context)>;

/// What a complete operation of the family "topology" measures, with strata counted by `count`:
/// levels, curves and tables. Errors: values that are no numbers, those of `count`, cancelled.
Result<Measurement> measure_topology(const Operation& operation, const Dataset& input,
                                     const StrataCounter& count, const JobContext& context);

}  // namespace aprscope

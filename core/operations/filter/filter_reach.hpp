#pragma once

#include <cstdint>

#include "core/operations/filter/filter_plan.hpp"

namespace aprscope {

/// Slices of pixels that neighbourhoods of the levels from `coarsest` to the finest reach over, to
/// either side.
std::int64_t slices_reached(const FilterPlan& plan, int level_max, int coarsest);

}  // namespace aprscope

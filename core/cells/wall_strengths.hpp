#pragma once

#include <vector>

#include "core/cells/label_row.hpp"
#include "core/cells/wall_statistics.hpp"

namespace aprscope {

/// The strength of the weakest wall of each row to a neighbour, for suspicions(): how far its
/// median is above the brighter of the two means (`dark`: below the darker one), relative to the
/// median of that over all walls between two objects; 1 from half of it on, 0 where there is no
/// wall. NaN: no neighbour, or no grey values.
std::vector<double> wall_strengths(const std::vector<LabelRow>& rows,
                                   const std::vector<WallStatistics>& between, bool dark);

}  // namespace aprscope

#pragma once

#include <vector>

#include "core/cells/label_row.hpp"
#include "core/cells/wall_statistics.hpp"

namespace aprscope {

/// How strong the weakest wall of each row to a neighbour is, for suspicions(): how far its median
/// is above the brighter of the two means (`dark`: below the darker one), beside the median of that
/// over all walls between two objects; 1 from half of it on, 0 where there is no wall. NaN: it has
/// no neighbour, or grey values are not known.
std::vector<double> wall_strengths(const std::vector<LabelRow>& rows,
                                   const std::vector<WallStatistics>& between, bool dark);

}  // namespace aprscope

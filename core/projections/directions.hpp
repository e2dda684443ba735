#pragma once

#include "core/projections/backproject.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// From where the molecules of a table were seen, with all copies under their symmetry; rows that
/// are not enabled or whose angles are no numbers are left out.
DirectionHistogram count_directions(const ProjectionTable& table, const SymmetryGroup& group);

}  // namespace aprscope

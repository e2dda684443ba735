#pragma once

#include "core/projections/projections.hpp"
#include "core/projections/reconstruction.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// Counts the viewing directions of the rows of a table, with all copies under the symmetry; rows
/// that are not enabled or whose angles are no numbers are left out.
DirectionHistogram count_directions(const ProjectionTable& table, const SymmetryGroup& group);

}  // namespace aprscope

#pragma once

#include <vector>

#include "core/filter/stencil.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// What a convolving operation applies on each level, for whoever shows it: [i] on level i, 0 …
/// level_max; of a gradient the first component. Errors: those of stencils_of(), sizes that cannot
/// be.
Result<std::vector<Stencil>> level_stencils(const Operation& operation, const VoxelSize& voxel,
                                            const Size3& size, int level_max);

/// The same of weights in px: "same", "restricted" or "rescaled", see the parameter "mode".
Result<std::vector<Stencil>> level_stencils(const Stencil& stencil, const std::string& mode,
                                            bool normalize, int level_max);

}  // namespace aprscope

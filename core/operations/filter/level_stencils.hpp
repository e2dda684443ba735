#pragma once

#include <vector>

#include "core/filter/stencil.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The stencils that a convolving operation applies, to show them: [i] on level i, 0 …
/// level_max; of a gradient the first component. Errors: those of stencils_of(), impossible
/// sizes.
Result<std::vector<Stencil>> level_stencils(const Operation& operation, const VoxelSize& voxel,
                                            const Size3& size, int level_max);

/// The same of weights in px: "same", "restricted" or "rescaled", see the parameter "mode".
Result<std::vector<Stencil>> level_stencils(const Stencil& stencil, const std::string& mode,
                                            bool normalize, int level_max);

}  // namespace aprscope

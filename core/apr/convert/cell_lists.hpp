#pragma once

#include <optional>

#include "core/apr/convert/pulling_scheme.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// The particles of a cell set, which are those of an image of `size`, as lists of y, in the
/// memory of `spare` if they fit. Throws std::bad_alloc. Nothing when cancelled.
std::optional<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                         const JobContext& context, Scratch<float> spare = {});

/// Its interior cells: the parents of particles and of interior cells.
std::optional<LinearAccess> interior_of(const CellSet& set, const Size3& size, int level_max,
                                        const JobContext& context);

}  // namespace aprscope

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/level_map.hpp"
#include "core/apr/convert/pulling_scheme.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// The particles of a cell set, which are those of an image of `size`, as lists of y, in the
/// memory of `spare` if they fit. Throws std::bad_alloc. Nothing when cancelled.
std::optional<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                         const JobContext& context, Scratch<float> spare = {});

/// The interior cells of the levels 0 to level_max − 2, as bits; those of level_max − 1 are the
/// refined ones. Throws std::bad_alloc.
std::vector<BitGrid> interior_grids(const CellSet& set, const Size3& size, int level_max);

/// The interior cells of a cell set: the parents of particles and of interior cells.
std::optional<LinearAccess> interior_of(const CellSet& set, const Size3& size, int level_max,
                                        const JobContext& context);

/// Particles and interior cells that follow from a map of local levels of an image of `size` (see
/// pulling_scheme()), with the parameters of a conversion. Throws std::bad_alloc. Errors:
/// cancelled.
Result<std::shared_ptr<const AprAccess>> access_of(LevelMap levels, const Size3& size,
                                                   const ConversionParameters& parameters,
                                                   const JobContext& context,
                                                   Scratch<float> spare = {});

}  // namespace aprscope

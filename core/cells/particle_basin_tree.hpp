#pragma once

#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basin_tree.hpp"
#include "core/cells/basins.hpp"

namespace aprscope {

/// The tree of the basins that find_particle_basins() gave, see basin_tree(): a wall between two
/// particles is as high as the higher of both. Cut it by the same functions. Equal for any number
/// of threads. Errors: values of another number, cancelled. Throws std::bad_alloc.
Result<BasinTree> particle_basin_tree(const AprAccess& access, std::span<const float> values,
                                      const Basins& basins, const BasinRule& rule,
                                      const JobContext& context = {});

}  // namespace aprscope

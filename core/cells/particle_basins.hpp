#pragma once

#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/basins.hpp"

namespace aprscope {

/// The catchment basins of particles, as find_basins() gives them for pixels: labels are one a
/// particle, in the order of the basins' first pixels, sizes are pixels of cells. Each particle
/// belongs to the basin of the lowest of its lower neighbours (a hash decides among equally low
/// ones); particles of a plateau go to its lower border on the shortest way over centres of cells.
/// A particle is one cell, so that basins differ from those of the constant reconstruction where
/// they meet in coarse cells and on plateaus. `rule.near` says which cells touch; markers are
/// pixels, each of which makes its whole cell a marker (of several in one cell the first). Values
/// (one a particle) must not be NaN. Takes about 26 bytes a particle; where there are plateaus that
/// are no minima 16 more, and 12 for each pair of neighbours on them. Equal for any number of
/// threads. Errors: values of another number, markers outside or out of order, more particles than
/// check_cell_count() allows, cancelled. Throws std::bad_alloc.
Result<Basins> find_particle_basins(const AprAccess& access, std::span<const float> values,
                                    const BasinRule& rule, const JobContext& context = {});

/// The height of a particle's value; `bright`: see BasinRule.
inline float particle_height(float value, bool bright) { return bright ? -value : value; }

/// Errors: more or fewer values than particles, more particles than check_cell_count() allows.
Status check_particle_values(const AprAccess& access, std::span<const float> values);

}  // namespace aprscope

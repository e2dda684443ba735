#pragma once

#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/cells/basins.hpp"
#include "core/cells/region_walls.hpp"
#include "core/cells/wall_signal.hpp"

namespace aprscope {

/// The walls between basins of particles, see find_particle_basins(): each contact of two cells
/// counts as many pairs of pixels as it has. All arguments must outlive the source. Throws
/// std::bad_alloc.
WallSource particle_walls(const AprAccess& access, std::span<const float> values,
                          const Basins& basins, const BasinRule& rule);

/// The rows of wall_signal_rows() of the image that particles make when each cell has its
/// particle's value (or label), one below the other in one slice.
template <class T>
Pixels<T> particle_rows(const AprAccess& access, std::span<const T> of_particles);

/// wall_signal() of the image that particles make when each cell has its particle's value.
WallSignal particle_signal(const AprAccess& access, std::span<const float> values);

/// For each basin whether a cell of it lies at the border of the image, see
/// LayerGeometry::on_border().
std::vector<bool> particle_basins_at_border(const AprAccess& access, const Basins& basins);

}  // namespace aprscope

#pragma once

#include <memory>
#include <span>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// The structure as it looks one level coarser: the interior cells of level_max − 1 are particles
/// too, the finest particles are gone, the image has half the size. Particles of the other levels
/// keep their index. Errors: level_max is 1. Throws std::bad_alloc.
Result<std::shared_ptr<const AprAccess>> coarser(const AprAccess& access);

/// Values on coarser(access): those of particles, and tree means. The tree of the coarser structure
/// has the first values of the tree.
void restrict_values(const AprAccess& access, std::span<const float> particles,
                     std::span<const float> tree, const AprAccess& coarse, std::span<float> out);

/// Adds values on coarser(access) to those particles of access that are in both.
void add_shared(const AprAccess& access, const AprAccess& coarse, std::span<const float> values,
                std::span<float> out);

}  // namespace aprscope

#pragma once

#include <span>
#include <utility>

#include "core/apr/structure/access.hpp"
#include "core/topology/growth.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// How the level sets of particles grow, and their complements (`rest`); cells are particles in
/// their order. `places`: one a particle, below `levels`. See find_components() for the rest.
struct ParticleGrowth {
  Growth sets;
  Growth rest;
};
Result<ParticleGrowth> grow_particles(const AprAccess& access,
                                      std::span<const std::uint16_t> places, int levels,
                                      Construction construction, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/cells/particle_neighbours.hpp"

namespace aprscope {

/// Where water flows from a particle.
enum class ParticleWay : std::uint8_t {
  /// To a lower particle, or along a plateau to its border.
  on,
  /// Nowhere: a minimum, or part of one.
  minimum,
  /// On a plateau without a lower neighbour; with one that leads on.
  inner,
  border,
  /// +infinity: in no basin.
  none
};

/// Numbers times this are in another order: which of several comes first is chance.
inline constexpr std::uint32_t kOrderMixer = 0x9E3779B1U;

/// Leads particles of plateaus (ParticleWay::inner) to the lower border that is nearest over
/// centres of cells: they become ParticleWay::on, and `down` has the particle that each flows to.
/// What has no way out becomes ParticleWay::minimum, with the first particle of its plateau in
/// `down`. All spans have one entry a particle; `down` of the others is the particle itself.
/// Progress is that of the part from 0.4 to 0.75 of the whole job. Equal for any number of threads.
/// False: cancelled. Throws std::bad_alloc.
bool cross_particle_plateaus(const AprAccess& access, const ParticleNeighbours& near,
                             std::span<const float> heights, std::span<ParticleWay> ways,
                             std::span<std::uint32_t> down, const JobContext& context);

}  // namespace aprscope

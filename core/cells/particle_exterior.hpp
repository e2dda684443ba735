#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// All that is not in a membrane mask on particles: the exterior, which is connected to the outside
/// of the image, and lumens, which are not.
struct ParticleWater {
  static constexpr std::uint32_t kExterior = std::numeric_limits<std::uint32_t>::max();

  /// Number of the lumen of each particle, from 1 on in the order of the first pixel (z, x, y); 0:
  /// membrane; kExterior: exterior.
  std::vector<std::uint32_t> values;
  /// Pixels of each lumen at its number, of the membrane at 0, and of the exterior.
  std::vector<std::uint64_t> pixels;
  std::uint64_t exterior_pixels = 0;

  [[nodiscard]] std::uint32_t lumens() const {
    return static_cast<std::uint32_t>(pixels.size() - 1);
  }
};

/// Fills the image from outside through particles whose `mask` is 0. The outside touches each
/// particle whose cell, clipped to the image, lies at the border; an image of one slice has no
/// border along z. `connectivity` is that of the water: where membranes hold with 26 neighbours, 6.
/// Equal to filling the pixels of the constant reconstruction, voxel for voxel. Memory, threads and
/// errors as for label_particles().
Result<ParticleWater> fill_particles(const AprAccess& access, std::span<const std::uint8_t> mask,
                                     Connectivity connectivity, const JobContext& context = {});

/// Cells: the connected components of all that is not exterior, membrane included.
Result<Labels> cells_of(const AprAccess& access, const ParticleWater& water,
                        Connectivity connectivity, const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/particle_region.hpp"

namespace aprscope {

/// A particle of a row of cells.
struct ParticleCell {
  CellRow row;
  std::uint64_t index = 0;
};

/// The particles of the background (label 0) that are connected across faces with the one at pixel
/// `from`, in any order: the pixels of their cells are those that a flood of the pixels reaches.
/// `labels`: one a particle. Takes a bit a particle. Errors: the background reaches the border of
/// the image, cancelled. Throws std::bad_alloc.
Result<std::vector<ParticleCell>> enclosed_background(const AprAccess& access,
                                                      std::span<const std::uint32_t> labels,
                                                      const Index3& from,
                                                      const JobContext& context = {});

}  // namespace aprscope

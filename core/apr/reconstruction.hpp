#pragma once

#include <span>

#include "core/apr/access.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// How pixels follow from particles: constant = the particle's value in its whole cell; smooth =
/// interpolated between neighbouring particles; level = the level of the particle as a value.
enum class ReconstructionMode { constant, smooth, level };

/// A box of pixels [begin, end) in each dimension.
struct Region {
  Index3 begin{0, 0, 0};
  Index3 end{0, 0, 0};
  [[nodiscard]] Size3 size() const { return {end.z - begin.z, end.x - begin.x, end.y - begin.y}; }
};
/// The region of the whole image.
Region whole(const Size3& size);

/// Pixels of `region` in full resolution. `values`: one a particle (ignored for level). Errors:
/// cancelled; not enough memory (with the sizes).
Result<Pixels<float>> reconstruct(const AprAccess& access, std::span<const float> values,
                                  ReconstructionMode mode, const Region& region,
                                  const JobContext& context = {});

/// The image at `level`, size access.particles().grid(level): particles of that level and coarser
/// ones constant, finer ones through `tree` (values of the tree, see fill_tree).
Result<Pixels<float>> reconstruct_at_level(const AprAccess& access, std::span<const float> values,
                                           std::span<const float> tree, int level,
                                           const JobContext& context = {});

}  // namespace aprscope

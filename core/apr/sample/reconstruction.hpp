#pragma once

#include <span>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/image/region.hpp"

namespace aprscope {

/// How pixels follow from particles.
///
/// constant: the particle's value in its whole cell. level: the level of the particle as a value.
///
/// smooth: let l be the level of the particle whose cell holds the pixel. The value is the
/// trilinear interpolation, at the pixel's centre, of the isotropic grid of level l, whose cells
/// hold the particle that coincides with or contains them, else the mean of the tree; values lie at
/// the centres of cells, the outermost repeat beyond the edge of the image. Hence a pixel-sized
/// particle keeps its value, a fully refined APR gives its pixels, constant areas stay exactly
/// constant, and no value leaves the range of those around it. It needs only the neighbouring
/// cells, so that a slice or region has the same bits as that part of the whole.
enum class ReconstructionMode { constant, smooth, level };

/// Pixels of `region` in full resolution. `values`: one a particle (ignored for level). Errors:
/// cancelled; not enough memory (with the sizes).
Result<Pixels<float>> reconstruct(const AprAccess& access, std::span<const float> values,
                                  ReconstructionMode mode, const Region& region,
                                  const JobContext& context = {});

/// The same with the tree means at hand (fill_tree with Reduction::mean), which smooth needs;
/// spares filling the tree at each call. `tree` may be empty for the other modes.
Result<Pixels<float>> reconstruct(const AprAccess& access, std::span<const float> values,
                                  std::span<const float> tree, ReconstructionMode mode,
                                  const Region& region, const JobContext& context = {});

/// The image at `level`, size access.particles().grid(level): particles of that level and coarser
/// ones constant, finer ones through `tree` (values of the tree, see fill_tree).
Result<Pixels<float>> reconstruct_at_level(const AprAccess& access, std::span<const float> values,
                                           std::span<const float> tree, int level,
                                           const JobContext& context = {});

}  // namespace aprscope

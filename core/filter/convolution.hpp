#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/filter/filter_input.hpp"
#include "core/filter/stencil_pyramid.hpp"

namespace aprscope {

/// Correlates at every particle: the neighbourhood is the isotropic patch at the particle's level
/// (a coarser particle gives its value to all cells it covers, finer ones their tree mean). Only
/// particles whose cells intersect `region` are computed and written to `out` (one value a particle
/// of the whole APR); the others are left as they were. So a preview computes just the visible
/// slices, with the bits of the full run. Errors: cancelled.
Status convolve(const FilterInput& input, const StencilPyramid& stencils, Boundary boundary,
                const Region& region, std::span<float> out, const JobContext& context = {});

/// Correlates at all particles and fills the tree with their means on the way: the bits of
/// fill_tree (Reduction::mean) and convolve, in less time, because the finest level is read once.
/// `tree` has room for one value a cell of access.tree(); after an error it holds no tree. Errors:
/// lengths, no memory, cancelled.
Status convolve_with_tree(const AprAccess& access, std::span<const float> particles,
                          const StencilPyramid& stencils, Boundary boundary, std::span<float> tree,
                          std::span<float> out, const JobContext& context = {});

/// The box of a local statistic: odd sizes, and what becomes of them on coarser levels. same: as
/// many cells of each level. restricted: as wide in pixels, rounded to the nearest odd number of
/// cells, at least the particle's own (statistic_size()); the mean's is restrict_stencil()'s, which
/// weighs cells by their part in the box.
struct StatisticBox {
  Size3 size{1, 1, 1};
  StencilMode mode = StencilMode::same;
  /// Levels that the image has below the finest one of the particles: of a coarse part of it.
  int finer_levels = 0;
  StatisticBox(const Size3& n) : size(n) {}  // NOLINT(google-explicit-constructor): a plain size
  StatisticBox(const Size3& n, StencilMode m) : size(n), mode(m) {}
};

/// Cells, on a level so many above the finest, of a box of n pixels.
Size3 statistic_size(const StatisticBox& box, int delta_level);

/// Local statistic over a box (outside the image: reflect, or only with `zero` the value 0).
/// Errors: a size that is not odd, StencilMode::rescaled, those of convolve().
Status local_statistic(const FilterInput& input, LocalStatistic statistic, const StatisticBox& box,
                       Boundary boundary, const Region& region, std::span<float> out,
                       const JobContext& context = {});

/// sqrt(g_z² + g_x² + g_y²) of three correlations (a dimension of one pixel is left out).
Status gradient_magnitude(const FilterInput& input, const std::vector<StencilPyramid>& components,
                          Boundary boundary, const Region& region, std::span<float> out,
                          const JobContext& context = {});

}  // namespace aprscope

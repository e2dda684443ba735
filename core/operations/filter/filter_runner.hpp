#pragma once

#include <span>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/filter/convolution.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// What a filter operation comes down to on data of one voxel size and extent: a convolution, the
/// magnitude of three, or a local statistic.
struct FilterPlan {
  enum class Kind { convolution, gradient_magnitude, statistic } kind = Kind::convolution;
  std::vector<Stencil> stencils;
  StencilMode mode = StencilMode::same;  // of statistics: StatisticBox
  bool normalize = false;
  Boundary boundary = Boundary::reflect;
  LocalStatistic statistic = LocalStatistic::mean;
  Size3 size{1, 1, 1};
};

/// True for everything but convert, reconstruct and deconvolve.
bool is_filter(const Operation& operation);

/// Errors: those of stencils_of().
Result<FilterPlan> plan_filter(const Operation& complete_operation, const VoxelSize& voxel,
                               const Size3& size);

/// The stencils of each level that a plan applies; one pyramid a stencil.
Result<std::vector<StencilPyramid>> pyramids_of(const FilterPlan& plan, int level_max);

/// Runs a plan on the main field of an APR (`out`: one value a particle) or on a pixel image
/// (`out`: one value a pixel); writes inside `region` only. Errors: cancelled, out of memory.
Status run_filter(const FilterPlan& plan, const Dataset& input, const Region& region,
                  std::vector<float>& out, const JobContext& context);

}  // namespace aprscope

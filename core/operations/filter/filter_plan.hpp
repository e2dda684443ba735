#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/dataset/dataset.hpp"
#include "core/filter/convolution.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// What a filter operation means for data of one voxel size and extent: a convolution, the
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

/// The part that makes an operation a filter: engines of all devices get their plan from it.
class FilterPart : public FamilyPart {
 public:
  using MakePlan = std::function<Result<FilterPlan>(const Operation& complete,
                                                    const VoxelSize& voxel, const Size3& size)>;
  using MakeStencils = std::function<Result<std::vector<Stencil>>(
      const Operation& complete, const VoxelSize& voxel, const Size3& size)>;

  /// A convolution with a stencil at the finest level; of several stencils the magnitude.
  static std::shared_ptr<const FilterPart> convolution(MakeStencils stencils);
  /// A filter with any other plan.
  static std::shared_ptr<const FilterPart> other(MakePlan plan);

  [[nodiscard]] Result<FilterPlan> plan(const Operation& complete, const VoxelSize& voxel,
                                        const Size3& size) const {
    return plan_(complete, voxel, size);
  }
  /// Makes the stencils; empty: the filter is no convolution.
  [[nodiscard]] const MakeStencils& stencils() const { return stencils_; }

 private:
  MakePlan plan_;
  MakeStencils stencils_;
};

/// A filter operation; engines need to know only its part. It has boundary and, where it convolves,
/// mode and normalize.
OperationType filter_operation(OperationSchema schema, std::shared_ptr<const FilterPart> part);

/// The filter part of an operation; null where it is no filter.
const FilterPart* filter_part(const Operation& operation);
/// Whether an operation is one.
bool is_filter(const Operation& operation);

/// The plan of a complete filter. Errors: those of stencils_of().
Result<FilterPlan> plan_filter(const Operation& complete, const VoxelSize& voxel,
                               const Size3& size);

/// The stencil that a convolving operation applies at the finest level, in pixels of an image with
/// this voxel size (sigmas given in physical units are divided by it). Error: not a convolution.
/// For gradient: one stencil a component.
Result<std::vector<Stencil>> stencils_of(const Operation& operation, const VoxelSize& voxel,
                                         const Size3& size);

/// The stencils of each level that a plan applies; one pyramid a stencil.
Result<std::vector<StencilPyramid>> pyramids_of(const FilterPlan& plan, int level_max);

/// Runs a plan on the main field of an APR (`out`: one value a particle) or on a pixel image
/// (`out`: one value a pixel); writes inside `region` only. Errors: cancelled, out of memory.
Status run_filter(const FilterPlan& plan, const Dataset& input, const Region& region,
                  std::vector<float>& out, const JobContext& context);

}  // namespace aprscope

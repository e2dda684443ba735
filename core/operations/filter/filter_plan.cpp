#include "core/operations/filter/filter_plan.hpp"

#include <cmath>
#include <utility>

#include "core/filter/pixel_filter.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/filter/filter_words.hpp"

namespace aprscope {
namespace {

// The first filter of its data: the means of the tree are filled on the way, and kept.
Status convolve_first(const FilterPlan& plan, const Dataset& input, std::vector<float>& out,
                      const JobContext& context) {
  const AprAccess& access = *input.apr().access;
  const auto pyramids = pyramids_of(plan, access.level_max());
  if (!pyramids) return pyramids.error();
  std::vector<float> tree(access.tree().count());
  Status done = convolve_with_tree(access, input.values().particles(), pyramids->front(),
                                   plan.boundary, tree, out, context);
  if (done) input.values().keep_tree_mean(std::move(tree));
  return done;
}

Status on_particles(const FilterPlan& plan, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) {
  const AprAccess& access = *input.apr().access;
  if (plan.kind == FilterPlan::Kind::convolution && !input.values().has_tree_mean() &&
      region.size() == access.size()) {
    return convolve_first(plan, input, out, context);
  }
  const FilterInput native{&access, input.values().particles(), input.values().tree_mean()};
  if (context.stop_requested()) return cancelled_error();
  if (plan.kind == FilterPlan::Kind::statistic) {
    return local_statistic(native, plan.statistic, {plan.size, plan.mode}, plan.boundary, region,
                           out, context);
  }
  const auto pyramids = pyramids_of(plan, access.level_max());
  if (!pyramids) return pyramids.error();
  if (plan.kind == FilterPlan::Kind::gradient_magnitude) {
    return gradient_magnitude(native, *pyramids, plan.boundary, region, out, context);
  }
  return convolve(native, pyramids->front(), plan.boundary, region, out, context);
}

Status on_pixels(const FilterPlan& plan, const Dataset& input, const Region& region,
                 Pixels<float>& out, const JobContext& context) {
  const Pixels<float>& pixels = input.values().pixels();
  if (context.stop_requested()) return cancelled_error();
  if (plan.kind == FilterPlan::Kind::statistic) {
    return local_statistic_pixels(pixels, plan.statistic, plan.size, plan.boundary, region, out,
                                  context);
  }
  // Pixels are the finest level of a pyramid; what that does to the stencil holds here too.
  const auto pyramids = pyramids_of(plan, 1);
  if (!pyramids) return pyramids.error();
  std::vector<Stencil> stencils;
  for (const StencilPyramid& pyramid : *pyramids) stencils.push_back(pyramid.at(1));
  if (plan.kind == FilterPlan::Kind::gradient_magnitude) {
    return gradient_magnitude_pixels(pixels, stencils, plan.boundary, region, out, context);
  }
  return convolve_pixels(pixels, stencils.front(), plan.boundary, region, out, context);
}

}  // namespace

std::shared_ptr<const FilterPart> FilterPart::convolution(MakeStencils stencils) {
  auto part = std::make_shared<FilterPart>();
  part->stencils_ = std::move(stencils);
  part->plan_ = [](const Operation& op, const VoxelSize& voxel,
                   const Size3& size) -> Result<FilterPlan> {
    auto made = stencils_of(op, voxel, size);
    if (!made) return made.error();
    FilterPlan plan;
    plan.boundary = schema::value_of(kBoundaries, parameter<std::string>(op, "boundary"));
    plan.stencils = *std::move(made);
    plan.mode = schema::value_of(kStencilModes, parameter<std::string>(op, "mode"));
    plan.normalize = parameter<bool>(op, "normalize");
    if (plan.stencils.size() > 1) plan.kind = FilterPlan::Kind::gradient_magnitude;
    return plan;
  };
  return part;
}

std::shared_ptr<const FilterPart> FilterPart::other(MakePlan plan) {
  auto part = std::make_shared<FilterPart>();
  part->plan_ = std::move(plan);
  return part;
}

const FilterPart* filter_part(const Operation& operation) {
  const OperationType* type = operations().find(operation.id);
  return type != nullptr ? dynamic_cast<const FilterPart*>(type->part.get()) : nullptr;
}

bool is_filter(const Operation& operation) { return filter_part(operation) != nullptr; }

Result<FilterPlan> plan_filter(const Operation& complete, const VoxelSize& voxel,
                               const Size3& size) {
  const FilterPart* part = filter_part(complete);
  if (part == nullptr) return Error{complete.id + " is not a filter", "", "choose a filter"};
  return part->plan(complete, voxel, size);
}

Result<std::vector<Stencil>> stencils_of(const Operation& operation, const VoxelSize& voxel,
                                         const Size3& size) {
  const auto whole = complete(operation);
  if (!whole) return whole.error();
  for (const double d : {voxel.z, voxel.x, voxel.y}) {
    if (!(d > 0.0) || !std::isfinite(d)) {
      return Error{"the voxel size is not positive", whole->id, "set the voxel size of the image"};
    }
  }
  const FilterPart* part = filter_part(*whole);
  if (part == nullptr || !part->stencils()) {
    return Error{whole->id + " is not a convolution", "", "choose a filter with a stencil"};
  }
  return part->stencils()(*whole, voxel, size);
}

Result<std::vector<StencilPyramid>> pyramids_of(const FilterPlan& plan, int level_max) {
  std::vector<StencilPyramid> pyramids;
  for (const Stencil& stencil : plan.stencils) {
    auto pyramid = StencilPyramid::create(stencil, plan.mode, plan.normalize, level_max);
    if (!pyramid) return pyramid.error();
    pyramids.push_back(*std::move(pyramid));
  }
  return pyramids;
}

Status run_filter(const FilterPlan& plan, const Dataset& input, const Region& region,
                  std::vector<float>& out, const JobContext& context) {
  if (input.is_apr()) return on_particles(plan, input, region, out, context);
  Pixels<float> pixels;
  pixels.size = input.size();
  pixels.values = std::move(out);
  Status done = on_pixels(plan, input, region, pixels, context);
  out = std::move(pixels.values);
  return done;
}

}  // namespace aprscope

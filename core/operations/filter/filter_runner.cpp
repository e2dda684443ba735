#include "core/operations/filter/filter_runner.hpp"

#include <utility>

#include "core/filter/pixel_filter.hpp"

namespace aprscope {
namespace {

LocalStatistic statistic_of(const std::string& id) {
  if (id == "standard_deviation") return LocalStatistic::standard_deviation;
  if (id == "median") return LocalStatistic::median;
  if (id == "min") return LocalStatistic::min;
  if (id == "max") return LocalStatistic::max;
  return LocalStatistic::mean;
}

StencilMode mode_of(const std::string& word) {
  if (word == "restricted") return StencilMode::restricted;
  return word == "rescaled" ? StencilMode::rescaled : StencilMode::same;
}

// The first filter of its data: the means of the tree are filled on the way, and kept.
Status convolve_first(const FilterPlan& plan, const Dataset& input, std::vector<float>& out,
                      const JobContext& context) {
  const AprAccess& access = *input.apr().access;
  const auto pyramids = pyramids_of(plan, access.level_max());
  if (!pyramids) return pyramids.error();
  std::vector<float> tree(access.tree().count());
  Status done = convolve_with_tree(access, input.particle_values(), pyramids->front(),
                                   plan.boundary, tree, out, context);
  if (done) input.keep_tree_mean(std::move(tree));
  return done;
}

Status on_particles(const FilterPlan& plan, const Dataset& input, const Region& region,
                    std::vector<float>& out, const JobContext& context) {
  const AprAccess& access = *input.apr().access;
  if (plan.kind == FilterPlan::Kind::convolution && !input.has_tree_mean() &&
      region.size() == access.size()) {
    return convolve_first(plan, input, out, context);
  }
  const FilterInput native{&access, input.particle_values(), input.tree_mean()};
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
  const Pixels<float>& pixels = input.pixels_f32();
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

bool is_filter(const Operation& operation) {
  const OperationSchema* schema = find_schema(operation.id);
  return schema != nullptr && schema->group != "Convert" && schema->group != "Deconvolve";
}

Result<FilterPlan> plan_filter(const Operation& operation, const VoxelSize& voxel,
                               const Size3& size) {
  FilterPlan plan;
  plan.boundary =
      parameter<std::string>(operation, "boundary") == "zero" ? Boundary::zero : Boundary::reflect;
  if (find_schema(operation.id)->group == "Statistics") {
    plan.kind = FilterPlan::Kind::statistic;
    plan.statistic = statistic_of(operation.id);
    plan.mode = mode_of(parameter<std::string>(operation, "mode"));
    const auto& n = parameter<std::array<double, 3>>(operation, "size");
    const auto fit = [](double wanted, std::int64_t pixels) {
      return pixels <= 1 ? std::int64_t{1} : static_cast<std::int64_t>(wanted);
    };
    plan.size = {fit(n[0], size.z), fit(n[1], size.x), fit(n[2], size.y)};
    return plan;
  }
  auto stencils = stencils_of(operation, voxel, size);
  if (!stencils) return stencils.error();
  plan.stencils = *std::move(stencils);
  plan.mode = mode_of(parameter<std::string>(operation, "mode"));
  plan.normalize = parameter<bool>(operation, "normalize");
  if (plan.stencils.size() > 1) plan.kind = FilterPlan::Kind::gradient_magnitude;
  return plan;
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

#include "core/filter/convolution.hpp"

#include <memory>
#include <string>

#include "core/apr/structure/tree.hpp"
#include "core/filter/particle_source.hpp"
#include "core/filter/sweep.hpp"

namespace aprscope {
namespace {

using detail::SweepFilter;
using detail::SweepLevel;

// One filter a level (index = level).
using LevelFilters = std::vector<std::unique_ptr<SweepFilter>>;

// The cells of a level that a region of pixels touches.
Region cells_of(const Region& region, int shift) {
  return {{region.begin.z >> shift, region.begin.x >> shift, region.begin.y >> shift},
          {((region.end.z - 1) >> shift) + 1, ((region.end.x - 1) >> shift) + 1,
           ((region.end.y - 1) >> shift) + 1}};
}

Status check_input(const FilterInput& input, const Region& region, std::span<const float> out) {
  const AprAccess& access = *input.access;
  const Size3& n = access.size();
  const bool inside = region.begin.z >= 0 && region.begin.x >= 0 && region.begin.y >= 0 &&
                      region.end.z <= n.z && region.end.x <= n.x && region.end.y <= n.y;
  if (!inside) return Error{"the region reaches out of the image", "filter", "choose one inside"};
  if (input.particles.size() != access.count() || out.size() != access.count() ||
      input.tree.size() != access.tree().count()) {
    return Error{"there is not one value a particle", "filter", "use values of the same structure"};
  }
  return {};
}

Status run_levels(const FilterInput& input, const LevelFilters& filters, Boundary boundary,
                  const Region& region, std::span<float> out, const JobContext& context) {
  if (Status ok = check_input(input, region, out); !ok) return ok;
  const Size3 extent = region.size();
  if (extent.z <= 0 || extent.x <= 0 || extent.y <= 0) return {};
  std::vector<SweepLevel> levels;
  // Fine levels first: they hold most of the work.
  const AprAccess& access = *input.access;
  for (int l = access.level_max(); l >= access.level_min_used(); --l) {
    if (access.particles().level(l).empty()) continue;
    levels.push_back({l, access.particles().grid(l), cells_of(region, access.level_max() - l),
                      filters[static_cast<std::size_t>(l)].get()});
  }
  return detail::sweep(
      levels, [&] { return std::make_unique<detail::ParticleSource>(input, out); }, boundary,
      context);
}

Status check_levels(const StencilPyramid& stencils, const AprAccess& access) {
  if (stencils.level_max() == access.level_max()) return {};
  return Error{"the stencils end at level " + std::to_string(stencils.level_max()) +
                   ", the particles at " + std::to_string(access.level_max()),
               "filter", "build the pyramid for this APR"};
}

}  // namespace

Status convolve(const FilterInput& input, const StencilPyramid& stencils, Boundary boundary,
                const Region& region, std::span<float> out, const JobContext& context) {
  if (Status ok = check_levels(stencils, *input.access); !ok) return ok;
  LevelFilters filters;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    filters.push_back(detail::make_correlation(stencils.at(l)));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

Status convolve_with_tree(const AprAccess& access, std::span<const float> particles,
                          const StencilPyramid& stencils, Boundary boundary, std::span<float> tree,
                          std::span<float> out, const JobContext& context) {
  const FilterInput input{&access, particles, tree};
  if (Status ok = check_levels(stencils, access); !ok) return ok;
  if (Status ok = check_input(input, whole(access.size()), out); !ok) return ok;
  // The finest level needs no tree.
  const int finest = access.level_max();
  std::vector<SweepLevel> first;
  std::vector<SweepLevel> others;
  LevelFilters filters;
  for (int l = finest; l >= access.level_min_used(); --l) {
    if (access.particles().level(l).empty()) continue;
    filters.push_back(detail::make_correlation(stencils.at(l)));
    const Size3& grid = access.particles().grid(l);
    (l == finest ? first : others).push_back({l, grid, {{0, 0, 0}, grid}, filters.back().get()});
  }
  const auto run = [&](const std::vector<SweepLevel>& levels, std::span<float> means,
                       const JobContext& part) {
    return detail::sweep(
        levels, [&] { return std::make_unique<detail::ParticleSource>(input, out, means); },
        boundary, part);
  };
  if (Status done = run(first, tree, context.part(0.0, 0.7)); !done) return done;
  if (Status done = finish_tree(access, particles, tree, context); !done) return done;
  return run(others, {}, context.part(0.7, 1.0));
}

Size3 statistic_size(const StatisticBox& box, int delta_level) {
  if (box.mode != StencilMode::restricted || delta_level <= 0) return box.size;
  // The odd number nearest to n / 2^delta_level; the shift is safe as no size is above 2^40.
  const int shift = std::min(delta_level, 40) + 1;
  const auto cells = [shift](std::int64_t n) { return 2 * (n >> shift) + 1; };
  return {cells(box.size.z), cells(box.size.x), cells(box.size.y)};
}

Status local_statistic(const FilterInput& input, LocalStatistic statistic, const StatisticBox& box,
                       Boundary boundary, const Region& region, std::span<float> out,
                       const JobContext& context) {
  const Size3& size = box.size;
  if (box.mode == StencilMode::rescaled) {
    return Error{"a local statistic has no weights to rescale", "filter",
                 "use the mode same or restricted"};
  }
  if (size.z < 1 || size.x < 1 || size.y < 1 || size.z % 2 == 0 || size.x % 2 == 0 ||
      size.y % 2 == 0) {
    return Error{"the size of the neighbourhood is not odd", "filter", "use odd sizes"};
  }
  LevelFilters filters;
  const int finest = input.access->level_max() + box.finer_levels;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    const bool weighed = statistic == LocalStatistic::mean && box.mode == StencilMode::restricted;
    filters.push_back(
        weighed ? detail::make_correlation(restrict_stencil(wide_box_stencil(size), finest - l))
                : detail::make_statistic(statistic, statistic_size(box, finest - l)));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

Status gradient_magnitude(const FilterInput& input, const std::vector<StencilPyramid>& components,
                          Boundary boundary, const Region& region, std::span<float> out,
                          const JobContext& context) {
  for (const StencilPyramid& c : components) {
    if (Status ok = check_levels(c, *input.access); !ok) return ok;
  }
  LevelFilters filters;
  for (int l = 0; l <= input.access->level_max(); ++l) {
    std::vector<Stencil> stencils;
    for (const StencilPyramid& c : components) stencils.push_back(c.at(l));
    filters.push_back(detail::make_magnitude(stencils));
  }
  return run_levels(input, filters, boundary, region, out, context);
}

}  // namespace aprscope

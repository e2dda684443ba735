#include "core/filter/repeated_filter.hpp"

#include <new>
#include <string>
#include <vector>

#include "core/filter/particle_source.hpp"
#include "core/filter/pixel_source.hpp"
#include "core/filter/sweep.hpp"

namespace aprscope {
namespace {

using detail::ParticleSource;
using detail::PixelSource;
using detail::Sweeper;
using detail::SweepFilter;
using detail::SweepLevel;
using LevelFilters = std::vector<std::unique_ptr<SweepFilter>>;

Error no_memory() {
  return {"not enough memory for the neighbourhoods of this filter", "filter",
          "use a smaller stencil or fewer threads, or close other data"};
}

class OnParticles final : public ParticleFilter {
 public:
  OnParticles(std::shared_ptr<const AprAccess> access, LevelFilters filters, Boundary boundary,
              const std::optional<SliceSpan>& slices)
      : access_(std::move(access)), filters_(std::move(filters)), boundary_(boundary) {
    std::vector<SweepLevel> levels;
    // Fine levels first: they hold most of the work.
    for (int l = access_->level_max(); l >= access_->level_min_used(); --l) {
      if (access_->particles().level(l).empty()) continue;
      const Size3& grid = access_->particles().grid(l);
      SliceSpan planes{0, grid.z};
      if (slices) planes = slices->of_cells(access_->level_max() - l);
      if (planes.empty()) continue;
      levels.push_back({l,
                        grid,
                        {{planes.begin, 0, 0}, {planes.end, grid.x, grid.y}},
                        filters_[static_cast<std::size_t>(l)].get()});
    }
    const FilterInput none{access_.get(), {}, {}};
    sweeper_ = std::make_unique<Sweeper>(
        levels, [&] { return std::make_unique<ParticleSource>(none, std::span<float>{}); });
  }

  Status apply(std::span<const float> particles, std::span<const float> tree, std::span<float> out,
               const JobContext& context) override {
    if (particles.size() != access_->count() || out.size() != access_->count() ||
        tree.size() != access_->tree().count()) {
      return Error{"there is not one value a particle", "filter",
                   "use values of the same structure"};
    }
    for (const auto& source : sweeper_->sources()) {
      static_cast<ParticleSource&>(*source).bind({access_.get(), particles, tree}, out);
    }
    return sweeper_->run(boundary_, context);
  }

  std::uint64_t bytes() const override { return sweeper_->bytes(); }

 private:
  std::shared_ptr<const AprAccess> access_;
  LevelFilters filters_;
  Boundary boundary_;
  std::unique_ptr<Sweeper> sweeper_;
};

class OnPixels final : public PixelFilter {
 public:
  OnPixels(const Size3& size, std::unique_ptr<SweepFilter> filter, Boundary boundary)
      : input_(size), output_(size), filter_(std::move(filter)), boundary_(boundary) {
    const SweepLevel level{0, size, {{0, 0, 0}, size}, filter_.get()};
    sweeper_ = std::make_unique<Sweeper>(
        std::vector{level}, [&] { return std::make_unique<PixelSource>(input_, output_); });
  }

  std::span<float> input() override { return input_.values; }
  std::span<const float> output() const override { return output_.values; }
  Status apply(const JobContext& context) override { return sweeper_->run(boundary_, context); }
  std::uint64_t bytes() const override {
    return sweeper_->bytes() + 2 * input_.values.size() * sizeof(float);
  }

 private:
  Pixels<float> input_;
  Pixels<float> output_;
  std::unique_ptr<SweepFilter> filter_;
  Boundary boundary_;
  std::unique_ptr<Sweeper> sweeper_;
};

template <class MakeFilter>
Result<std::unique_ptr<ParticleFilter>> on_particles(std::shared_ptr<const AprAccess> access,
                                                     Boundary boundary,
                                                     const std::optional<SliceSpan>& slices,
                                                     const MakeFilter& make) {
  try {
    LevelFilters filters;
    for (int l = 0; l <= access->level_max(); ++l) filters.push_back(make(l));
    return std::unique_ptr<ParticleFilter>(
        std::make_unique<OnParticles>(std::move(access), std::move(filters), boundary, slices));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace

Result<std::unique_ptr<ParticleFilter>> repeated_convolution(
    std::shared_ptr<const AprAccess> access, const StencilPyramid& stencils, Boundary boundary,
    std::optional<SliceSpan> slices) {
  if (stencils.level_max() != access->level_max()) {
    return Error{"the stencils end at level " + std::to_string(stencils.level_max()) +
                     ", the particles at " + std::to_string(access->level_max()),
                 "filter", "build the pyramid for this APR"};
  }
  return on_particles(std::move(access), boundary, slices,
                      [&](int l) { return detail::make_correlation(stencils.at(l)); });
}

Result<std::unique_ptr<ParticleFilter>> repeated_variation(std::shared_ptr<const AprAccess> access,
                                                           const float* edge, Boundary boundary,
                                                           std::optional<SliceSpan> slices,
                                                           int finer_levels) {
  const int finest = access->level_max() + finer_levels;
  return on_particles(std::move(access), boundary, slices, [&](int l) {
    return detail::make_variation(static_cast<double>(std::int64_t{1} << (finest - l)), edge);
  });
}

Result<std::unique_ptr<PixelFilter>> repeated_convolution(const Size3& size, const Stencil& stencil,
                                                          Boundary boundary) {
  if (Status ok = check(stencil); !ok) return ok.error();
  try {
    return std::unique_ptr<PixelFilter>(
        std::make_unique<OnPixels>(size, detail::make_correlation(stencil), boundary));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Result<std::unique_ptr<PixelFilter>> repeated_variation(const Size3& size, const float* edge,
                                                        Boundary boundary) {
  try {
    return std::unique_ptr<PixelFilter>(
        std::make_unique<OnPixels>(size, detail::make_variation(1.0, edge), boundary));
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace aprscope

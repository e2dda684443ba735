#include "core/operations/deconvolve/slab_sweeps.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/deconvolution/blur/parallel_copy.hpp"
#include "core/filter/repeated_filter.hpp"
#include "core/operations/filter/filter_reach.hpp"
#include "core/operations/filter/part_filter.hpp"

namespace aprscope {
namespace {

// The values that a file uses while this lives.
class UsedValues {
 public:
  UsedValues(AprFileSlabs& file, std::span<const float> values) : file_(file) {
    file_.use_values(values);
  }
  UsedValues(const UsedValues&) = delete;
  UsedValues& operator=(const UsedValues&) = delete;
  ~UsedValues() { file_.use_values({}); }

 private:
  AprFileSlabs& file_;
};

// Takes values into a list, and leaves the tree.
class ListSink final : public AprValueSink {
 public:
  explicit ListSink(std::span<float> list) : list_(list) {}
  Status put(std::uint64_t begin, std::span<const float> values) override {
    std::ranges::copy(values, list_.begin() + static_cast<std::ptrdiff_t>(begin));
    return {};
  }
  Status put_tree(std::uint64_t, std::span<const float>) override { return {}; }
  Status put_piece(bool, const VectorPiece&) override {
    return Error{"got packed values", "deconvolution", "report this: the program is wrong"};
  }

 private:
  std::span<float> list_;
};

FilterPlan plan_of(const Stencil& stencil, Boundary boundary) {
  FilterPlan plan;
  plan.stencils = {stencil};
  plan.mode = StencilMode::restricted;
  plan.boundary = boundary;
  return plan;
}

class SlabBlur final : public BlurModel {
 public:
  // `back` is none where the PSF is its own mirror image.
  SlabBlur(SlabSweeps& sweeps, const Stencil& psf, bool keeps_ones, PartFilter to,
           std::optional<PartFilter> back, std::vector<WeightRun> weights)
      : sweeps_(sweeps),
        keeps_ones_(keeps_ones),
        to_(std::move(to)),
        back_(std::move(back)),
        weights_(std::move(weights)),
        description_(describe_particle_blur(psf)) {}

  std::size_t count() const override { return sweeps_.file().count(); }
  std::span<const WeightRun> weights() const override { return weights_; }
  bool keeps_ones() const override { return keeps_ones_; }
  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return sweeps_.sweep(to_.work(), x, y, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return sweeps_.sweep(back_ ? back_->work() : to_.work(), x, y, context);
  }
  std::uint64_t bytes() const override { return weights_.size() * sizeof(WeightRun); }
  std::string description() const override { return description_; }

 private:
  SlabSweeps& sweeps_;
  bool keeps_ones_;
  PartFilter to_;
  std::optional<PartFilter> back_;
  std::vector<WeightRun> weights_;
  std::string description_;
};

// One cell on each side, whose distance grows with the level: in a part as in the whole.
class SlabRegulariser final : public Regulariser {
 public:
  SlabRegulariser(SlabSweeps& sweeps, Regularisation kind) : sweeps_(sweeps), kind_(kind) {}

  Status term(std::span<const float> x, float scale, std::span<float> out,
              const JobContext& context) override {
    const int finest = sweeps_.file().level_max();
    const float edge = variation_edge(scale);
    const FilterAprPart filter = [&](const AprPart& part, std::span<const float> tree,
                                     const Region& region, std::span<float> to,
                                     const JobContext& job) -> Status {
      const int finer = finest - part.level_shift - part.access->level_max();
      const SliceSpan slices{region.begin.z, region.end.z};
      auto made = kind_ == Regularisation::total_variation
                      ? repeated_variation(part.access, &edge, Boundary::reflect, slices, finer)
                      : repeated_laplacian(part.access, slices, finer);
      if (!made) return made.error();
      if (Status done = (*made)->apply(part.values, tree, to, job); !done) return done;
      if (kind_ == Regularisation::tikhonov_miller) copy_scaled(to, 1.0F / scale, to);
      return {};
    };
    return sweeps_.sweep(filter, x, out, context);
  }
  std::uint64_t bytes() const override { return 0; }

 private:
  SlabSweeps& sweeps_;
  Regularisation kind_;
};

}  // namespace

Status SlabSweeps::run(SlabWork work, std::span<const float> x, AprValueSink& sink,
                       const JobContext& context) {
  const UsedValues used(file_, x);
  const SlabFilter filter(file_, slabs_, std::move(work));
  double slabs = 0.0;
  Status done = filter.run(sink, JobContext(context.stop_token()), [&] {
    disk_.leave();
    if (progress_) progress_(++slabs / static_cast<double>(filter.count()));
  });
  disk_.leave();
  return done;
}

Status SlabSweeps::sweep(const FilterAprPart& filter, std::span<const float> x, std::span<float> y,
                         const JobContext& context) {
  ListSink sink(y);
  return run({filter, "", false, &room_, x}, x, sink, context);
}

Status SlabSweeps::put(std::span<const float> x, bool with_tree, AprValueSink& sink,
                       const JobContext& context) {
  const FilterAprPart copy = [](const AprPart& part, std::span<const float>, const Region&,
                                std::span<float> out, const JobContext&) {
    copy_scaled(part.values, 1.0F, out);
    return Status();
  };
  return run({copy, "", with_tree, &room_, x}, x, sink, context);
}

Result<std::unique_ptr<BlurModel>> make_slab_blur(SlabSweeps& sweeps, const Stencil& psf,
                                                  Boundary boundary,
                                                  std::vector<WeightRun> weights) {
  if (Status ok = check(psf); !ok) return ok.error();
  const int level_max = sweeps.file().level_max();
  const Stencil turned = flipped(psf);
  auto to = PartFilter::create(plan_of(turned, boundary), level_max);
  if (!to) return to.error();
  std::optional<PartFilter> back;
  if (turned.weights != psf.weights) {
    auto made = PartFilter::create(plan_of(psf, boundary), level_max);
    if (!made) return made.error();
    back = *std::move(made);
  }
  return std::unique_ptr<BlurModel>(
      std::make_unique<SlabBlur>(sweeps, psf, gives_one_for_one(psf, boundary), *std::move(to),
                                 std::move(back), std::move(weights)));
}

std::unique_ptr<Regulariser> make_slab_regulariser(SlabSweeps& sweeps, Regularisation kind) {
  if (kind == Regularisation::none) return nullptr;
  return std::make_unique<SlabRegulariser>(sweeps, kind);
}

std::int64_t slices_reached(const Stencil& psf, Boundary boundary, int level_max, int coarsest) {
  // Regularisers reach over one cell.
  const std::int64_t cell = std::int64_t{1} << (level_max - coarsest);
  return std::max(cell, slices_reached(plan_of(psf, boundary), level_max, coarsest));
}

}  // namespace aprscope

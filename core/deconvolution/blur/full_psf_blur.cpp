#include "core/deconvolution/blur/full_psf_blur.hpp"

#include <cmath>
#include <cstdio>
#include <new>
#include <utility>

#include "core/apr/structure/tree.hpp"
#include "core/deconvolution/blur/far_field.hpp"
#include "core/deconvolution/blur/near_part.hpp"
#include "core/deconvolution/blur/shared_filter.hpp"

namespace aprscope {
namespace {

class Scheme : public FullPsfBlur {
 public:
  Scheme(std::shared_ptr<const AprAccess> access, NearPart near, std::unique_ptr<FarField> far,
         FullPsfReport report, const FullPsfOptions& options, bool normalised)
      : access_(std::move(access)),
        near_(std::move(near)),
        far_(std::move(far)),
        report_(std::move(report)),
        boundary_(options.boundary),
        normalised_(normalised),
        shares_(options.shares),
        weights_(cell_volumes(*access_)),
        tree_(access_->tree().count()) {
    static_cast<void>(access_->interior());  // filters ask for it; made now
  }

  [[nodiscard]] std::size_t count() const override { return access_->count(); }
  [[nodiscard]] std::span<const WeightRun> weights() const override { return weights_; }
  Status forward(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, false, context);
  }
  Status adjoint(std::span<const float> x, std::span<float> y, const JobContext& context) override {
    return apply(x, y, true, context);
  }
  [[nodiscard]] bool keeps_ones() const override {
    return normalised_ && boundary_ == Boundary::reflect;
  }
  [[nodiscard]] std::uint64_t bytes() const override {
    return weights_.size() * sizeof(WeightRun) + tree_.size() * sizeof(float) + near_.bytes() +
           (far_ == nullptr ? 0 : far_->bytes());
  }
  [[nodiscard]] std::string description() const override {
    return describe(report_, far_ == nullptr ? std::string() : far_->description());
  }
  [[nodiscard]] const FullPsfReport& report() const override { return report_; }

 private:
  Status apply(std::span<const float> x, std::span<float> y, bool flip, const JobContext& context) {
    Status done = fill_tree(*access_, x, Reduction::mean, tree_, context);
    const FilterInput input{access_.get(), x, tree_};
    // Of several ranks each makes the near part of its own particles, and the far part of all.
    if (done) done = near_.apply(input, flip, y, context);
    if (done && far_ != nullptr) done = far_->add(input, flip, y, context);
    return shares_ ? shares_->share(done, y) : done;
  }

  std::shared_ptr<const AprAccess> access_;
  NearPart near_;
  std::unique_ptr<FarField> far_;
  FullPsfReport report_;
  Boundary boundary_;
  bool normalised_;
  std::shared_ptr<BlurShares> shares_;
  std::vector<WeightRun> weights_;
  std::vector<float> tree_;
};

Result<std::unique_ptr<FullPsfBlur>> make(std::shared_ptr<const AprAccess> access,
                                          const Stencil& psf, const FullPsfOptions& options) {
  auto parts = split_full_psf(psf, options);
  if (!parts) return parts.error();
  const auto& [kernels, report] = *parts;
  auto near =
      NearPart::create(access, kernels.near, options.boundary, own_slices(options.shares.get()));
  if (!near) return near.error();
  std::unique_ptr<FarField> far;
  if (kernels.has_far()) {
    const bool lean = options.lean && access->level_max() > 1;
    auto made =
        lean ? make_lean_far_field(access, kernels.far, middle_size(options), options.boundary)
             : make_dense_far_field(access, kernels.far, options.boundary);
    if (!made) return made.error();
    far = *std::move(made);
  }
  return std::unique_ptr<FullPsfBlur>(std::make_unique<Scheme>(
      std::move(access), *std::move(near), std::move(far), std::move(parts->report), options,
      std::abs(psf.sum() - 1.0) < 1e-6));
}

}  // namespace

std::string describe(const FullPsfReport& report, const std::string& far) {
  const Size3& n = report.near.near;
  std::string text = std::to_string(n.z) + " × " + std::to_string(n.x) + " × " +
                     std::to_string(n.y) + " near part";
  if (far.empty()) return text;
  char error[48];
  std::snprintf(error, sizeof(error), ", estimated error %.2g", report.near.rms);
  return text + " + " + far + error;
}

Result<FullPsfParts> split_full_psf(const Stencil& psf, const FullPsfOptions& options) {
  if (Status ok = check(psf); !ok) return ok.error();
  for (const int size : {options.near, options.middle}) {
    if (size < 0 || (size > 0 && size % 2 == 0)) {
      return Error{"the size of the near part is " + std::to_string(size), "full PSF",
                   "use an odd size, or 0 to have one chosen"};
    }
  }
  FullPsfParts out;
  FullPsfReport& report = out.report;
  if (options.near > 0) {
    report.tried = near_errors(psf, {options.near});
    report.near = report.tried.front();
  } else {
    report.near = choose_near(psf, options.tolerance, &report.tried);
  }
  const double sum = psf.sum();
  out.kernels = split(psf, report.near.near);
  report.near_weight = sum != 0.0 ? out.kernels.near.sum() / sum : 1.0;
  return out;
}

Result<std::unique_ptr<FullPsfBlur>> make_full_psf_blur(std::shared_ptr<const AprAccess> access,
                                                        const Stencil& psf,
                                                        const FullPsfOptions& options) {
  try {
    return make(std::move(access), psf, options);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory", "full PSF", "close other data first"};
  }
}

}  // namespace aprscope

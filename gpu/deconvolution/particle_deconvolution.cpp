#include "gpu/deconvolution/particle_deconvolution.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/deconvolution/blur/labels.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "gpu/deconvolution/far_field.hpp"
#include "gpu/octet/octet_kernel.hpp"
#include "gpu/octet/particle_filter.hpp"

namespace aprscope::gpu {
namespace {

// A Laplacian for each level, as the cells of coarser levels lie farther apart.
OctetConvolution laplacian(const OctetApr& apr) {
  std::vector<Stencil> stencils;
  const int level_max = apr.access().level_max();
  for (int l = 0; l <= level_max; ++l) {
    const double side = std::ldexp(1.0, level_max - l);
    stencils.push_back(laplacian_stencil({side, side, side}));
  }
  const auto pyramid = StencilPyramid::from_levels(std::move(stencils));
  if (!pyramid) throw Failure{pyramid.error()};
  return {apr, *pyramid, Boundary::reflect};
}

// A model of particles: a kernel on each level and, where the PSF is large, a far part.
class ParticleModel final : public DeviceModel {
 public:
  ParticleModel(std::shared_ptr<const OctetApr> apr, const Stencil& kernel, StencilMode mode,
                Boundary boundary, bool keeps_ones, Regularisation regularisation)
      : shared_apr_(std::move(apr)),
        apr_(*shared_apr_),
        kernel_(apr_, kernel, mode, boundary),
        keeps_ones_(keeps_ones) {
    if (regularisation == Regularisation::tikhonov_miller) laplacian_.emplace(laplacian(apr_));
  }

  [[nodiscard]] const OctetApr& apr() const { return apr_; }
  void set_far(std::unique_ptr<FarField> far) { far_ = std::move(far); }
  [[nodiscard]] const FarField* far() const { return far_.get(); }
  void set_description(std::string text) { description_ = std::move(text); }

  [[nodiscard]] DeviceValues make_values() const override { return apr_.make_values(); }
  [[nodiscard]] ValueSlots slots() const override {
    // Slots start at octet 1, as octet 0 stands for "none".
    return {apr_.view().info, 8, apr_.structure().slot_count()};
  }
  void upload(std::span<const float> from, const DeviceValues& to) const override {
    apr_.upload(from, to);
  }
  void download(const DeviceValues& from, std::span<float> to) const override {
    apr_.download(from, to);
  }
  [[nodiscard]] std::vector<float> weights() const override {
    std::vector<float> weights;
    weights.reserve(apr_.access().count());
    for (const WeightRun& run : cell_volumes(apr_.access())) {
      weights.resize(static_cast<std::size_t>(run.end), static_cast<float>(run.weight));
    }
    return weights;
  }

  void blur(const DeviceValues& in, bool flip, const DeviceValues& out) const override {
    kernel_.run(in, flip, out);
    if (far_) far_->add(in, flip, out);
  }
  [[nodiscard]] bool keeps_ones() const override { return keeps_ones_; }
  float term(const DeviceValues& point, float largest, const DeviceValues& out) const override {
    if (!laplacian_) {
      total_variation(apr_, std::max(kVariationEdge * largest, kSmallestVariationEdge), point, out);
      return 1.0F;
    }
    Target target;
    target.out = out.data();
    laplacian_->run(point, target);
    return 1.0F / largest;
  }
  [[nodiscard]] std::string description() const override { return description_; }

 private:
  std::shared_ptr<const OctetApr> shared_apr_;  // by the blur and the back projector
  const OctetApr& apr_;
  OctetKernel kernel_;
  bool keeps_ones_;
  std::optional<OctetConvolution> laplacian_;
  std::unique_ptr<FarField> far_;
  std::string description_;
};

std::unique_ptr<DeviceModel> full_model(const std::shared_ptr<const OctetApr>& apr,
                                        const FullPsfParts& parts, const FullPsfOptions& full,
                                        bool keeps_ones, Regularisation regularisation) {
  auto model = std::make_unique<ParticleModel>(apr, parts.kernels.near, StencilMode::restricted,
                                               full.boundary, keeps_ones, regularisation);
  if (parts.kernels.has_far()) {
    const Stencil& far = parts.kernels.far;
    model->set_far(full.lean
                       ? make_lean_far_field(model->apr(), far, middle_size(full), full.boundary)
                       : make_dense_far_field(model->apr(), far, full.boundary));
  }
  model->set_description(describe(
      parts.report, model->far() == nullptr ? std::string() : model->far()->description()));
  return model;
}

// A back projector with what is found out about it before the device has its turn.
struct SplitBack {
  const BackProjectorScheme* scheme = nullptr;
  std::optional<FullPsfParts> parts;
};

Result<SplitBack> split_back(const BackProjectorScheme* scheme) {
  SplitBack back{scheme, {}};
  if (scheme == nullptr || !scheme->full) return back;
  auto parts = split_full_psf(scheme->kernel, *scheme->full);
  if (!parts) return parts.error();
  back.parts = *std::move(parts);
  return back;
}

std::unique_ptr<DeviceModel> back_model(const std::shared_ptr<const OctetApr>& apr,
                                        const SplitBack& back, Boundary boundary) {
  if (back.scheme == nullptr) return nullptr;
  const bool keeps_ones = gives_one_for_one(back.scheme->kernel, boundary);
  if (back.parts) {
    return full_model(apr, *back.parts, *back.scheme->full, keeps_ones, Regularisation::none);
  }
  return std::make_unique<ParticleModel>(apr, back.scheme->kernel, StencilMode::restricted,
                                         boundary, keeps_ones, Regularisation::none);
}

std::uint64_t back_bytes(const AprAccess& access, const BackProjectorScheme* scheme,
                         Boundary boundary) {
  if (scheme == nullptr || !scheme->full) return 0;
  return particle_back_projector_bytes(access, scheme->kernel.size, scheme->full->lean, boundary);
}

Error no_memory_for_psf() { return {"not enough memory", "full PSF", "close other data first"}; }
Error no_coarser_level() {
  return {"the image is too small for a coarser level", "deconvolution", "use --device cpu"};
}

}  // namespace

Result<DeviceResult> deconvolve_particles(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    StencilMode mode, Boundary boundary, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context, const BackProjectorScheme* back) {
  if (mode == StencilMode::rescaled) {
    return Error{"a PSF is not a gradient", "deconvolution", "restrict it to coarser levels"};
  }
  if (back != nullptr && back->full && !can_have_far_part(*access, back->full->lean)) {
    return no_coarser_level();
  }
  try {
    const auto projector = split_back(back);
    if (!projector) return projector.error();
    const auto make = [&]() -> DeviceModels {
      check_device_memory(particle_deconvolution_bytes(*access, psf, boundary, options) +
                              back_bytes(*access, back, boundary),
                          "deconvolution", *device);
      const auto apr = std::make_shared<const OctetApr>(access, device);
      auto model = std::make_unique<ParticleModel>(
          apr, psf, mode, boundary, gives_one_for_one(psf, boundary), options.regularisation);
      model->set_description(extent_text(psf.size) + (separate(psf) ? ", separable" : "") +
                             ", on particles");
      return {std::move(model), back_model(apr, *projector, boundary)};
    };
    return iterate_on_device(*device, cell_volumes(*access), make, observed, options, given, hooks,
                             context);
  } catch (const std::bad_alloc&) {
    return no_memory_for_psf();
  }
}

Result<DeviceResult> deconvolve_particles_fully(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    const FullPsfOptions& full, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context, const BackProjectorScheme* back) {
  if (!can_have_far_part(*access, full.lean)) return no_coarser_level();
  try {
    const auto parts = split_full_psf(psf, full);
    if (!parts) return parts.error();
    const auto projector = split_back(back);
    if (!projector) return projector.error();
    const auto make = [&]() -> DeviceModels {
      check_device_memory(full_deconvolution_bytes(*access, psf, full, options) +
                              back_bytes(*access, back, full.boundary),
                          "deconvolution", *device);
      const auto apr = std::make_shared<const OctetApr>(access, device);
      auto model = full_model(apr, *parts, full, gives_one_for_one(psf, full.boundary),
                              options.regularisation);
      return {std::move(model), back_model(apr, *projector, full.boundary)};
    };
    return iterate_on_device(*device, cell_volumes(*access), make, observed, options, given, hooks,
                             context);
  } catch (const std::bad_alloc&) {
    return no_memory_for_psf();
  }
}

bool can_have_far_part(const AprAccess& access, bool lean) {
  return access.level_max() >= (lean ? 3 : 2);
}

std::uint64_t particle_back_projector_bytes(const AprAccess& access, const Size3& kernel, bool lean,
                                            Boundary boundary) {
  return std::max(far_field_bytes(access, kernel, false, lean, boundary),
                  far_field_bytes(access, kernel, true, lean, boundary));
}

std::uint64_t particle_deconvolution_bytes(const AprAccess& access, const Stencil& psf,
                                           Boundary boundary,
                                           const RichardsonLucyOptions& options) {
  // One buffer more than the iterations need, for the weights.
  return OctetApr::estimate_bytes(
      access, 1 + iteration_buffers(options, gives_one_for_one(psf, boundary), false));
}

std::uint64_t full_deconvolution_bytes(const AprAccess& access, const Stencil& psf,
                                       const FullPsfOptions& full,
                                       const RichardsonLucyOptions& options) {
  return particle_deconvolution_bytes(access, psf, full.boundary, options) +
         far_field_bytes(access, psf.size, is_even(psf), full.lean, full.boundary);
}

}  // namespace aprscope::gpu

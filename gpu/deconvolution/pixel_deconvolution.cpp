#include "gpu/deconvolution/pixel_deconvolution.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/deconvolution/blur/labels.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "gpu/deconvolution/grid_blur.hpp"
#include "gpu/octet/particle_filter.hpp"
#include "gpu/pixel/pixel_filter_plan.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kPixels = "pixels on the GPU";
bool about_faces(Boundary boundary, PixelBlurMethod method) {
  return boundary == Boundary::reflect && method == PixelBlurMethod::mirrored;
}
Beyond beyond_edge_pixels(Boundary boundary) {
  return boundary == Boundary::reflect ? Beyond::about_cell : Beyond::zero;
}

std::uint64_t count_of(const Size3& size) { return static_cast<std::uint64_t>(size.count()); }

class PixelModel : public DeviceModel {
 public:
  PixelModel(GpuDevice& device, const Size3& size, Boundary boundary, bool keeps_ones,
             Regularisation regularisation)
      : device_(device), size_(size), boundary_(boundary), keeps_ones_(keeps_ones) {
    if (regularisation == Regularisation::tikhonov_miller) {
      laplacian_.emplace(laplacian_stencil(), device);
    }
  }

  [[nodiscard]] DeviceValues make_values() const override {
    DeviceValues values(count_of(size_), kPixels, device_.main());
    values.zero();
    return values;
  }
  [[nodiscard]] ValueSlots slots() const override { return {nullptr, 0, count_of(size_)}; }
  void upload(std::span<const float> from, const DeviceValues& to) const override {
    device_.upload(from.data(), to.data(), from.size_bytes());
  }
  void download(const DeviceValues& from, std::span<float> to) const override {
    device_.download(from.data(), to.data(), to.size_bytes());
  }
  [[nodiscard]] bool keeps_ones() const override { return keeps_ones_; }

  float term(const DeviceValues& point, float largest, const DeviceValues& out) const override {
    // The regulariser reflects at borders, whatever the boundary of the blur is.
    PixelImage image = image_of(point);
    image.reflect = true;
    if (laplacian_) {
      laplacian_->run(image, out.data(), nullptr);
      return 1.0F / largest;
    }
    pixel_variation(image, std::max(kVariationEdge * largest, kSmallestVariationEdge), out.data(),
                    device_.main());
    return 1.0F;
  }

 protected:
  [[nodiscard]] PixelImage image_of(const DeviceValues& values) const {
    PixelImage image;
    image.values = values.data();
    image.size = {static_cast<int>(size_.z), static_cast<int>(size_.x), static_cast<int>(size_.y)};
    image.whole_z = image.size.z;
    image.reflect = boundary_ == Boundary::reflect;
    return image;
  }
  [[nodiscard]] GpuDevice& device() const { return device_; }

 private:
  GpuDevice& device_;
  Size3 size_;
  Boundary boundary_;
  bool keeps_ones_;
  std::optional<PixelCorrelation> laplacian_;  // 3³: one pass, no spare buffer
};

class FourierModel final : public PixelModel {
 public:
  FourierModel(GpuDevice& device, const Size3& size, const Stencil& psf, Boundary boundary,
               PixelBlurMethod method, Regularisation regularisation)
      : PixelModel(device, size, boundary, gives_one_for_one(psf, boundary), regularisation),
        extent_(extent_text(psf.size)),
        grid_(about_faces(boundary, method)
                  ? make_grid_blur(size, psf, boundary, 0, device.main())
                  : std::make_unique<PaddedGrid>(size, psf, beyond_edge_pixels(boundary), 0,
                                                 device.main())) {}

  void blur(const DeviceValues& in, bool flip, const DeviceValues& out) const override {
    grid_->run(in.data(), flip, out.data());
  }
  [[nodiscard]] bool in_place() const override { return true; }
  [[nodiscard]] std::string description() const override {
    const GridView& grid = grid_->view();
    const Int3& p = grid.padded;
    return extent_ + (grid.folded ? ", cosine transform of " : ", FFT of ") +
           extent_text({p.z, p.x, p.y}) + " pixels";
  }

 private:
  std::string extent_;
  std::unique_ptr<GridBlur> grid_;
};

class PassModel final : public PixelModel {
 public:
  PassModel(GpuDevice& device, const Size3& size, const Stencil& psf, Boundary boundary,
            Regularisation regularisation)
      : PixelModel(device, size, boundary, gives_one_for_one(psf, boundary), regularisation),
        description_(extent_text(psf.size) +
                     (separate(psf) ? ", three passes over pixels" : ", over pixels")),
        forward_(flipped(psf), device),
        spare_(make_values()) {
    if (flipped(psf).weights != psf.weights) back_.emplace(psf, device);
  }

  void blur(const DeviceValues& in, bool flip, const DeviceValues& out) const override {
    (flip && back_ ? *back_ : forward_).run(image_of(in), out.data(), spare_.data());
  }
  [[nodiscard]] std::string description() const override { return description_; }

 private:
  std::string description_;
  PixelCorrelation forward_;
  std::optional<PixelCorrelation> back_;
  DeviceValues spare_;
};

}  // namespace

Result<DeviceResult> deconvolve_pixels(GpuDevice& device, const Size3& size, const Stencil& psf,
                                       Boundary boundary, PixelBlurMethod method,
                                       std::span<const float> observed,
                                       const RichardsonLucyOptions& options,
                                       std::span<const float> given,
                                       const RichardsonLucyHooks& hooks, const JobContext& context,
                                       const BackProjectorScheme* back) {
  if (Status ok = check(psf); !ok) return ok.error();
  const auto make = [&]() -> DeviceModels {
    const std::uint64_t more = back == nullptr ? 0
                                               : pixel_back_projector_bytes(size, back->kernel.size,
                                                                            boundary, back->method);
    check_device_memory(pixel_deconvolution_bytes(size, psf, boundary, method, options) + more,
                        "deconvolution", device);
    DeviceModels models;
    const PixelBlurMethod way = chosen_method(psf, method);
    if (way != PixelBlurMethod::passes) {
      models.blur =
          std::make_unique<FourierModel>(device, size, psf, boundary, way, options.regularisation);
    } else {
      models.blur =
          std::make_unique<PassModel>(device, size, psf, boundary, options.regularisation);
    }
    if (back != nullptr) {
      models.back_projector = std::make_unique<FourierModel>(device, size, back->kernel, boundary,
                                                             back->method, Regularisation::none);
    }
    return models;
  };
  const std::array<WeightRun, 1> runs{{{count_of(size), 1.0}}};
  return iterate_on_device(device, runs, make, observed, options, given, hooks, context);
}

std::uint64_t pixel_back_projector_bytes(const Size3& size, const Size3& kernel, Boundary boundary,
                                         PixelBlurMethod method) {
  return about_faces(boundary, method)
             ? std::max(grid_blur_bytes(size, kernel, false, boundary, 0),
                        grid_blur_bytes(size, kernel, true, boundary, 0))
             : PaddedGrid::estimate_bytes(size, kernel, beyond_edge_pixels(boundary), 0);
}

std::uint64_t pixel_deconvolution_bytes(const Size3& size, const Stencil& psf, Boundary boundary,
                                        PixelBlurMethod method,
                                        const RichardsonLucyOptions& options) {
  const PixelBlurMethod way = chosen_method(psf, method);
  const bool passes = way == PixelBlurMethod::passes;
  // A blur in passes needs one buffer more.
  const int buffers =
      iteration_buffers(options, gives_one_for_one(psf, boundary), !passes) + (passes ? 1 : 0);
  constexpr std::uint64_t kRest = std::uint64_t{1} << 20U;  // sums, weights of passes
  const std::uint64_t grid =
      passes ? 0
      : about_faces(boundary, way)
          ? grid_blur_bytes(size, psf.size, is_even(psf), boundary, 0)
          : PaddedGrid::estimate_bytes(size, psf.size, beyond_edge_pixels(boundary), 0);
  return static_cast<std::uint64_t>(buffers) * count_of(size) * sizeof(float) + kRest + grid;
}

}  // namespace aprscope::gpu

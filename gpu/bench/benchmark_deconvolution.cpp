#include <algorithm>
#include <cmath>

#include "core/deconvolution/psf/psf.hpp"
#include "gpu/bench/benchmark_timing.hpp"
#include "gpu/deconvolution/particle_deconvolution.hpp"
#include "gpu/deconvolution/pixel_deconvolution.hpp"

namespace aprscope {
namespace {

constexpr int kIterations = 5;

// A kernel without symmetry or separable factors, so that no shortcut applies.
Stencil skewed(std::int64_t side) {
  Stencil psf = gaussian_stencil({2, 2, 2}, {side, side, side}).normalized();
  for (std::size_t i = 0; i < psf.weights.size(); ++i) {
    psf.weights[i] *= 1.0 + 0.2 * std::sin(static_cast<double>(i * i % 1013));
  }
  return psf.normalized();
}

// A kernel with long tails: not separable, but symmetric, as optical PSFs are.
Stencil tailed(std::int64_t side) {
  Stencil psf{{side, side, side}, {}, "tailed"};
  const std::int64_t middle = side / 2;
  for (std::int64_t z = 0; z < side; ++z) {
    for (std::int64_t x = 0; x < side; ++x) {
      for (std::int64_t y = 0; y < side; ++y) {
        const auto square = [&](std::int64_t i) {
          const auto d = static_cast<double>(i - middle);
          return d * d;
        };
        const double r2 = (0.4 * square(z) + square(x) + square(y)) / 6.0;
        psf.weights.push_back(std::pow(1.0 + r2, -2.0));
      }
    }
  }
  return psf.normalized();
}

class DeconvolutionBench {
 public:
  DeconvolutionBench(std::shared_ptr<gpu::GpuDevice> device,
                     std::shared_ptr<const AprAccess> access, std::span<const float> values,
                     std::vector<float> pixels, int repeats)
      : device_(std::move(device)),
        access_(std::move(access)),
        values_(values),
        pixels_(std::move(pixels)),
        repeats_(repeats) {
    options_.iterations = kIterations;
  }

  Result<std::vector<GpuTiming>> run() {
    const Stencil separable = gaussian_stencil({2, 2, 2}, {13, 13, 13}).normalized();
    const Stencil dense = skewed(13);
    const Stencil small = gaussian_stencil({1, 1, 1}, {5, 5, 5}).normalized();
    const Size3& n = access_->size();
    // A large PSF, but no larger than the host, which splits it in each run, can handle quickly.
    const std::int64_t side = std::min<std::int64_t>({n.z, n.x, n.y, 128}) / 2 * 2 - 1;
    const Stencil large = tailed(std::max<std::int64_t>(side, 13));
    const std::string extent = std::to_string(large.size.z) + "^3";
    Status ok = pixels("pixels_fft", "13^3", dense, PixelBlurMethod::fft);
    if (ok) ok = pixels("pixels_passes", "13^3 separable", separable, PixelBlurMethod::passes);
    if (ok) ok = particles("particles_dense", "13^3", dense);
    if (ok) ok = particles("particles_separable", "13^3 separable", separable);
    if (ok) ok = particles("particles_small", "5^3", small);
    if (ok) ok = pixels("pixels_fft", extent, large, PixelBlurMethod::fft);
    if (ok) ok = pixels("pixels_mirrored", extent, large, PixelBlurMethod::mirrored);
    for (const bool lean : {false, true}) {
      if (ok) ok = fully(lean ? "particles_lean" : "particles_full", extent, large, lean);
    }
    if (!ok) return ok.error();
    return std::move(timings_);
  }

 private:
  // Seconds of an iteration by the host's clock, which suffices: iterations wait for their sums.
  template <class Work>
  Status add(const char* op, std::string stencil, const char* mode, const Work& work) {
    std::vector<double> seconds;
    // Run 0 warms up and is not counted.
    for (int i = 0; i <= repeats_; ++i) {
      const auto done = work();
      if (!done) return done.error();
      if (i > 0) seconds.push_back(done->result.seconds / done->result.iterations);
    }
    GpuTiming timing = gpu::summarize(std::move(seconds));
    timing.op = op;
    timing.stencil = std::move(stencil);
    timing.mode = mode;
    timings_.push_back(std::move(timing));
    return {};
  }

  Status pixels(const char* op, std::string stencil, const Stencil& psf, PixelBlurMethod method) {
    return add(op, std::move(stencil), "-", [&] {
      return gpu::deconvolve_pixels(*device_, access_->size(), psf, Boundary::reflect, method,
                                    pixels_, options_, {}, {}, {});
    });
  }
  Status particles(const char* op, std::string stencil, const Stencil& psf) {
    return add(op, std::move(stencil), "restricted", [&] {
      return gpu::deconvolve_particles(device_, access_, psf, StencilMode::restricted,
                                       Boundary::reflect, values_, options_, {}, {}, {});
    });
  }
  Status fully(const char* op, std::string stencil, const Stencil& psf, bool lean) {
    if (!gpu::can_have_far_part(*access_, lean)) return {};
    FullPsfOptions full;
    full.near = 5;
    full.lean = lean;
    return add(op, std::move(stencil), lean ? "lean" : "full", [&] {
      return gpu::deconvolve_particles_fully(device_, access_, psf, full, values_, options_, {}, {},
                                             {});
    });
  }

  std::shared_ptr<gpu::GpuDevice> device_;
  std::shared_ptr<const AprAccess> access_;
  std::span<const float> values_;
  std::vector<float> pixels_;
  int repeats_;
  RichardsonLucyOptions options_;
  std::vector<GpuTiming> timings_;
};

}  // namespace

Result<std::vector<GpuTiming>> gpu_deconvolution_benchmark(
    const std::string& id, const std::shared_ptr<const AprAccess>& access,
    std::span<const float> values, std::vector<float> pixels, int repeats) {
  const auto device = gpu::device_of(id);
  if (!device) return device.error();
  return DeconvolutionBench(*device, access, values, std::move(pixels), repeats).run();
}

}  // namespace aprscope

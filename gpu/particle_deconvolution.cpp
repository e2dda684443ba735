#include "gpu/particle_deconvolution.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "core/base/system.hpp"
#include "core/deconvolution/iteration_check.hpp"
#include "gpu/octet_estimate.hpp"
#include "gpu/octet_filter.hpp"
#include "gpu/particle_filter.hpp"

namespace aprscope::gpu {
namespace {

// Flux that is off by less is left alone, as on the CPU.
constexpr double kFluxTolerance = 1e-5;
// Differences below this share of the largest value are smoothed as Tikhonov–Miller does.
constexpr float kEdge = 1e-3F;
constexpr float kSmallestEdge = 1e-18F;

Error failed(std::string what, std::string advice) {
  return {std::move(what), "deconvolution", std::move(advice)};
}

bool keeps_ones(const Stencil& psf, Boundary boundary) {
  return boundary == Boundary::reflect && std::abs(psf.sum() - 1.0) < 1e-6;
}

OctetConvolution convolution(const OctetApr& apr, const Stencil& stencil, StencilMode mode,
                             Boundary boundary) {
  const auto pyramid = StencilPyramid::create(stencil, mode, false, apr.access().level_max());
  if (!pyramid) throw Failure{pyramid.error()};
  return {apr, *pyramid, boundary};
}

// Cells of coarser levels lie farther apart.
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

std::vector<float> weights_of(std::span<const WeightRun> runs) {
  std::vector<float> weights;
  for (const WeightRun& run : runs) {
    weights.resize(static_cast<std::size_t>(run.end), static_cast<float>(run.weight));
  }
  return weights;
}

class Iterations {
 public:
  Iterations(const OctetApr& apr, const Stencil& psf, StencilMode mode, Boundary boundary,
             const RichardsonLucyOptions& options, std::span<const WeightRun> runs,
             const ImageFacts& facts)
      : apr_(apr),
        options_(options),
        facts_(facts),
        estimates_(apr, weights_of(runs)),
        forward_(convolution(apr, flipped(psf), mode, boundary)),
        adjoint_(convolution(apr, psf, mode, boundary)),
        observed_(apr.make_values()),
        estimate_(apr.make_values()),
        blurred_(apr.make_values()),
        correction_(apr.make_values()) {
    const double largest = static_cast<double>(facts.largest);
    if (largest > 1e12 || (largest > 0.0 && largest < 1e-12)) {
      scale_ = std::ldexp(1.0F, -std::ilogb(facts.largest));
    }
    largest_ = facts.largest > 0.0F ? facts.largest * scale_ : 1.0F;
    floor_ = static_cast<float>(options.guard) * largest_;
    if (options.regularisation != Regularisation::none) term_ = apr.make_values();
    if (options.regularisation == Regularisation::tikhonov_miller) {
      laplacian_ = std::make_unique<OctetConvolution>(laplacian(apr));
    }
    if (!keeps_ones(psf, boundary)) ones_ = apr.make_values();
    if (options.accelerate) {
      point_ = apr.make_values();
      step_ = apr.make_values();
    }
  }

  void begin(std::span<const float> observed, std::span<const float> given) {
    apr_.upload(observed, observed_);
    estimates_.prepare(observed_, scale_);
    if (ones_.count() != 0) {
      estimates_.fill(estimate_, 1.0F);
      run(adjoint_, estimate_, ones_);
      estimates_.clear_negatives(ones_);
    }
    if (options_.start == DeconvolutionStart::constant) {
      const double mean = facts_.pixels > 0.0 ? facts_.flux / facts_.pixels : 0.0;
      estimates_.fill(estimate_, static_cast<float>(mean * static_cast<double>(scale_)));
    } else if (options_.start == DeconvolutionStart::given) {
      apr_.upload(given, estimate_);
      estimates_.prepare(estimate_, scale_);
    } else {
      copy(observed_, estimate_);
      if (facts_.zeros != 0) {
        run(forward_, estimate_, blurred_);
        estimates_.fill_zeros(estimate_, blurred_, floor_);
      }
    }
    if (options_.accelerate) copy(estimate_, point_);
  }

  void step(IterationReport& report) {
    const OctetValues& point = options_.accelerate ? point_ : estimate_;
    run(forward_, point, blurred_);
    const double flux = facts_.flux * static_cast<double>(scale_);
    const double off = estimates_.ratio(observed_, floor_, blurred_);
    report.likelihood = flux > 0.0 ? -off / flux : 0.0;
    run(adjoint_, blurred_, correction_);
    OctetEstimate::Operands in{point.data(), correction_.data(), ones_.data(), nullptr, 0.0F};
    if (term_.count() != 0) {
      make_term(point);
      // The derivative of λ|∇x|² is −2λΔx.
      const bool squared = options_.regularisation == Regularisation::tikhonov_miller;
      in.term = term_.data();
      in.strength = static_cast<float>((squared ? 2.0 : 1.0) * options_.strength) *
                    (squared ? 1.0F / largest_ : 1.0F);
    }
    float* const next = options_.accelerate ? correction_.data() : estimate_.data();
    const UpdateSums sums = estimates_.update(in, estimate_.data(), next, step_.data());
    report.change = sums.size > 0.0 ? sums.change / sums.size : 0.0;
    const double factor = sums.flux > 0.0 && flux > 0.0 ? flux / sums.flux : 1.0;
    const bool scales = std::abs(factor - 1.0) > kFluxTolerance;
    if (options_.accelerate) {
      const double along = sums.before > 0.0 ? sums.along / sums.before : 0.0;
      estimates_.extrapolate(next, scales ? static_cast<float>(factor) : 1.0F,
                             static_cast<float>(std::clamp(along, 0.0, 1.0)), estimate_.data(),
                             point_.data());
    } else if (scales) {
      estimates_.scale(estimate_, static_cast<float>(factor));
    }
  }

  // The iterate in the unit of the image.
  void fetch(std::span<float> to) const {
    apr_.download(estimate_, to);
    if (scale_ == 1.0F) return;
    for (float& v : to) v /= scale_;
  }

 private:
  void run(const OctetConvolution& blur, const OctetValues& in, const OctetValues& out) const {
    Target target;
    target.out = out.data();
    blur.run(in, target);
  }
  void copy(const OctetValues& from, const OctetValues& to) const {
    ensure(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                           apr_.device().main()),
           "copying particles");
  }
  void make_term(const OctetValues& point) const {
    if (laplacian_) {
      run(*laplacian_, point, term_);
    } else {
      total_variation(apr_, std::max(kEdge * largest_, kSmallestEdge), point, term_);
    }
  }

  const OctetApr& apr_;
  const RichardsonLucyOptions& options_;
  ImageFacts facts_;
  OctetEstimate estimates_;
  OctetConvolution forward_, adjoint_;
  std::unique_ptr<OctetConvolution> laplacian_;
  OctetValues observed_, estimate_, blurred_, correction_, ones_, term_, point_, step_;
  float scale_ = 1.0F;
  float largest_ = 1.0F;
  float floor_ = 0.0F;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `turn` is held; observers are called without it.
Result<Deconvolved> iterate(Iterations& work, std::unique_lock<std::mutex>& turn, std::size_t count,
                            const RichardsonLucyOptions& options, const RichardsonLucyHooks& hooks,
                            const JobContext& context) {
  Deconvolved out;
  out.values.resize(count);
  for (int i = 1; i <= options.iterations; ++i) {
    const auto start = std::chrono::steady_clock::now();
    IterationReport report;
    report.iteration = i;
    work.step(report);
    report.seconds = seconds_since(start);
    out.seconds += report.seconds;
    out.iterations = i;
    if (hooks.observer) work.fetch(out.values);
    turn.unlock();
    if (hooks.observer) hooks.observer(report, out.values);
    context.report(static_cast<double>(i) / options.iterations,
                   "iteration " + std::to_string(i) + " of " + std::to_string(options.iterations));
    out.converged = report.change <= options.stop_change && options.stop_change > 0.0;
    if (out.converged) break;
    if (hooks.keep.stop_requested() && i < options.iterations) {
      out.partial = true;
      break;
    }
    if (context.stop_requested()) return cancelled_error();
    turn.lock();
  }
  if (!turn.owns_lock()) turn.lock();
  work.fetch(out.values);
  return out;
}

}  // namespace

Result<Deconvolved> deconvolve_particles(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    StencilMode mode, Boundary boundary, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context) {
  if (Status ok = check_iterations(access->count(), observed, options, given); !ok)
    return ok.error();
  if (mode == StencilMode::rescaled) {
    return failed("a PSF is not a gradient", "restrict it to coarser levels");
  }
  try {
    const std::vector<WeightRun> runs = cell_volumes(*access);
    EstimateUpdate facts_of(runs);
    const ImageFacts facts = facts_of.look_at(observed);
    if (Status ok = check_iterated_values(facts, "the image"); !ok) return ok.error();
    if (options.start == DeconvolutionStart::given) {
      if (Status ok = check_iterated_values(facts_of.look_at(given), "the estimate to start from");
          !ok) {
        return ok.error();
      }
    }
    if (context.stop_requested()) return cancelled_error();
    std::unique_lock turn(device->turn());
    auto out = guarded([&]() -> Result<Deconvolved> {
      device->use();
      check_device_memory(deconvolution_bytes(*access, options, keeps_ones(psf, boundary)),
                          "deconvolution", *device);
      const OctetApr apr(access, device);
      Iterations work(apr, psf, mode, boundary, options, runs, facts);
      work.begin(observed, given);
      return iterate(work, turn, observed.size(), options, hooks, context);
    });
    if (out) out->negatives = facts.negatives;
    return out;
  } catch (const std::bad_alloc&) {
    return failed(
        "not enough memory for the estimates of " + std::to_string(access->count()) + " values",
        "deconvolve a part, or close other data");
  }
}

std::uint64_t deconvolution_bytes(const AprAccess& access, const RichardsonLucyOptions& options,
                                  bool ones_kept) {
  // Weights, observed, estimate, blurred, correction.
  const int buffers = 5 + (options.regularisation == Regularisation::none ? 0 : 1) +
                      (options.accelerate ? 2 : 0) + (ones_kept ? 0 : 1);
  return OctetApr::estimate_bytes(access, buffers);
}

}  // namespace aprscope::gpu

#include "gpu/device_iterations.hpp"

#include <chrono>
#include <new>
#include <string>
#include <utility>

#include "core/deconvolution/iteration_check.hpp"
#include "core/deconvolution/iteration_control.hpp"

namespace aprscope::gpu {
namespace {

DeviceValues weights_on_device(const DeviceModel& model) {
  const std::vector<float> weights = model.weights();
  if (weights.empty()) return {};
  DeviceValues values = model.make_values();
  model.upload(weights, values);
  return values;
}

class Iterations {
 public:
  Iterations(const GpuDevice& device, const DeviceModel& model,
             const RichardsonLucyOptions& options, const ImageFacts& facts)
      : device_(device),
        model_(model),
        options_(options),
        has_zeros_(facts.zeros != 0),
        control_(facts, options),
        estimates_(model.slots(), weights_on_device(model), device.main()),
        observed_(model.make_values()),
        estimate_(model.make_values()),
        blurred_(model.make_values()) {
    if (!model.in_place()) correction_ = model.make_values();
    if (options.regularisation != Regularisation::none) term_ = model.make_values();
    if (!model.keeps_ones()) ones_ = model.make_values();
    if (options.accelerate) {
      point_ = model.make_values();
      step_ = model.make_values();
    }
  }

  void begin(std::span<const float> observed, std::span<const float> given) {
    model_.upload(observed, observed_);
    estimates_.prepare(observed_, control_.scale());
    if (ones_.count() != 0) {
      estimates_.fill(estimate_, 1.0F);
      model_.blur(estimate_, true, ones_);
      estimates_.clear_negatives(ones_);
    }
    if (options_.start == DeconvolutionStart::constant) {
      estimates_.fill(estimate_, control_.mean());
    } else if (options_.start == DeconvolutionStart::given) {
      model_.upload(given, estimate_);
      estimates_.prepare(estimate_, control_.scale());
    } else {
      copy(observed_, estimate_);
      if (has_zeros_) {
        model_.blur(estimate_, false, blurred_);
        estimates_.fill_zeros(estimate_, blurred_, control_.floor());
      }
    }
    if (options_.accelerate) copy(estimate_, point_);
  }

  void step(IterationReport& report) {
    const DeviceValues& point = options_.accelerate ? point_ : estimate_;
    const DeviceValues& correction = correction_.count() != 0 ? correction_ : blurred_;
    model_.blur(point, false, blurred_);
    const double divergence = estimates_.ratio(observed_, control_.floor(), blurred_);
    report.likelihood = control_.likelihood(divergence);
    model_.blur(blurred_, true, correction);
    DeviceEstimate::Operands in{point.data(), correction.data(), ones_.data(), nullptr, 0.0F};
    if (term_.count() != 0) {
      in.strength = control_.strength() * model_.term(point, control_.largest(), term_);
      in.term = term_.data();
    }
    float* const next = options_.accelerate ? correction.data() : estimate_.data();
    const UpdateSums sums = estimates_.update(in, estimate_.data(), next, step_.data());
    report.change = sums.size > 0.0 ? sums.change / sums.size : 0.0;
    const IterationControl::Step after = control_.after(sums, divergence);
    if (options_.accelerate) {
      estimates_.extrapolate(next, after.factor, after.along, estimate_.data(), point_.data());
    } else if (after.factor != 1.0F) {
      estimates_.scale(estimate_, after.factor);
    }
  }

  // The iterate in the unit of the image.
  void fetch(std::span<float> to) const {
    model_.download(estimate_, to);
    if (control_.scale() == 1.0F) return;
    for (float& v : to) v /= control_.scale();
  }

 private:
  void copy(const DeviceValues& from, const DeviceValues& to) const {
    ensure(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                           device_.main()),
           "copying an estimate");
  }

  const GpuDevice& device_;
  const DeviceModel& model_;
  const RichardsonLucyOptions& options_;
  bool has_zeros_;
  IterationControl control_;
  DeviceEstimate estimates_;
  DeviceValues observed_, estimate_, blurred_, correction_, ones_, term_, point_, step_;
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

int iteration_buffers(const RichardsonLucyOptions& options, bool keeps_ones, bool in_place) {
  // Observed, estimate, blurred; correction.
  return 3 + (in_place ? 0 : 1) + (options.regularisation == Regularisation::none ? 0 : 1) +
         (options.accelerate ? 2 : 0) + (keeps_ones ? 0 : 1);
}

Result<DeviceResult> iterate_on_device(GpuDevice& device, std::span<const WeightRun> runs,
                                       const std::function<std::unique_ptr<DeviceModel>()>& make,
                                       std::span<const float> observed,
                                       const RichardsonLucyOptions& options,
                                       std::span<const float> given,
                                       const RichardsonLucyHooks& hooks,
                                       const JobContext& context) {
  const std::uint64_t count = runs.empty() ? 0 : runs.back().end;
  if (Status ok = check_iterations(count, observed, options, given); !ok) return ok.error();
  try {
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
    std::unique_lock turn(device.turn());
    return guarded([&]() -> Result<DeviceResult> {
      device.use();
      const std::unique_ptr<DeviceModel> model = make();
      Iterations work(device, *model, options, facts);
      work.begin(observed, given);
      auto out = iterate(work, turn, observed.size(), options, hooks, context);
      // What is given back is given back in this device's turn.
      if (!turn.owns_lock()) turn.lock();
      if (!out) return out.error();
      out->negatives = facts.negatives;
      return DeviceResult{*std::move(out), model->description()};
    });
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the estimates of " + std::to_string(count) + " values",
                 "deconvolution", "deconvolve a part, or close other data"};
  }
}

}  // namespace aprscope::gpu

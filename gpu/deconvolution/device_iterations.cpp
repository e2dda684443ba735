#include "gpu/deconvolution/device_iterations.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "core/deconvolution/iterate/iteration_check.hpp"
#include "core/deconvolution/iterate/iteration_control.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "core/deconvolution/iterate/iteration_loop.hpp"

namespace aprscope::gpu {
namespace {

DeviceValues weights_on_device(const DeviceModel& model) {
  const std::vector<float> weights = model.weights();
  if (weights.empty()) return {};
  DeviceValues values = model.make_values();
  model.upload(weights, values);
  return values;
}

class Iterations final : public IteratedWork {
 public:
  // `turn` is held here and again after the iterations; it is released while observers are called.
  Iterations(const GpuDevice& device, const DeviceModel& model,
             const RichardsonLucyOptions& options, const ImageFacts& facts,
             std::unique_lock<std::mutex>& turn)
      : device_(device),
        turn_(turn),
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
    if (options.background.values) background_ = model.make_values();
    if (options.held_out) held_out_ = model.make_values();
  }

  void begin(std::span<const float> observed, std::span<const float> given) {
    // Allocated first: if memory ran out at the end instead, all iterations would be lost.
    shown_.resize(observed.size());
    model_.upload(observed, observed_);
    estimates_.prepare(observed_, options_.offset, control_.scale());
    if (options_.background.values) {
      model_.upload(*options_.background.values, background_);
      estimates_.prepare(background_, 0.0F, control_.scale());
    }
    if (options_.held_out) {
      model_.upload(*options_.held_out, held_out_);
      estimates_.prepare(held_out_, 0.0F, control_.scale());
    }
    if (ones_.count() != 0) {
      estimates_.fill(estimate_, 1.0F);
      model_.blur(estimate_, true, ones_);
      estimates_.clear_negatives(ones_);
    }
    if (options_.start == DeconvolutionStart::constant) {
      estimates_.fill(estimate_, control_.mean());
    } else if (options_.start == DeconvolutionStart::given) {
      model_.upload(given, estimate_);
      estimates_.prepare(estimate_, 0.0F, control_.scale());
    } else {
      copy(observed_, estimate_);
      if (!options_.background.none()) estimates_.subtract(estimate_, background());
      if (has_zeros_) {
        model_.blur(estimate_, false, blurred_);
        estimates_.fill_zeros(estimate_, blurred_, control_.floor());
      }
    }
    if (options_.accelerate) copy(estimate_, point_);
  }

  Status step(bool /*wants_likelihood*/, RichardsonLucyReport& report) override {
    const DeviceValues& point = options_.accelerate ? point_ : estimate_;
    const DeviceValues& correction = correction_.count() != 0 ? correction_ : blurred_;
    model_.blur(point, false, blurred_);
    if (held_out_.count() != 0) {
      report.held_out = control_.likelihood(
          estimates_.divergence(held_out_, background(), control_.floor(), blurred_));
    }
    const auto seen = estimates_.ratio(observed_, background(), control_.floor(), blurred_);
    report.likelihood = control_.likelihood(seen.divergence);
    model_.blur(blurred_, true, correction);
    DeviceEstimate::Operands in{point.data(), correction.data(), ones_.data(), nullptr, 0.0F};
    if (term_.count() != 0) {
      in.strength = control_.strength() * model_.term(point, control_.largest(), term_);
      in.term = term_.data();
    }
    float* const next = options_.accelerate ? correction.data() : estimate_.data();
    const UpdateSums sums = estimates_.update(in, estimate_.data(), next, step_.data());
    report.change = sums.size > 0.0 ? sums.change / sums.size : 0.0;
    const IterationControl::Step after = control_.after(sums, seen.divergence, seen.explained);
    if (options_.accelerate) {
      estimates_.extrapolate(next, after.factor, after.along, estimate_.data(), point_.data());
    } else if (after.factor != 1.0F) {
      estimates_.scale(estimate_, after.factor);
    }
    return {};
  }

  void show(const std::function<void(std::span<const float>)>& to) override {
    fetch(shown_);
    release_device();
    to(shown_);
  }
  void acquire_device() override {
    if (!turn_.owns_lock()) turn_.lock();
  }
  void release_device() override {
    if (turn_.owns_lock()) turn_.unlock();
  }

  std::vector<float> take() {
    fetch(shown_);
    return std::move(shown_);
  }

 private:
  [[nodiscard]] DeviceEstimate::Background background() const {
    // Limited to the same range as the values of the image.
    return {background_.data(),
            std::min(options_.background.level * control_.scale(), kLargestEstimate)};
  }

  // Copies the iterate to the host, in the unit of the image.
  void fetch(std::vector<float>& to) const {
    model_.download(estimate_, to);
    if (control_.scale() == 1.0F) return;
    for (float& v : to) v /= control_.scale();
  }
  void copy(const DeviceValues& from, const DeviceValues& to) const {
    ensure(cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice,
                           device_.main()),
           "copying an estimate");
  }

  const GpuDevice& device_;
  std::unique_lock<std::mutex>& turn_;
  const DeviceModel& model_;
  const RichardsonLucyOptions& options_;
  bool has_zeros_;
  IterationControl control_;
  DeviceEstimate estimates_;
  DeviceValues observed_, estimate_, blurred_, correction_, ones_, term_, point_, step_,
      background_, held_out_;
  std::vector<float> shown_;
};

}  // namespace

int iteration_buffers(const RichardsonLucyOptions& options, bool keeps_ones, bool in_place) {
  // 3: observed, estimate, blurred. 1 more: the correction, unless it can share a buffer.
  return 3 + (in_place ? 0 : 1) + (options.regularisation == Regularisation::none ? 0 : 1) +
         (options.accelerate ? 2 : 0) + (keeps_ones ? 0 : 1) + (options.background.values ? 1 : 0) +
         (options.held_out ? 1 : 0);
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
    const ImageFacts facts = facts_of.look_at(observe(observed, options));
    if (Status ok = check_iterated_values(facts, "the image"); !ok) return ok.error();
    if (Status ok = check_light(facts, observed.size(), options); !ok) return ok.error();
    if (options.start == DeconvolutionStart::given) {
      if (Status ok =
              check_iterated_values(facts_of.look_at({given}), "the estimate to start from");
          !ok) {
        return ok.error();
      }
    }
    if (context.stop_requested()) return cancelled_error();
    std::unique_lock turn(device.turn());
    return guarded([&]() -> Result<DeviceResult> {
      device.use();
      const std::unique_ptr<DeviceModel> model = make();
      Iterations work(device, *model, options, facts, turn);
      work.begin(observed, given);
      auto out = run_iterations(work, options, hooks, context);
      // Freed buffers go back to the device, so this has to be done while its lock is held.
      work.acquire_device();
      if (!out) return out.error();
      out->values = work.take();
      out->negatives = facts.negatives;
      return DeviceResult{*std::move(out), model->description()};
    });
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the estimates of " + std::to_string(count) + " values",
                 "deconvolution", "deconvolve a part, or close other data"};
  }
}

}  // namespace aprscope::gpu

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
  Iterations(const GpuDevice& device, const DeviceModels& models,
             const RichardsonLucyOptions& options, const ImageFacts& facts,
             std::unique_lock<std::mutex>& turn)
      : device_(device),
        turn_(turn),
        model_(*models.blur),
        back_projector_(models.back_projector.get()),
        unmatched_(options.unmatched),
        options_(options),
        has_zeros_(facts.zeros != 0),
        control_(facts, options),
        estimates_(model_.slots(), weights_on_device(model_), device.main()),
        observed_(model_.make_values()),
        estimate_(model_.make_values()),
        blurred_(model_.make_values()) {
    const bool unmatched = unmatched_ > 0;
    if (!model_.in_place() || (unmatched && !back_projector_->in_place())) {
      correction_ = model_.make_values();
    }
    if (options.regularisation != Regularisation::none) term_ = model_.make_values();
    if (!model_.keeps_ones() || (unmatched && !back_projector_->keeps_ones())) {
      ones_ = model_.make_values();
    }
    if (options.accelerate) {
      point_ = model_.make_values();
      step_ = model_.make_values();
    }
    if (options.background.values) background_ = model_.make_values();
    if (options.held_out) held_out_ = model_.make_values();
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
    project_ones(estimate_);
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
    project_back(blurred_, correction);
    DeviceEstimate::Operands in;
    in.point = point.data();
    in.correction = correction.data();
    in.ones = has_ones() ? ones_.data() : nullptr;
    if (unmatched_ > 0) in.least = kLeastCorrection;
    if (term_.count() != 0) {
      in.strength = control_.strength() * model_.term(point, control_.largest(), term_);
      in.term = term_.data();
    }
    float* const next = options_.accelerate ? correction.data() : estimate_.data();
    const UpdateSums sums = estimates_.update(in, estimate_.data(), next, step_.data());
    report.change = sums.size > 0.0 ? sums.change / sums.size : 0.0;
    IterationControl::Step after = control_.after(sums, seen.divergence, seen.explained);
    if (unmatched_ > 0) after.along = 0.0F;
    if (options_.accelerate) {
      estimates_.extrapolate(next, after.factor, after.along, estimate_.data(), point_.data());
    } else if (after.factor != 1.0F) {
      estimates_.scale(estimate_, after.factor);
    }
    if (unmatched_ > 0) end_unmatched();
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
  // The model whose blur projects back in the next iteration, and whether it is flipped.
  [[nodiscard]] const DeviceModel& projector() const {
    return unmatched_ > 0 ? *back_projector_ : model_;
  }
  void project_back(const DeviceValues& from, const DeviceValues& to) const {
    projector().blur(from, unmatched_ == 0, to);
  }
  [[nodiscard]] bool has_ones() const { return !projector().keeps_ones(); }
  // Projects ones back into `ones_`, if that changes them; overwrites `room`.
  void project_ones(const DeviceValues& room) const {
    if (!has_ones()) return;
    estimates_.fill(room, 1.0F);
    project_back(room, ones_);
    estimates_.raise(ones_, unmatched_ > 0 ? kLeastUnmatchedOnes : 0.0F);
  }
  // Ends an iteration with the other back projector; after the last, what is kept from one to the
  // next begins anew.
  void end_unmatched() {
    if (--unmatched_ > 0) return;
    if (step_.count() != 0) estimates_.fill(step_, 0.0F);
    project_ones(blurred_);
  }
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
  const DeviceModel* back_projector_;
  int unmatched_;  // iterations left that project back by the other model
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
  // What a back projector makes of ones is known once it is made.
  const bool has_ones = !keeps_ones || options.unmatched > 0;
  // 3: observed, estimate, blurred. 1 more: the correction, unless it can share a buffer.
  return 3 + (in_place ? 0 : 1) + (options.regularisation == Regularisation::none ? 0 : 1) +
         (options.accelerate ? 2 : 0) + (has_ones ? 1 : 0) + (options.background.values ? 1 : 0) +
         (options.held_out ? 1 : 0);
}

Result<DeviceResult> iterate_on_device(
    GpuDevice& device, std::span<const WeightRun> runs, const std::function<DeviceModels()>& make,
    std::span<const float> observed, const RichardsonLucyOptions& options,
    std::span<const float> given, const RichardsonLucyHooks& hooks, const JobContext& context) {
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
      const DeviceModels models = make();
      if (options.unmatched > 0 && !models.back_projector) {
        return Error{"the back projector is missing", "deconvolution", "make one for this data"};
      }
      Iterations work(device, models, options, facts, turn);
      work.begin(observed, given);
      auto out = run_iterations(work, options, hooks, context);
      // Freed buffers go back to the device, so this has to be done while its lock is held.
      work.acquire_device();
      if (!out) return out.error();
      out->values = work.take();
      out->negatives = facts.negatives;
      return DeviceResult{*std::move(out), models.blur->description()};
    });
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the estimates of " + std::to_string(count) + " values",
                 "deconvolution", "deconvolve a part, or close other data"};
  }
}

}  // namespace aprscope::gpu

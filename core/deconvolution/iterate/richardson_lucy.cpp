#include "core/deconvolution/iterate/richardson_lucy.hpp"

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <vector>

#include "core/deconvolution/iterate/iteration_check.hpp"
#include "core/deconvolution/iterate/iteration_control.hpp"
#include "core/deconvolution/iterate/iteration_limits.hpp"
#include "core/deconvolution/iterate/iteration_loop.hpp"
#include "core/deconvolution/iterate/refused.hpp"

namespace aprscope {
namespace {

// Lists of zeros, in memory or on a disk.
class Rooms {
 public:
  explicit Rooms(DiskFloats* disk) : disk_(disk) {}

  // Throws std::bad_alloc.
  Status take(std::size_t count, std::span<float>& out) {
    if (disk_ == nullptr) {
      out = in_memory_.emplace_back(count);
      return {};
    }
    const auto made = disk_->take(count);
    if (!made) return made.error();
    out = *made;
    return {};
  }
  // The list in memory that was taken first.
  std::vector<float> first() { return std::move(in_memory_.front()); }

 private:
  DiskFloats* disk_;
  std::deque<std::vector<float>> in_memory_;
};

// All that the iterations keep: the estimate, two buffers (one where the model works in place), and
// what options ask for.
class Iterations final : public IteratedWork {
 public:
  Iterations(BlurModel& model, std::span<const float> observed,
             const RichardsonLucyOptions& options, Regulariser* regulariser,
             const JobContext& context)
      : model_(model),
        seen_(observe(observed, options)),
        options_(options),
        regulariser_(options.regularisation == Regularisation::none ? nullptr : regulariser),
        context_(context.stop_token()),
        rooms_(options.disk.get()),
        update_(model.weights(), options.shares.get(), options.disk.get()) {}

  ImageFacts look_at_image() { return update_.look_at(seen_); }
  ImageFacts look_at(std::span<const float> values) { return update_.look_at({values}); }

  // Takes the memory and makes the first estimate. Throws std::bad_alloc.
  Status begin(const ImageFacts& facts, std::span<const float> given) {
    control_ = IterationControl(facts, options_);
    scale_ = control_.scale();
    seen_ = control_.scaled(seen_);
    if (options_.held_out) {
      held_out_ = seen_;
      held_out_.image = *options_.held_out;
      held_out_.offset = 0.0F;
    }
    const std::size_t n = model_.count();
    unmatched_ = options_.unmatched;
    std::vector<std::span<float>*> wanted{&estimate_, &blurred_};
    if (!model_.in_place() || (unmatched_ > 0 && !options_.back_projector->in_place())) {
      wanted.push_back(&correction_);
    }
    if (regulariser_ != nullptr) wanted.push_back(&term_);
    if (options_.accelerate) wanted.insert(wanted.end(), {&point_, &step_});
    for (std::span<float>* const each : wanted) {
      if (Status done = rooms_.take(n, *each); !done) return done;
    }
    if (Status done = project_ones(estimate_); !done) return done;
    if (Status done = start(given, facts.zeros != 0); !done) return done;
    if (options_.accelerate) update_.copy(estimate_, point_);
    return {};
  }

  Status step(bool wants_likelihood, RichardsonLucyReport& report) override {
    const std::span<float> ratio = blurred_;
    const std::span<float> correction = correction_.empty() ? ratio : correction_;
    const std::span<const float> point = options_.accelerate ? point_ : estimate_;
    if (Status done = model_.forward(point, blurred_, context_); !done) return done;
    double divergence = 0.0;
    if (wants_likelihood || options_.accelerate) {
      divergence = update_.divergence(seen_, blurred_);
      report.likelihood = control_.likelihood(divergence);
    }
    if (options_.held_out) {
      report.held_out = control_.likelihood(update_.divergence(held_out_, blurred_));
    }
    const double explained = update_.ratio(seen_, ratio);
    if (Status done = project_back(ratio, correction); !done) return done;
    UpdateOperands in{point, correction, ones_, {}, 0.0F};
    if (unmatched_ > 0) in.least = kLeastCorrection;
    if (regulariser_ != nullptr) {
      if (Status done = regulariser_->term(point, control_.largest(), term_, context_); !done) {
        return done;
      }
      in.term = term_;
      in.strength = control_.strength();
    }
    // Ranks that share are stopped in a blur, where they agree on it.
    if (!options_.shares && context_.stop_requested()) return cancelled_error();
    const UpdateSums sums = options_.accelerate ? update_.update(in, estimate_, correction, step_)
                                                : update_.update(in, estimate_);
    report.change = sums.size > 0.0 ? sums.change / sums.size : 0.0;
    IterationControl::Step next = control_.after(sums, divergence, explained);
    if (unmatched_ > 0) next.along = 0.0F;
    if (options_.accelerate) {
      update_.extrapolate(correction, next.factor, next.along, estimate_, point_);
    } else if (next.factor != 1.0F) {
      update_.scale(estimate_, next.factor);
    }
    return unmatched_ > 0 ? end_unmatched() : Status();
  }

  void show(const std::function<void(std::span<const float>)>& to) override {
    if (scale_ != 1.0F) update_.scale(estimate_, 1.0F / scale_);
    to(estimate_);
    if (scale_ != 1.0F) update_.scale(estimate_, scale_);
  }
  // Errors: other ranks have failed.
  Status take(Deconvolved& out) {
    if (scale_ != 1.0F) update_.scale(estimate_, 1.0F / scale_);
    if (options_.shares) {
      if (Status all = options_.shares->gather(estimate_); !all) return all;
    }
    if (options_.disk) {
      out.on_disk = estimate_;
    } else {
      out.values = rooms_.first();
    }
    return {};
  }

 private:
  Status start(std::span<const float> given, bool has_zeros) {
    switch (options_.start) {
      case DeconvolutionStart::constant:
        update_.set(estimate_, control_.mean());
        return {};
      case DeconvolutionStart::given:
        std::transform(given.begin(), given.end(), estimate_.begin(),
                       [&](float v) { return std::max(v, 0.0F) * scale_; });
        return {};
      case DeconvolutionStart::image:
        break;
    }
    update_.first_estimate(seen_, estimate_);
    if (!has_zeros) return {};
    if (Status done = model_.forward(estimate_, blurred_, context_); !done) return done;
    update_.light_zeros(estimate_, blurred_, control_.floor());
    return {};
  }

  // Projects back by the kernel of the next iteration.
  Status project_back(std::span<const float> from, std::span<float> to) {
    return unmatched_ > 0 ? options_.back_projector->forward(from, to, context_)
                          : model_.adjoint(from, to, context_);
  }

  // Projects ones back into `ones_`, if the kernel changes them; overwrites `room`.
  Status project_ones(std::span<float> room) {
    const BlurModel& kernel = unmatched_ > 0 ? *options_.back_projector : model_;
    ones_ = {};
    if (kernel.keeps_ones()) return {};
    if (ones_room_.empty()) {
      if (Status done = rooms_.take(model_.count(), ones_room_); !done) return done;
    }
    ones_ = ones_room_;
    update_.set(room, 1.0F);
    if (Status done = project_back(room, ones_); !done) return done;
    update_.raise(ones_, unmatched_ > 0 ? kLeastUnmatchedOnes : 0.0F);
    return {};
  }

  // Ends an iteration with the other back projector; after the last, resets step_ and ones_.
  Status end_unmatched() {
    if (--unmatched_ > 0) return {};
    if (!step_.empty()) update_.set(step_, 0.0F);
    return project_ones(blurred_);
  }

  BlurModel& model_;
  Observation seen_, held_out_;
  const RichardsonLucyOptions& options_;
  Regulariser* regulariser_;
  JobContext context_;  // stops, but leaves progress to iterations
  Rooms rooms_;
  EstimateUpdate update_;
  IterationControl control_{{}, options_};
  float scale_ = 1.0F;
  int unmatched_ = 0;  // iterations that are left of those with another back projector
  std::span<float> estimate_, blurred_, correction_, ones_, ones_room_, term_, point_, step_;
};

}  // namespace

Result<Deconvolved> richardson_lucy(BlurModel& model, std::span<const float> observed,
                                    const RichardsonLucyOptions& options, Regulariser* regulariser,
                                    std::span<const float> given, const RichardsonLucyHooks& hooks,
                                    const JobContext& context) {
  if (Status ok = check_iterations(model.count(), observed, options, given); !ok) {
    return ok.error();
  }
  if (Status ok = check_back_projector(model.count(), options); !ok) return ok.error();
  if (options.regularisation != Regularisation::none && regulariser == nullptr) {
    return refused_deconvolution("the regularisation is missing", "make one for this data");
  }
  try {
    Iterations work(model, observed, options, regulariser, context);
    const ImageFacts facts = work.look_at_image();
    if (Status ok = check_iterated_values(facts, "the image"); !ok) return ok.error();
    if (Status ok = check_light(facts, observed.size(), options); !ok) return ok.error();
    if (options.start == DeconvolutionStart::given) {
      if (Status ok = check_iterated_values(work.look_at(given), "the estimate to start from");
          !ok) {
        return ok.error();
      }
    }
    if (context.stop_requested()) return cancelled_error();
    if (Status ok = work.begin(facts, given); !ok) return ok.error();
    auto out = run_iterations(work, options, hooks, context);
    if (!out) return out.error();
    if (Status taken = work.take(*out); !taken) return taken.error();
    out->negatives = facts.negatives;
    return out;
  } catch (const std::bad_alloc&) {
    return refused_deconvolution(
        "not enough memory for the estimates of " + std::to_string(model.count()) + " values",
        "convert to particles, deconvolve a part, or close other data");
  }
}

}  // namespace aprscope

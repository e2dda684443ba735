#include "core/operations/deconvolve/deconvolution_operation.hpp"

#include <algorithm>
#include <utility>

#include "core/apr/sample/reconstruction.hpp"
#include "core/base/fingerprint.hpp"
#include "core/image/metrics.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolve_words.hpp"
#include "core/operations/deconvolve/held_out_search.hpp"
#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/deconvolve/resolution.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/measure/comparison.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {
namespace {

// Share of the progress if the resolution is measured, too: by two more runs of as many iterations.
constexpr double kMainShare = 0.35;

std::span<const float> values_of(const Dataset& data) {
  if (data.is_apr()) return data.values().particles();
  return data.values().pixels().values;
}

Result<std::unique_ptr<Regulariser>> make_regulariser(const DeconvolutionPlan& plan,
                                                      const Dataset& input) {
  const Regularisation kind = plan.options.regularisation;
  if (input.is_apr()) {
    return make_particle_regulariser(kind, input.apr().access, plan.options.shares);
  }
  return make_pixel_regulariser(kind, input.size());
}

// An estimate that the operation or its host names; null where it begins with the image itself or
// with a constant.
Result<std::shared_ptr<const Dataset>> named_start(const DeconvolutionPlan& plan,
                                                   const IterationHooks& hooks,
                                                   const JobContext& context) {
  if (hooks.start) return hooks.start;
  if (plan.options.start != DeconvolutionStart::given) return std::shared_ptr<const Dataset>();
  if (!plan.start_file) {
    return Error{"goes on from the deconvolution before it, but there is none", "deconvolve",
                 "put that deconvolution before it, or start from the image"};
  }
  if (plan.start_file->empty()) {
    return Error{"names no file to start from", "deconvolve", "set start_file"};
  }
  auto data = load_file(*plan.start_file, context);
  if (!data) return data.error();
  return Dataset::create(*std::move(data));
}

// The image of the background on the values of the input; null where there is none.
Result<std::shared_ptr<const std::vector<float>>> named_background(const DeconvolutionPlan& plan,
                                                                   const Dataset& input,
                                                                   const IterationHooks& hooks,
                                                                   const JobContext& context) {
  if (hooks.background) return background_values(hooks.background, input, context);
  if (!plan.background_file) return std::shared_ptr<const std::vector<float>>();
  auto data = load_file(*plan.background_file, context);
  if (!data) return data.error();
  return background_values(Dataset::create(*std::move(data)), input, context);
}

Status check_start(const Dataset& start, const Dataset& input) {
  const bool fits = start.is_apr() == input.is_apr() && start.size() == input.size() &&
                    (!input.is_apr() || start.apr().access == input.apr().access ||
                     start.apr().access->particles() == input.apr().access->particles());
  if (!fits) {
    return Error{
        "is no result to start from: it has another structure or size than " + input.name(),
        start.name(), "start from an earlier result on the same data"};
  }
  if (!start.is_apr()) return {};
  const auto field = start.apr().main_field();
  if (field && field->count() == start.apr().access->count()) return {};
  return Error{"has no particle values", start.name(), "start from an earlier result"};
}

// Compares each iterate, as pixels, with the truth.
class TruthMetrics {
 public:
  TruthMetrics(const Dataset& input, std::shared_ptr<const Dataset> truth)
      : input_(input), truth_(std::move(truth)) {}

  Status prepare(const JobContext& context) {
    if (!truth_) return {};
    if (!(truth_->size() == input_.size())) {
      return Error{"has another size than " + input_.name(), truth_->name(),
                   "compare with a truth of the same size"};
    }
    const NonFinite bad = truth_->values().non_finite();
    if (bad.count != 0) {
      return Error{non_finite_text(bad), truth_->name(), "replace them first"};
    }
    if (!truth_->is_apr()) {
      pixels_ = &truth_->values().pixels();
      return {};
    }
    auto made = reconstruct(*truth_->apr().access, truth_->values().particles(),
                            ReconstructionMode::constant, whole(truth_->size()), context);
    if (!made) return made.error();
    made_ = *std::move(made);
    pixels_ = &made_;
    return {};
  }

  // PSNR and SSIM; empty if they cannot be computed, as the iterate does not depend on them.
  std::vector<NamedFigure> measure(std::span<const float> iterate, const JobContext& context) {
    if (pixels_ == nullptr) return {};
    Result<Pixels<float>> image = Pixels<float>();
    if (input_.is_apr()) {
      image = reconstruct(*input_.apr().access, iterate, ReconstructionMode::constant,
                          whole(input_.size()), context);
    } else {
      image->size = input_.size();
      image->values.assign(iterate.begin(), iterate.end());
    }
    if (!image) return {};
    const auto metrics = compare_images(*pixels_, *image, context);
    if (!metrics) return {};
    std::vector<NamedFigure> all = figures_of(*metrics);
    std::erase_if(all, [](const NamedFigure& f) { return f.id != "psnr" && f.id != "ssim"; });
    return all;
  }

 private:
  const Dataset& input_;
  std::shared_ptr<const Dataset> truth_;
  const Pixels<float>* pixels_ = nullptr;
  Pixels<float> made_;
};

Status check_resolution(const DeconvolutionPlan& plan, const std::shared_ptr<const Dataset>& start,
                        const Dataset& input) {
  if (start) {
    return Error{"leaves no two halves to measure the resolution by: it has seen all photons",
                 start->name(), "start from the image, or do not measure it"};
  }
  return check_photon_gain(*plan.resolution, input);
}

}  // namespace

IterationReport told(const RichardsonLucyReport& done, const SearchPhase& phase) {
  IterationReport report;
  report.iteration = phase.before + done.iteration;
  report.of = phase.of;
  report.searching = phase.searching;
  report.seconds = done.seconds;
  report.figures = {
      {"likelihood", "Likelihood", "", done.likelihood},
      {"change", "Change", "", done.change, CurveScale::logarithmic},
  };
  if (phase.held_out) {
    NamedFigure figure{"held_out", "Held out", ""};
    if (phase.searching) figure.value = done.held_out;
    report.figures.push_back(figure);
  }
  return report;
}

Result<DeconvolutionPlan> plan_deconvolution(const Operation& complete, const VoxelSize& voxel,
                                             const Size3& size,
                                             const std::shared_ptr<const Stencil>& known_psf) {
  DeconvolutionPlan plan;
  if (known_psf) {
    plan.psf = *known_psf;
  } else {
    auto psf = psf_of(complete, voxel, size);
    if (!psf) return psf.error();
    plan.psf = *std::move(psf);
  }
  const auto word = [&](const char* id) { return parameter<std::string>(complete, id); };
  plan.boundary = schema::value_of(kBoundaries, word("boundary"));
  plan.scheme = schema::value_of(kDeconvolutionSchemes, word("scheme"));
  plan.near = static_cast<int>(parameter<std::int64_t>(complete, "near"));
  RichardsonLucyOptions& o = plan.options;
  plan_iterations(complete, plan);
  o.stop_change = parameter<double>(complete, "stop_change");
  o.regularisation = schema::value_of(kRegularisations, word("regularisation"));
  o.strength = parameter<double>(complete, "strength");
  o.accelerate = parameter<bool>(complete, "accelerate");
  const StartFrom start = schema::value_of(kStarts, word("start"));
  o.start = start == StartFrom::image      ? DeconvolutionStart::image
            : start == StartFrom::constant ? DeconvolutionStart::constant
                                           : DeconvolutionStart::given;
  plan.hold_out = hold_out_options(complete);
  plan.resolution = resolution_options(complete);
  if (start == StartFrom::file) plan.start_file = parameter<std::string>(complete, "start_file");
  o.offset = static_cast<float>(parameter<double>(complete, "offset"));
  const auto& background = parameter<std::string>(complete, "background_file");
  if (background.empty()) {
    o.background.level = static_cast<float>(parameter<double>(complete, "background"));
  } else {
    plan.background_file = background;
  }
  return plan;
}

Result<DeconvolutionOutcome> deconvolve_on_cpu(const DeconvolutionPlan& asked, const Dataset& input,
                                               std::span<const float> given,
                                               const RichardsonLucyHooks& hooks,
                                               const JobContext& context) {
  DeconvolutionPlan plan = asked;
  auto shares = make_shares(plan, input);
  if (!shares) return shares.error();
  plan.options.shares = *std::move(shares);
  auto model = make_blur(plan, input);
  if (!model) return model.error();
  auto regulariser = make_regulariser(plan, input);
  if (!regulariser) return regulariser.error();
  RichardsonLucyOptions options = plan.options;
  if (plan.back_projector) {
    auto back = make_back_projector(plan, input);
    if (!back) return back.error();
    options.back_projector = *std::move(back);
  }
  auto result = richardson_lucy(**model, values_of(input), options, regulariser->get(), given,
                                hooks, context);
  if (!result) return result.error();
  return DeconvolutionOutcome{*std::move(result), (*model)->description()};
}

Result<DeconvolutionOutcome> deconvolve(const DeconvolutionPlan& plan, const Dataset& input,
                                        const IterationHooks& hooks, const JobContext& context,
                                        const DeconvolutionEngine& engine) {
  const auto start = named_start(plan, hooks, JobContext(context.stop_token()));
  if (!start) return start.error();
  if (*start) {
    if (Status ok = check_start(**start, input); !ok) return ok.error();
  }
  TruthMetrics truth_metrics(input, hooks.truth);
  if (Status ok = truth_metrics.prepare(JobContext(context.stop_token())); !ok) return ok.error();
  DeconvolutionPlan begun = plan;
  begun.shows_iterates = hooks.truth != nullptr;
  if (*start) begun.options.start = DeconvolutionStart::given;
  auto background = named_background(plan, input, hooks, JobContext(context.stop_token()));
  if (!background) return background.error();
  if (*background) begun.options.background.values = *std::move(background);
  if (begun.ranks != nullptr) {
    Fingerprint number;
    if (*start) {
      for (const float value : values_of(**start)) number.add(value);
    }
    if (begun.options.background.values) {
      for (const float value : *begun.options.background.values) number.add(value);
    }
    if (Status all = begun.ranks->agree_on(number.value(), other_data(input.name())); !all) {
      return all.error();
    }
  }
  RichardsonLucyHooks inner;
  inner.keep = hooks.keep;
  SearchPhase phase{0, plan.options.iterations, false, false};
  if (hooks.observer) {
    inner.observer = [&](const RichardsonLucyReport& done, std::span<const float> iterate) {
      IterationReport report = told(done, phase);
      report.against_truth = truth_metrics.measure(iterate, JobContext(context.stop_token()));
      hooks.observer(report, iterate);
    };
  }
  const auto given = *start ? values_of(**start) : std::span<const float>{};
  if (*start && begun.hold_out) {
    return Error{"cannot be ended by held-out photons: what it starts from has seen all of them",
                 (*start)->name(), "end by the change, or start from the image"};
  }
  const JobContext main = begun.resolution ? context.part(0.0, kMainShare) : context;
  if (begun.resolution) {
    if (Status ok = check_resolution(begun, *start, input); !ok) return ok.error();
  }
  auto outcome = begun.hold_out
                     ? search_by_held_out(begun, input, given, inner, main, engine, phase)
                     : engine(begun, input, given, inner, main);
  if (!outcome || !begun.resolution || hooks.keep.stop_requested()) return outcome;
  auto resolution = measure_resolution(begun, input, given, outcome->result.iterations, inner,
                                       context.part(kMainShare, 1.0), engine);
  if (!resolution) return resolution.error();
  outcome->resolution = *resolution;
  if (outcome->resolution && hooks.concluded) hooks.concluded(figures_of(*outcome->resolution));
  return outcome;
}

Error other_data(const std::string& name) {
  return {"has another image or other settings than process 0", name,
          "let all processes see the same files and start them with the same command"};
}

std::string describe(const Operation& complete, const DeconvolutionPlan& plan,
                     const DeconvolutionOutcome& outcome, const std::string& backend) {
  const Deconvolved& done = outcome.result;
  std::string text = describe(complete) + "; " + std::to_string(done.iterations);
  if (done.partial && !plan.hold_out) text += " of " + std::to_string(plan.options.iterations);
  text += " iterations";
  if (done.partial) text += ", partial: kept before the end";
  if (done.converged) text += ", ended by the change";
  if (done.best >= 0) text += ", after which held-out photons are explained best";
  if (outcome.resolution) text += ", " + text_of(*outcome.resolution);
  return text + " (" + outcome.description + ") [" + backend + "]";
}

Data deconvolved_data(const Dataset& input, const IterationHooks& hooks, const Operation& complete,
                      const DeconvolutionPlan& plan, DeconvolutionOutcome outcome,
                      const std::string& backend) {
  std::string line = describe(complete, plan, outcome, backend);
  if (!input.is_apr()) return filtered_image(input, std::move(outcome.result.values));
  Data data = with_field(input.apr(), std::move(outcome.result.values), std::move(line));
  Apr& out = std::get<Apr>(data);
  if (goes_on(complete) && hooks.start && hooks.start->is_apr()) {
    std::vector<std::string> steps = hooks.start->apr().history;
    steps.push_back(std::move(out.history.back()));
    out.history = std::move(steps);
  }
  return data;
}

}  // namespace aprscope

// Deconvolution as an operation, and on the CPU.
#include "core/operations/deconvolve/deconvolve.hpp"

#include <string_view>
#include <utility>

#include "core/base/fingerprint.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/deconvolve/deconvolve_words.hpp"
#include "core/operations/deconvolve/file_deconvolution.hpp"
#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/deconvolve/psf_parameters.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/ranks/ranks.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema deconvolution_schema() {
  OperationSchema made =
      operation_schema("deconvolve", "Deconvolve", "Deconvolve", {DataKind::pixels, DataKind::apr},
                       "Undoes the blur of a point-spread function (Richardson–Lucy).")
          .with(
              integer("iterations", "Iterations", 50)
                  .range(1, 100000)
                  .main()
                  .help("Number of iterations. More of them sharpen more, but also amplify noise."))
          .with(real("stop_change", "Stop at change")
                    .range(0, 1)
                    .help("Stop early once an iteration changes the estimate by less than this "
                          "fraction (0.001 is 0.1 %); 0 never stops early."))
          .with(photon_parameters())
          .with(choice("regularisation", "Regularisation", words_of(kRegularisations))
                    .help("Penalty that suppresses noise. total_variation: smooths but keeps "
                          "edges; tikhonov_miller: smooths evenly; none: no penalty."))
          .with(real("strength", "Strength", 0.002)
                    .range(0, 10)
                    .help("Weight of the regularisation, for an image whose largest value is 1. "
                          "Larger values suppress more noise, and more fine detail."))
          .with(boolean("accelerate", "Accelerate")
                    .help("Extrapolate each step (Biggs and Andrews): fewer iterations for the "
                          "same sharpness."))
          .with(back_projector_parameters())
          .with(choice("start", "Start from", words_of(kStarts))
                    .lead("start")
                    .help("First estimate. image: the image itself; constant: its mean everywhere; "
                          "previous: the result of the previous deconvolution of the same image, "
                          "which is continued; file: an earlier result in a file."))
          .with(text("start_file", "File to start from")
                    .names_file()
                    .help("Earlier result on the same data, .apr or any readable image; used with "
                          "start file."))
          .with(choice("boundary", "Boundary", words_of(kBoundaries))
                    .help("Values assumed beyond the border of the image. reflect: its mirror "
                          "image; zero: zeros."))
          .with(choice("scheme", "Scheme on particles", words_of(kDeconvolutionSchemes))
                    .help("How the PSF is applied to particles. full: all of it, its centre as a "
                          "stencil and the rest by Fourier transform on coarser levels; lean: the "
                          "same in less memory; truncated: a stencil cut to the PSF size. Small "
                          "and separable PSFs are always stencils."))
          .with(integer("near", "Near part")
                    .range(0, 63)
                    .unit("px")
                    .odd()
                    .help("Width (odd) of the centre of the PSF that the schemes full and lean "
                          "apply as a stencil. Larger is more exact and slower; 0 chooses the "
                          "width by its error."))
          .with(background_parameters())
          .with(psf_parameters());
  // Name only changed parameters in descriptions, as there are too many to name all.
  for (ParameterSpec& spec : made.parameters) {
    const bool always = spec.main || is_psf_kind(spec.id);
    spec.described = always ? Described::by_type : Described::changed;
  }
  made.counts = [](const Operation& operation, const std::string& id) {
    if (!back_projector_counts(operation, id)) return false;
    const auto kind = operation.parameters.find("psf");
    const auto* const word =
        kind != operation.parameters.end() ? std::get_if<std::string>(&kind->second) : nullptr;
    return word == nullptr || psf_parameter_counts(*word, id);
  };
  return made;
}

bool has(const Operation& operation, const char* id, const ParameterValue& value) {
  const auto found = operation.parameters.find(id);
  return found != operation.parameters.end() && found->second == value;
}

// Errors of an operation are left to the engine, which reports them.
Operation with_guess(Operation operation, const Dataset& input, const JobContext&) {
  auto whole = complete(operation);
  return whole ? with_guesses(*std::move(whole), input) : operation;
}

std::uint64_t bytes_of_deconvolve(const Operation& operation, const Dataset& input) {
  const auto plan = plan_deconvolution(operation, input.voxel(), input.size());
  return plan ? deconvolution_bytes(*plan, input) : 0;
}

// Prepares processes to share the blur: all must have the same particles and settings. Of an image
// of pixels the first has all the work.
Status share_blur(const Operation& operation, const Dataset& input, const IterationHooks& hooks,
                  DeconvolutionPlan& plan) {
  Ranks& ranks = *hooks.ranks;
  if (ranks.parted()) return {};
  if (hooks.keep.stop_possible()) {
    return Error{"can be ended early in one process only, as several may be at other iterations",
                 input.name(), "use one process, or let it run to its end"};
  }
  if (!input.is_apr()) return ranks.part({});
  Fingerprint number;
  number.add(std::string_view(describe(operation)));
  for (const double weight : plan.psf.weights) number.add(weight);
  const LinearAccess& cells = input.apr().access->particles();
  for (const std::uint64_t end : cells.xz_end()) number.add(end);
  for (const float value : input.values().particles()) number.add(value);
  if (Status all = ranks.agree_on(number.value(), other_data(input.name())); !all) return all;
  plan.ranks = &ranks;
  return {};
}

Result<Data> run_deconvolve(const Operation& asked, const Dataset& input,
                            const IterationHooks& hooks, const JobContext& context) {
  if (Status ok = check_finite(input); !ok) return ok.error();
  const Operation operation = with_guesses(asked, input);
  auto plan = plan_deconvolution(operation, input.voxel(), input.size(), hooks.psf);
  if (!plan) return plan.error();
  Ranks* const ranks = hooks.ranks;
  const std::uint64_t on_this_host = ranks != nullptr && !ranks->parted()
                                         ? static_cast<std::uint64_t>(ranks->place().local_count)
                                         : 1;
  if (Status ok = check_memory(on_this_host * deconvolution_bytes(*plan, input), input); !ok) {
    return ok.error();
  }
  if (ranks != nullptr) {
    if (Status ok = share_blur(operation, input, hooks, *plan); !ok) return ok.error();
  }
  auto outcome = deconvolve(*plan, input, hooks, context);
  if (!outcome) return outcome.error();
  if (ranks != nullptr) {
    if (Status ok = ranks->part({}); !ok) return ok.error();
  }
  return deconvolved_data(input, hooks, operation, *plan, *std::move(outcome), "cpu");
}

}  // namespace

OperationType deconvolve_operation() {
  OperationType type;
  type.schema = deconvolution_schema();
  type.traits.iterates = true;
  type.traits.family = "deconvolve";
  type.traits.panel = "deconvolve";
  type.cpu = {bytes_of_deconvolve, run_deconvolve, nullptr};
  type.file = {deconvolves_in_slabs, bytes_to_deconvolve, deconvolve_apr_file};
  type.goes_on = [](const Operation& operation) {
    return has(operation, "start", std::string("previous"));
  };
  type.settled = with_guess;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope

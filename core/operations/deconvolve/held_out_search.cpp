#include "core/operations/deconvolve/held_out_search.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/operations/deconvolve/photon_parameters.hpp"
#include "core/operations/deconvolve/thinned_data.hpp"

namespace aprscope {
namespace {

// Below this many held-out photons chance decides.
constexpr double kFewestPhotons = 100.0;

// The part of a plan that finds the number of iterations.
struct Search {
  DeconvolutionPlan plan;
  std::shared_ptr<const Dataset> data;
};

Result<Search> prepare(const DeconvolutionPlan& plan, const Dataset& input,
                       const JobContext& context) {
  if (Status ok = check_photon_gain(*plan.hold_out, input); !ok) return ok.error();
  auto thinned = hold_out(input, plan.options.offset, *plan.hold_out, context);
  if (!thinned) return thinned.error();
  if (thinned->photons_held_out < kFewestPhotons) {
    return Error{"has only " + std::to_string(static_cast<std::int64_t>(thinned->photons)) +
                     " photons at a gain of " + to_text(plan.hold_out->gain) +
                     " grey values: too few to hold some out",
                 input.name(), "check photon gain and offset, or end by the change"};
  }
  Search search{plan, with_values(input, std::move(thinned->kept))};
  RichardsonLucyOptions& options = search.plan.options;
  options.offset = 0.0F;
  options.held_out = std::make_shared<const std::vector<float>>(std::move(thinned->held_out));
  return search;
}

}  // namespace

Result<DeconvolutionOutcome> search_by_held_out(const DeconvolutionPlan& plan, const Dataset& input,
                                                std::span<const float> given,
                                                const RichardsonLucyHooks& hooks,
                                                const JobContext& context,
                                                const DeconvolutionEngine& engine,
                                                SearchPhase& phase) {
  phase = {0, plan.options.iterations, true, true};
  int searched = 0;
  int best = 0;
  bool cut = false;
  {
    auto search = prepare(plan, input, context.part(0.0, 0.02));
    if (!search) return search.error();
    const auto found = engine(search->plan, *search->data, given, hooks, context.part(0.02, 0.6));
    if (!found) return found.error();
    searched = found->result.iterations;
    cut = found->result.partial;
    // The worth of the last estimate is unknown, as each is judged at the start of the next
    // iteration: if it rose to the end, all iterations count as good.
    const bool rising = found->result.best == searched - 1 && searched == plan.options.iterations;
    best = rising ? searched : std::max(found->result.best, 1);
  }
  phase = {searched, searched + best, true, false};
  DeconvolutionPlan all = plan;
  all.options.iterations = best;
  all.options.stop_change = 0.0;
  RichardsonLucyHooks rest = hooks;
  // The request to keep the result has ended the search already; the rest runs to its end.
  if (hooks.keep.stop_requested()) rest.keep = {};
  auto outcome = engine(all, input, given, rest, context.part(0.6, 1.0));
  if (!outcome) return outcome.error();
  outcome->result.partial |= cut;
  // The best number of a search that was cut short is unknown.
  outcome->result.best = outcome->result.partial ? -1 : best;
  return outcome;
}

}  // namespace aprscope

#include "core/operations/deconvolve/back_projector_parameters.hpp"

#include <algorithm>

#include "core/operations/deconvolve/deconvolve_words.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

// The back projector of an operation; `unknown` where its word is not known yet.
BackProjection projection_of(const Operation& operation, BackProjection unknown) {
  const auto found = operation.parameters.find("back_projector");
  if (found == operation.parameters.end()) return unknown;
  const auto* const word = std::get_if<std::string>(&found->second);
  return word != nullptr ? schema::value_of(kBackProjections, *word) : unknown;
}

int number_of(const Operation& complete, const char* id) {
  return static_cast<int>(parameter<std::int64_t>(complete, id));
}

}  // namespace

std::vector<ParameterSpec> back_projector_parameters() {
  std::vector<ParameterSpec> all;
  all.push_back(
      schema::choice("back_projector", "Back projector", schema::words_of(kBackProjections))
          .help("Filter that spreads the correction of each iteration over the image. matched: the "
                "flipped PSF (plain Richardson–Lucy); wiener_butterworth: a Wiener–Butterworth "
                "filter, done after a few iterations; wiener_butterworth_start: that filter first, "
                "then the flipped PSF."));
  all.push_back(
      schema::integer("wb_iterations", "Fast iterations", 3)
          .range(1, 100)
          .help("Number of iterations with the Wiener–Butterworth back projector, usually 1 to 5. "
                "They do not converge: more of them only amplify noise."));
  all.push_back(
      schema::real("wb_alpha", "Wiener alpha", 0.01)
          .range(1e-6, 1)
          .help("Damping of the Wiener filter at frequencies that the PSF hardly transmits. Larger "
                "values amplify noise less; use them for noisier images."));
  all.push_back(schema::real("wb_beta", "Gain at the cut-off", 0.01)
                    .range(0, 1)
                    .help("Gain of the filter at the cut-off frequency, one cycle per full width "
                          "at half maximum of the PSF. Smaller values suppress fine detail and "
                          "noise more; 0 takes the gain of the PSF there."));
  all.push_back(schema::integer("wb_order", "Butterworth order", 10)
                    .range(1, 100)
                    .help("Steepness with which the Butterworth filter falls at the cut-off "
                          "frequency; larger values are steeper."));
  return all;
}

bool back_projector_counts(const Operation& operation, const std::string& id) {
  if (id == "iterations") {
    return projection_of(operation, BackProjection::matched) != BackProjection::wiener_butterworth;
  }
  if (id.rfind("wb_", 0) != 0) return true;
  return projection_of(operation, BackProjection::wiener_butterworth) != BackProjection::matched;
}

bool is_unmatched_only(const Operation& complete) {
  return projection_of(complete, BackProjection::matched) == BackProjection::wiener_butterworth;
}

void plan_iterations(const Operation& complete, DeconvolutionPlan& plan) {
  plan.options.iterations = most_iterations(complete);
  if (projection_of(complete, BackProjection::matched) == BackProjection::matched) return;
  plan.options.unmatched = number_of(complete, "wb_iterations");
  plan.back_projector = {parameter<double>(complete, "wb_alpha"),
                         parameter<double>(complete, "wb_beta"), number_of(complete, "wb_order")};
}

int most_iterations(const Operation& complete) {
  switch (projection_of(complete, BackProjection::matched)) {
    case BackProjection::matched:
      break;
    case BackProjection::wiener_butterworth:
      return number_of(complete, "wb_iterations");
    case BackProjection::wiener_butterworth_start:
      return number_of(complete, "wb_iterations") + number_of(complete, "iterations");
  }
  return number_of(complete, "iterations");
}

Operation with_iterations(Operation complete, int count) {
  count = std::max(count, 1);
  const BackProjection by = projection_of(complete, BackProjection::matched);
  const int fast = by == BackProjection::matched ? 0 : number_of(complete, "wb_iterations");
  if (by == BackProjection::matched ||
      (by == BackProjection::wiener_butterworth_start && count > fast)) {
    complete.parameters["iterations"] = static_cast<std::int64_t>(count - fast);
    return complete;
  }
  complete.parameters["back_projector"] = std::string("wiener_butterworth");
  complete.parameters["wb_iterations"] = static_cast<std::int64_t>(count);
  return complete;
}

}  // namespace aprscope

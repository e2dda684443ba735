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
          .help("What carries the correction of an iteration back: the flipped PSF (matched); a "
                "Wiener–Butterworth filter of it, for which a few iterations do; or that in the "
                "first iterations and the flipped PSF in those that follow."));
  all.push_back(schema::integer("wb_iterations", "Fast iterations", 3)
                    .range(1, 100)
                    .help("How many iterations take the Wiener–Butterworth back projector: 1 to 5; "
                          "they come to no end, more only amplify noise."));
  all.push_back(schema::real("wb_alpha", "Wiener alpha", 0.01)
                    .range(1e-6, 1)
                    .help("What holds the Wiener filter down where the PSF lets little through; "
                          "more for noisier images."));
  all.push_back(schema::real("wb_beta", "Gain at the cut-off", 0.01)
                    .range(0, 1)
                    .help("What the Butterworth filter lets through at the frequency of the PSF's "
                          "width; 0: as much as the PSF does."));
  all.push_back(schema::integer("wb_order", "Butterworth order", 10)
                    .range(1, 100)
                    .help("How steeply the Butterworth filter falls."));
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

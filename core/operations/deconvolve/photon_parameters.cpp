#include "core/operations/deconvolve/photon_parameters.hpp"

#include <algorithm>

#include "core/deconvolution/iterate/photon_gain.hpp"
#include "core/operations/deconvolve/back_projector_parameters.hpp"
#include "core/operations/deconvolve/deconvolve_words.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

constexpr double kLargestGain = 1e9;
constexpr double kSmallestGain = 1e-9;

Result<double> guess(const Dataset& input) {
  return guess_photon_gain(input.values().pixels().values, input.size());
}

}  // namespace

std::vector<ParameterSpec> photon_parameters() {
  std::vector<ParameterSpec> all;
  all.push_back(schema::choice("stop", "End by", schema::words_of(kStops))
                    .help("How a run ends before the number of iterations. change: when iterations "
                          "change little; held_out: when photons held out of the image show that "
                          "noise is being fitted; auto: held_out if the photon gain is known, "
                          "unless an earlier result is continued."));
  all.push_back(schema::boolean("resolution", "Measure the resolution")
                    .help("Also deconvolve two random halves of the photons separately and report "
                          "down to which detail the results agree (Fourier shell correlation, "
                          "1/7). Takes three times as long."));
  all.push_back(schema::real("photon_gain", "Photon gain")
                    .range(0, kLargestGain)
                    .unit("grey values")
                    .help("Grey values per photon, needed for held-out photons and for the "
                          "resolution. 0 estimates it from the noise of the pixels, which is "
                          "unreliable on images that were smoothed or resampled."));
  all.push_back(
      schema::integer("seed", "Seed", 1)
          .range(0, 1'000'000'000)
          .help("Seed of the random numbers that choose the photons to hold out, or divide them "
                "into halves. Another seed chooses others; the same seed gives the same result."));
  return all;
}

bool ends_by_held_out(const Operation& complete) {
  switch (schema::value_of(kStops, parameter<std::string>(complete, "stop"))) {
    case StopBy::change:
      return false;
    case StopBy::held_out:
      return true;
    case StopBy::automatic:
      break;
  }
  // A handful of unmatched iterations is never too many.
  if (is_unmatched_only(complete)) return false;
  const StartFrom start = schema::value_of(kStarts, parameter<std::string>(complete, "start"));
  // An earlier result was made with all photons.
  return parameter<double>(complete, "photon_gain") > 0.0 && start != StartFrom::previous &&
         start != StartFrom::file;
}

std::optional<HoldOutOptions> hold_out_options(const Operation& complete) {
  if (!ends_by_held_out(complete)) return std::nullopt;
  HoldOutOptions options;
  options.gain = parameter<double>(complete, "photon_gain");
  options.seed = static_cast<std::uint64_t>(parameter<std::int64_t>(complete, "seed"));
  return options;
}

std::optional<HoldOutOptions> resolution_options(const Operation& complete) {
  if (!parameter<bool>(complete, "resolution")) return std::nullopt;
  HoldOutOptions options;
  options.gain = parameter<double>(complete, "photon_gain");
  options.share = 0.5;
  options.seed = static_cast<std::uint64_t>(parameter<std::int64_t>(complete, "seed"));
  return options;
}

bool lacks_photon_gain(const Operation& complete) {
  return (ends_by_held_out(complete) || parameter<bool>(complete, "resolution")) &&
         parameter<double>(complete, "photon_gain") == 0.0;
}

Operation with_photon_gain(Operation complete, const Dataset& input) {
  if (!lacks_photon_gain(complete) || input.is_apr()) return complete;
  if (const auto gain = guess(input)) {
    if (!ends_by_held_out(complete)) complete.parameters["stop"] = std::string("change");
    complete.parameters["photon_gain"] = std::clamp(*gain, kSmallestGain, kLargestGain);
  }
  return complete;
}

Status check_photon_gain(const HoldOutOptions& options, const Dataset& input) {
  if (options.gain > 0.0) return {};
  const char* const advice =
      "type it (grey values a photon), or end by the change and without a resolution";
  if (input.is_apr()) {
    return Error{"has no photon gain to hold photons out by: it can be guessed from pixels only",
                 input.name(), advice};
  }
  const auto gain = guess(input);
  if (gain) return {};
  return Error{gain.error().what, input.name(), advice};
}

}  // namespace aprscope

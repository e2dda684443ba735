#include "core/deconvolution/iterate/iteration_check.hpp"

#include <cmath>
#include <string>

#include "core/deconvolution/iterate/refused.hpp"

namespace aprscope {
namespace {

Status check_background(std::size_t count, const BackgroundLight& background) {
  if (!background.values) {
    if (background.level >= 0.0F && std::isfinite(background.level)) return {};
    return refused_deconvolution("the background is not a number from 0", "use grey values from 0");
  }
  if (background.values->size() != count) {
    return refused_deconvolution("the background has " + std::to_string(background.values->size()) +
                                     " values instead of " + std::to_string(count),
                                 "use one of the same size");
  }
  std::uint64_t bad = 0;
  for (const float v : *background.values) bad += std::isfinite(v) && v >= 0.0F ? 0 : 1;
  if (bad == 0) return {};
  return refused_deconvolution(
      "the background holds " + std::to_string(bad) + " values that are negative or not finite",
      "light is from 0; replace them first");
}

}  // namespace

Status check_iterations(std::size_t count, std::span<const float> observed,
                        const RichardsonLucyOptions& options, std::span<const float> given) {
  if (observed.size() != count) {
    return refused_deconvolution("there are " + std::to_string(observed.size()) +
                                     " values instead of " + std::to_string(count),
                                 "use values of the same data");
  }
  if (options.iterations < 1)
    return refused_deconvolution("no iterations are asked for", "ask for one or more");
  if (!(options.strength >= 0.0) || !std::isfinite(options.strength) ||
      !(options.guard > 0.0 && options.guard < 1.0) || !(options.stop_change >= 0.0)) {
    return refused_deconvolution("strength, guard or stop_change is out of range",
                                 "use numbers from 0");
  }
  if (!(options.offset >= 0.0F) || !std::isfinite(options.offset)) {
    return refused_deconvolution("the offset is not a number from 0", "use grey values from 0");
  }
  if (Status ok = check_background(count, options.background); !ok) return ok;
  if (options.held_out && options.held_out->size() != count) {
    return refused_deconvolution("there are " + std::to_string(options.held_out->size()) +
                                     " values held out instead of " + std::to_string(count),
                                 "hold them out of the same data");
  }
  if (options.unmatched < 0)
    return refused_deconvolution("fewer than no iterations are asked for", "use 0");
  if (options.start == DeconvolutionStart::given && given.size() != count) {
    return refused_deconvolution("the estimate to start from has " + std::to_string(given.size()) +
                                     " values instead of " + std::to_string(count),
                                 "start from a result on the same data");
  }
  return {};
}

Status check_back_projector(std::size_t count, const RichardsonLucyOptions& options) {
  if (options.unmatched <= 0) return {};
  if (options.back_projector && options.back_projector->count() == count) return {};
  return refused_deconvolution("the back projector is missing, or is that of other data",
                               "make one for this data");
}

Status check_light(const ImageFacts& facts, std::size_t count,
                   const RichardsonLucyOptions& options) {
  const bool nothing_to_subtract = options.offset == 0.0F && options.background.none();
  if (nothing_to_subtract || facts.zeros < count) return {};
  return refused_deconvolution("nothing of the image is above its offset and background",
                               "make them smaller");
}

Status check_iterated_values(const ImageFacts& facts, const char* what) {
  if (facts.non_finite == 0) return {};
  return refused_deconvolution(std::string(what) + " holds " + std::to_string(facts.non_finite) +
                                   " values that are not finite (NaN or infinity)",
                               "replace them first");
}

}  // namespace aprscope

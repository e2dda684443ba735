#include "core/deconvolution/iteration_check.hpp"

#include <cmath>
#include <string>

namespace aprscope {
namespace {

Error failed(std::string what, std::string advice) {
  return {std::move(what), "deconvolution", std::move(advice)};
}

}  // namespace

Status check_iterations(std::size_t count, std::span<const float> observed,
                        const RichardsonLucyOptions& options, std::span<const float> given) {
  if (observed.size() != count) {
    return failed("there are " + std::to_string(observed.size()) + " values instead of " +
                      std::to_string(count),
                  "use values of the same data");
  }
  if (options.iterations < 1) return failed("no iterations are asked for", "ask for one or more");
  if (!(options.strength >= 0.0) || !std::isfinite(options.strength) ||
      !(options.guard > 0.0 && options.guard < 1.0) || !(options.stop_change >= 0.0)) {
    return failed("strength, guard or stop_change is out of range", "use numbers from 0");
  }
  if (options.start == DeconvolutionStart::given && given.size() != count) {
    return failed("the estimate to start from has " + std::to_string(given.size()) +
                      " values instead of " + std::to_string(count),
                  "start from a result on the same data");
  }
  return {};
}

Status check_iterated_values(const ImageFacts& facts, const char* what) {
  if (facts.non_finite == 0) return {};
  return failed(std::string(what) + " holds " + std::to_string(facts.non_finite) +
                    " values that are not finite (NaN or infinity)",
                "replace them first");
}

}  // namespace aprscope

#include "core/io/common/wnl.hpp"

#include <cmath>
#include <vector>

namespace aprscope {
namespace {

// Read noise and gain (grey values a photon) that the format's coding assumes as constants.
constexpr double kReadNoise = 1.6;
constexpr double kGain = 2.0;

}  // namespace

std::uint16_t wnl_decode(std::uint16_t stored, const WnlParameters& parameters) {
  // Even numbers hold v ≥ 0, odd ones v < 0.
  const int v = (stored & 1U) == 0 ? stored / 2 : -((stored + 1) / 2);
  const double d = static_cast<double>(parameters.quantization) * v + 2 * kReadNoise;
  const double background = parameters.background;
  const double intensity =
      d >= 2 * kReadNoise ? (d * d / 4 - kReadNoise * kReadNoise) * kGain + background : background;
  if (!(intensity > 0)) return 0;
  return intensity >= 65535 ? 65535 : static_cast<std::uint16_t>(std::lround(intensity));
}

Status wnl_decode(std::span<std::uint16_t> values, const WnlParameters& parameters,
                  const JobContext& context) {
  if (!std::isfinite(parameters.quantization) || parameters.quantization <= 0 ||
      !std::isfinite(parameters.background)) {
    return Error{"the settings of its lossy compression are not valid", "", "the file is damaged"};
  }
  std::vector<std::uint16_t> table(65536);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = wnl_decode(static_cast<std::uint16_t>(i), parameters);
  }
  constexpr std::size_t kBlock = 1U << 20U;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    if (context.stop_requested()) return cancelled_error();
    for (auto& value : values.subspan(begin, std::min(kBlock, values.size() - begin))) {
      value = table[value];
    }
  }
  return {};
}

}  // namespace aprscope

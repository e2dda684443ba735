#include "core/maps/sharpening.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/maps/map_spectrum.hpp"
#include "core/maps/raised_cosine.hpp"
#include "core/maps/shells.hpp"

namespace aprscope {
namespace {

std::string rounded(double value) {
  std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 3);
}

// The weight between shells on the straight line; that of the last one beyond.
double weight_at(const std::vector<double>& fsc, double k) {
  const auto last = static_cast<double>(fsc.size() - 1);
  const double at = std::min(k, last);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, fsc.size() - 1);
  const double part = at - std::floor(at);
  return (1.0 - part) * fsc_weight(fsc[below]) + part * fsc_weight(fsc[above]);
}

Error too_few(const Guinier& plot) {
  return {"has " + std::to_string(plot.shells) + " shells between " + rounded(plot.from) +
              " Å and " + rounded(plot.to) + " Å, and a B-factor wants three at the least",
          "sharpening", "type a B-factor, or widen the range of the fit"};
}

}  // namespace

double fsc_weight(double fsc) { return fsc > 0.0 ? std::sqrt(2.0 * fsc / (1.0 + fsc)) : 0.0; }

Result<SharpenedMap> sharpened(std::span<const float> map, std::int64_t side, double voxel,
                               const SharpenSettings& settings, const JobContext& context) {
  const double nyquist = 2.0 * voxel;
  SharpenedMap out;
  out.low_pass = nyquist;
  if (settings.low_pass) {
    out.low_pass = *settings.low_pass;
  } else if (!settings.fsc.empty()) {
    out.low_pass = crossing(settings.fsc, kGoldStandard, side, voxel).value_or(nyquist);
  }
  if (!(out.low_pass >= nyquist * (1.0 - 1e-9))) {
    return Error{"a low-pass limit of " + rounded(out.low_pass) + " Å is finer than two voxels, " +
                     rounded(nyquist) + " Å",
                 "sharpening", "use a coarser limit"};
  }
  if (!settings.fsc.empty() && static_cast<std::int64_t>(settings.fsc.size()) != side / 2 + 1) {
    return Error{"the correlation has " + std::to_string(settings.fsc.size()) +
                     " shells, the map has " + std::to_string(side / 2 + 1),
                 "sharpening", "use half maps of the map's size"};
  }
  const double length = static_cast<double>(side) * voxel;
  const double limit = length / out.low_pass;
  const double fit_to = settings.fit_to.value_or(out.low_pass);
  if (settings.mtf) {
    const double kept = (limit + kLowPassEdge / 2.0) / length;
    const double fitted = settings.b_factor ? 0.0 : std::min(1.0 / fit_to, 1.0 / nyquist);
    if (Status ok = check_mtf(*settings.mtf, std::max(kept, fitted)); !ok) return ok.error();
  }
  auto spectrum = MapSpectrum::of(map, side, context.part(0.0, 0.45));
  if (!spectrum) return spectrum.error();
  if (settings.mtf) divide_by_mtf(*spectrum, *settings.mtf, voxel);
  if (!settings.fsc.empty()) {
    spectrum->multiply([&](double k) { return weight_at(settings.fsc, k); });
  }
  out.guinier = guinier(radial_amplitude(*spectrum), side, voxel, settings.fit_from, fit_to);
  if (!settings.b_factor && !out.guinier.line) return too_few(out.guinier);
  out.b_factor = settings.b_factor ? *settings.b_factor : out.guinier.line->b_factor();
  spectrum->multiply([&](double k) {
    const double weight = low_pass_weight(k, limit);
    // Beyond the limit the exponential may overflow, so it is not computed there.
    return weight > 0.0 ? weight * std::exp(-out.b_factor * k * k / (4.0 * length * length)) : 0.0;
  });
  auto sharp = (*std::move(spectrum)).to_map(context.part(0.55, 1.0));
  if (!sharp) return sharp.error();
  out.map = *std::move(sharp);
  return out;
}

}  // namespace aprscope

#include "core/maps/fsc_curves.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "core/maps/map_spectrum.hpp"
#include "core/maps/random_phases.hpp"
#include "core/maps/shells.hpp"

namespace aprscope {
namespace {

// The correction starts so many shells after the first random one, as the mask mixes neighbours.
constexpr std::int64_t kGuard = 2;

Result<MapSpectrum> masked_spectrum(std::vector<float> map, std::int64_t side,
                                    std::span<const float> mask, const JobContext& context) {
  for (std::size_t i = 0; i < map.size(); ++i) map[i] *= mask[i];
  return MapSpectrum::of(map, side, context);
}

// The map with random phases, masked.
Result<MapSpectrum> substituted(std::span<const float> map, std::int64_t side,
                                std::span<const float> mask, std::int64_t from,
                                const FscSettings& settings, std::uint64_t stream,
                                const JobContext& context) {
  auto spectrum = MapSpectrum::of(map, side, context.part(0.0, 0.4));
  if (!spectrum) return spectrum;
  randomise_phases(*spectrum, from, settings.seed, stream);
  auto random = (*std::move(spectrum)).to_map(context.part(0.4, 0.6));
  if (!random) return random.error();
  return masked_spectrum(*std::move(random), side, mask, context.part(0.6, 1.0));
}

std::int64_t first_below(const std::vector<double>& curve, double threshold) {
  for (std::size_t s = 1; s < curve.size(); ++s) {
    if (curve[s] < threshold) return static_cast<std::int64_t>(s);
  }
  return 0;
}

std::vector<double> corrected(const FscCurves& curves) {
  std::vector<double> out = curves.masked;
  for (auto s = static_cast<std::size_t>(curves.randomised_from + kGuard); s < out.size(); ++s) {
    const double chance = curves.randomised[s];
    out[s] = chance < 1.0 ? (curves.masked[s] - chance) / (1.0 - chance) : 0.0;
  }
  return out;
}

}  // namespace

const std::vector<double>& FscCurves::best() const {
  return !corrected.empty() ? corrected : !masked.empty() ? masked : unmasked;
}

Result<FscCurves> fsc_curves(std::span<const float> first, std::span<const float> second,
                             std::int64_t side, std::span<const float> mask,
                             const FscSettings& settings, const JobContext& context) {
  const bool has_mask = !mask.empty();
  FscCurves curves;
  auto unmasked = shell_correlation(first, second, side, context.part(0.0, has_mask ? 0.25 : 1.0));
  if (!unmasked) return unmasked.error();
  curves.unmasked = *std::move(unmasked);
  if (!has_mask) return curves;
  if (mask.size() != first.size()) {
    return Error{"the mask has " + std::to_string(mask.size()) + " values, the maps have " +
                     std::to_string(first.size()),
                 "Fourier shell correlation", "use a mask of the maps' size"};
  }
  {
    auto a = masked_spectrum({first.begin(), first.end()}, side, mask, context.part(0.25, 0.35));
    if (!a) return a.error();
    auto b = masked_spectrum({second.begin(), second.end()}, side, mask, context.part(0.35, 0.45));
    if (!b) return b.error();
    curves.masked = shell_correlation(*a, *b);
  }
  curves.randomised_from = first_below(curves.unmasked, settings.randomise_below);
  if (curves.randomised_from == 0) {
    curves.corrected = curves.masked;
    return curves;
  }
  auto a =
      substituted(first, side, mask, curves.randomised_from, settings, 1, context.part(0.45, 0.7));
  if (!a) return a.error();
  auto b =
      substituted(second, side, mask, curves.randomised_from, settings, 2, context.part(0.7, 0.95));
  if (!b) return b.error();
  curves.randomised = shell_correlation(*a, *b);
  curves.corrected = corrected(curves);
  return curves;
}

std::uint64_t fsc_bytes(std::int64_t side) {
  // Two spectra and two maps at a time; sums of each plane.
  const auto n = static_cast<std::uint64_t>(side);
  const std::uint64_t spectrum = n * n * (n + 32) * sizeof(float);
  return 2 * spectrum + 2 * n * n * n * sizeof(float) + n * (n / 2 + 1) * 3 * sizeof(double);
}

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/maps/detector_mtf.hpp"
#include "core/maps/guinier.hpp"

namespace aprscope {

/// All lengths in Å.
struct SharpenSettings {
  /// B-factor in Å²; negative sharpens. None: from the fit.
  std::optional<double> b_factor{};
  /// Resolution of the low-pass. None: where `fsc` falls below .143; without `fsc` Nyquist.
  std::optional<double> low_pass{};
  /// Range of the fit. No `fit_to`: the low-pass limit.
  double fit_from = 10.0;
  std::optional<double> fit_to{};
  /// Correlation of the half maps, one value a shell; empty: unknown, then nothing is weighed.
  std::vector<double> fsc{};
  /// MTF of the detector; none: amplitudes are not divided by it.
  std::optional<DetectorMtf> mtf{};
};

struct SharpenedMap {
  std::vector<float> map;
  /// The fit to the map before sharpening, divided by the MTF and weighed.
  Guinier guinier;
  double b_factor = 0.0;
  double low_pass = 0.0;
};

/// Divides a cubic map of `side`³ values of `voxel` Å by the MTF of the detector, weighs it by
/// √(2 FSC ÷ (1 + FSC)), multiplies by exp(−B k²/4) and cuts at the resolution with a raised cosine
/// of two shells (Rosenthal & Henderson 2003, J. Mol. Biol. 333:721), in the order of
/// relion_postprocess. Errors: too few shells to fit B to, a limit beyond Nyquist, an MTF below
/// kLeastMtf at frequencies that are kept or fitted to, no memory, cancelled.
Result<SharpenedMap> sharpened(std::span<const float> map, std::int64_t side, double voxel,
                               const SharpenSettings& settings, const JobContext& context = {});

/// Weight of a correlation of half maps for the amplitude of the full map.
double fsc_weight(double fsc);

}  // namespace aprscope

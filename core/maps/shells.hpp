#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

class MapSpectrum;

// Curves over shells of spatial frequency: shell s holds the frequencies with round(|k|) = s, k in
// cycles a side of the map, s = 0 … side / 2. Its spatial frequency is s / (side · voxel).

/// Fourier shell correlation (Harauz & van Heel 1986) of two cubic maps of `side`³ values:
/// Re Σ F₁F₂* ÷ √(Σ|F₁|² Σ|F₂|²) a shell; 0 where a map has nothing there. Summed in f64 and in one
/// order: the same bits for any number of threads. Errors: other lengths, no memory, cancelled.
Result<std::vector<double>> shell_correlation(std::span<const float> a, std::span<const float> b,
                                              std::int64_t side, const JobContext& context = {});
/// The same of spectra of one side.
std::vector<double> shell_correlation(const MapSpectrum& a, const MapSpectrum& b);

/// The mean of |F| a shell, F the unscaled transform.
std::vector<double> radial_amplitude(const MapSpectrum& map);

/// Below this correlation two independent half maps have no reliable signal (Rosenthal & Henderson
/// 2003).
constexpr double kGoldStandard = 0.143;

/// Å (or the unit of `voxel`) at which a curve over shells first falls below `threshold`, shell 0
/// left aside, on the straight line between two shells: side · voxel ÷ s. None: it never does, so
/// the map is good up to Nyquist (2 voxels); NaN marks a missing shell and ends the search.
std::optional<double> crossing(std::span<const double> curve, double threshold, std::int64_t side,
                               double voxel);

}  // namespace aprscope

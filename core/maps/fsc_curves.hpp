#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

struct FscSettings {
  /// Phases are randomised from the shell on where the unmasked curve first falls below this.
  double randomise_below = 0.8;
  std::uint64_t seed = 1;
};

/// Correlations of two maps, one value a shell 0 … side / 2, see shells.hpp.
struct FscCurves {
  std::vector<double> unmasked;
  /// Curve of both maps times the mask; empty without one, as are the next two.
  std::vector<double> masked;
  /// The same of maps whose phases are random from `randomised_from` on: what the mask alone makes
  /// agree. Empty where the unmasked curve never falls far enough.
  std::vector<double> randomised;
  /// (masked − randomised) ÷ (1 − randomised) from two shells after `randomised_from` on, the
  /// masked curve before.
  std::vector<double> corrected;
  std::int64_t randomised_from = 0;
  /// The lowest and the highest curve along a direction, see directional_fsc(), and the shells'
  /// curves of all directions; empty unless asked for.
  std::vector<double> lowest{}, highest{};
  std::vector<std::vector<double>> along{};

  /// The one that a resolution is read from: corrected, else masked, else unmasked.
  [[nodiscard]] const std::vector<double>& best() const;
};

/// Correlations of two cubic maps of `side`³ values inside a mask of as many (0 … 1; empty: none),
/// with phase randomisation to correct for the effect of the mask (Chen et al. 2013,
/// Ultramicroscopy 135:24). Same bits for any number of threads. Errors: other lengths, no memory,
/// cancelled.
Result<FscCurves> fsc_curves(std::span<const float> first, std::span<const float> second,
                             std::int64_t side, std::span<const float> mask,
                             const FscSettings& settings = {}, const JobContext& context = {});

/// Bytes that fsc_curves() takes at most beyond its arguments.
std::uint64_t fsc_bytes(std::int64_t side);

}  // namespace aprscope

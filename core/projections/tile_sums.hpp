#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/projections/frequency_tiles.hpp"
#include "core/projections/symmetry.hpp"

namespace aprscope {

/// Calls work(x, y, z, at) for the voxels of a tile that lie in the ball; at is where Re G lies.
template <class Work>
void each_voxel(const FrequencyTiles& tiles, std::int64_t tile, const Work& work) {
  const auto& origin = tiles.origins()[static_cast<std::size_t>(tile)];
  const std::int64_t side = tiles.side();
  const std::int64_t limit = tiles.reach() * tiles.reach();
  std::int64_t at = tile * tiles.stride();
  for (std::int64_t z = origin[2]; z < origin[2] + side; ++z) {
    for (std::int64_t y = origin[1]; y < origin[1] + side; ++y) {
      for (std::int64_t x = origin[0]; x < origin[0] + side; ++x, ++at) {
        if (x * x + y * y + z * z <= limit) work(x, y, z, at);
      }
    }
  }
}

/// The shell of a padded frequency, round(|v|). The root of a whole number is never half-integral,
/// so truncation gives the same as lround(), which would be a function call for each voxel.
inline std::size_t shell_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  // NOLINTNEXTLINE(bugprone-incorrect-roundings)
  return static_cast<std::size_t>(std::sqrt(static_cast<double>(x * x + y * y + z * z)) + 0.5);
}

/// Replaces both members of each Hermitian pair in the plane x = 0 by their mean.
void average_pairs(const FrequencyTiles& tiles, std::span<float> sums);

/// The sum over t of `aligned` of sums(t v) to `out`, conjugated where the half that is stored is
/// that of −t v. Pairs in the plane x = 0 must agree.
void symmetrise(const FrequencyTiles& tiles, std::span<const float> sums,
                std::span<const GridRotation> aligned, std::span<float> out);
/// symmetrise() into new memory.
std::vector<float> symmetrised(const FrequencyTiles& tiles, std::span<const float> sums,
                               std::span<const GridRotation> aligned);

/// Mean W of each padded shell 0 … reach.
std::vector<double> shell_weights(const FrequencyTiles& tiles, std::span<const float> sums);

/// Share of voxels of the ball whose W is below `share` of their shell's mean.
double thin_share(const FrequencyTiles& tiles, std::span<const float> sums,
                  std::span<const double> weights, double share);

/// Correlation of the sums of two halves at each shell 0 … side/2 of a map of `side` voxels, whose
/// frequencies are `padded` ÷ side times as far apart: of F = G ÷ (W + share · the shell's mean of
/// W), Re Σ F1 F2* ÷ √(Σ|F1|² Σ|F2|²), over all padded frequencies round one of the map's; 0 where
/// a half has nothing. It is computed without maps, so what lies between the box and its padding
/// counts, too.
std::vector<double> tile_correlation(const FrequencyTiles& tiles, std::span<const float> one,
                                     std::span<const float> other, double share,
                                     std::int64_t padded, std::int64_t side);

/// G ÷ (W + tau of the shell) in place of G; 0 where that would divide by 0.
void divide(const FrequencyTiles& tiles, std::span<float> sums, std::span<const double> tau);

}  // namespace aprscope

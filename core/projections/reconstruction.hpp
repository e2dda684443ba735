#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/projections/group_noise.hpp"

namespace aprscope {

/// Viewing directions, counted in cells of equal area: `rows` bands of equal height in cos tilt
/// from 1 to −1, `columns` of rot from −180° to 180°; counts are row by row. The directions of all
/// copies under the symmetry are counted.
struct DirectionHistogram {
  int rows = 18;
  int columns = 36;
  std::vector<double> counts;
};

/// A map and what belongs to it.
struct Reconstruction {
  std::int64_t side = 0;
  /// Å a voxel.
  double pixel_size = 1.0;
  /// side³ values, x fastest; the halves' are empty without halves.
  std::vector<float> map, half1, half2;
  /// Correlation of the halves for each shell 0 … side/2; empty without halves.
  std::vector<double> fsc;
  DirectionHistogram directions;
  /// Mean W of each shell 0 … side/2.
  std::vector<double> shell_weight;
  /// Share of Fourier voxels whose W is below 10 % of their shell's mean.
  double thin_share = 0.0;
  /// Noise of each optics group, where weights follow it.
  std::vector<NoisePower> noise;
  /// Number of images in the map, of `total` to be inserted; number of rows left out.
  std::int64_t images = 0;
  std::int64_t total = 0;
  std::int64_t left_out = 0;
  /// Among those left out: images with pixels that are not numbers, found when they were read.
  std::int64_t unsound = 0;
  /// Whether it was ended before all images were in.
  bool partial = false;
  std::vector<std::string> notes;
};

/// What can be shown of a map while it grows: its central (2h' + 1)³ frequencies, h' = min(h, 64).
struct LiveMap {
  std::int64_t done = 0, total = 0;
  std::int64_t side = 0;
  double pixel_size = 1.0;
  std::vector<float> map;
  /// Correlation of the halves' sums, near that of their maps, see tile_correlation(); or empty.
  std::vector<double> fsc;
};

}  // namespace aprscope

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Properties of the level sets at each level that occurs, in the order in which levels enter.
struct TopologyCurves {
  std::vector<double> levels;
  /// Index of each of these levels among the levels that were counted.
  std::vector<std::size_t> places;
  /// Voxels that have this value.
  std::vector<std::int64_t> voxels;
  /// How much this level changes the Euler characteristic (VCEC), and the Euler characteristic of
  /// the set with everything up to it: pieces − tunnels + voids.
  std::vector<std::int64_t> change;
  std::vector<std::int64_t> euler;
  /// 3 for a volume, 2 for an image of one slice.
  int dimension = 3;
  /// Minkowski functionals of the digital set in powers of the voxel's unit: volume (in 2-D the
  /// area), surface (perimeter) and mean breadth (3-D only). Of a smooth body the
  /// digital surface is 3/2 of the true one and the breadth 3/2, whatever the resolution (2-D
  /// perimeter: 4/π).
  std::vector<double> volume;
  std::vector<double> surface;
  std::vector<double> breadth;
};

/// Which levels curves have: those with a voxel, or all. Infinite levels are no thresholds and
/// never have a row; strata that entered with an infinite first level belong to all others.
enum class CurveRows { with_voxels, all };

/// The curves of counts over `levels` (as many as the counts have). Counts are whole numbers up to
/// the last multiplication, so equal counts give equal curves.
TopologyCurves topology_curves(const StrataCounts& counts, const std::vector<double>& levels,
                               const Size3& size, const VoxelSize& voxel, Construction construction,
                               CurveRows rows = CurveRows::with_voxels);

/// Levels at which the Euler characteristic changes sign (zeros have none), where it goes beyond
/// `share` of its largest magnitude on both sides: the first level with the new sign.
std::vector<double> zero_crossings(const TopologyCurves& curves, double share = 0.01);

/// The middle of the longest range of thresholds over which the Euler characteristic stays as it is
/// (and not 0), among those that keep between 0.1 % and 99.9 % of the voxels. None: nothing is kept
/// between these.
std::optional<double> longest_plateau(const TopologyCurves& curves);

/// The threshold that separates values best into two classes (Otsu 1979: largest variance between
/// the classes): of superlevel sets the first value of the brighter class, of sublevel sets the
/// last one of the darker class, so that both keep their own class; none for one value. `counts`:
/// how often each of `levels` occurs (as many); levels rise or fall.
std::optional<double> otsu_threshold(std::span<const double> levels,
                                     std::span<const std::int64_t> counts, LevelSets sets);

}  // namespace aprscope

#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace aprscope {

/// A position or a way in pixels, order z, x, y.
using TilePosition = std::array<double, 3>;

/// What two tiles say of how they lie to each other.
struct TileLink {
  std::size_t first = 0;
  std::size_t second = 0;
  /// Position of the second less that of the first.
  TilePosition way{0.0, 0.0, 0.0};
  /// How much it counts; 0: not at all.
  double weight = 1.0;
};

/// Positions that fit all links best: least squares over the graph, Σ w |p_second − p_first −
/// way|², with weights that links which disagree with the others by more than a few pixels lose
/// (iterated with Cauchy's weights), so that a wrong one does not tear tiles apart. What is not
/// linked keeps its place to its neighbours as `nominal` has it, and so does the middle of all.
/// Links that were given up have weight 0 afterwards: those off by more than `most_off` pixels.
std::vector<TilePosition> place_tiles(const std::vector<TilePosition>& nominal,
                                      std::vector<TileLink>& links, double most_off);

/// How far a link is from what positions say, in pixels.
double distance_off(const std::vector<TilePosition>& positions, const TileLink& link);

}  // namespace aprscope

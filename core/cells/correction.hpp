#pragma once

#include <cstdint>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// Corrections of the labels of an image by hand.
enum class CorrectionAction {
  /// The labels at the points become the one at the first point.
  merge,
  /// The label at the points is divided among them by a watershed of the signal; the first point
  /// keeps the label, each other one gets a new one.
  split,
  /// The labels at the points become background.
  remove,
  /// The background round each point, as far as it is connected across faces (and no further than
  /// the radius, where there is one), gets a new label.
  create,
  /// Background that the labels at the points enclose gets their label.
  fill_holes,
  /// Background at most the radius away from the labels at the points gets their label.
  grow,
  /// Pixels of each label at a point become background if a pixel without that label lies within
  /// the radius. What lies beyond the image does not count.
  shrink,
  /// Balls about all points get the label at the first point / become background.
  paint,
  erase,
  /// Labels get numbers from 1 on without gaps, in the order of their first pixels.
  relabel
};

/// A correction: positions say which labels are meant, so that it can be made again on labels with
/// other numbers.
struct Correction {
  CorrectionAction action = CorrectionAction::merge;
  /// Positions in pixels (z, x, y).
  std::vector<Index3> points;
  /// Radius in the unit of the voxel size.
  double radius = 0.0;
  /// Paint and erase: −1: the brush is a ball; else its middle section in so many slices on either
  /// side of the point.
  std::int64_t slices = -1;
  /// Split: walls are darker than what is between them.
  bool dark_walls = false;
};

}  // namespace aprscope

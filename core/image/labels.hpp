#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// Which pixels are neighbours: those that share a face (6; in one slice 4), those that share an
/// edge as well (18; 8), those that share a corner as well (26; 8).
enum class Connectivity { faces, edges, corners };

/// What was found out about a label when it was made: what makes its volume untrustworthy.
struct LabelFinding {
  std::uint32_t label = 0;
  /// Radius of the widest opening between inside and outside of the object, in the unit of the
  /// voxel size, and where that is; 0: closed, NaN: not looked at.
  double leak_radius = std::numeric_limits<double>::quiet_NaN();
  Index3 leak_at{0, 0, 0};
  /// Voxels of the object when each z slice is filled by itself; NaN: not looked at. More than its
  /// own voxels mean that it is open: a hole, a handle, a cup.
  double voxels_per_slice = std::numeric_limits<double>::quiet_NaN();
  /// The z slice with the largest difference of these from its own voxels; -1: none.
  std::int64_t most_open_slice = -1;
  /// The object was made by filling a membrane and was not checked for leaks, or was changed after
  /// the check.
  bool unchecked = false;

  friend bool operator==(const LabelFinding& a, const LabelFinding& b);
};

/// A finding for each label from 1 on, in which nothing is known yet.
std::vector<LabelFinding> unknown_findings(std::uint32_t largest);

/// A cell without label, since the outside leaks in. Its widest opening is at this pixel; a closing
/// by `radius` (in the unit of the voxel size) would close it.
struct OpenCell {
  Index3 at{0, 0, 0};
  double radius = 0.0;
  friend bool operator==(const OpenCell&, const OpenCell&) = default;
};

/// The radius of a closing that closes a leak of radius `leak`: three digits, rounded up, since a
/// smaller radius would close nothing.
double closing_radius(double leak);

/// Which object each pixel of an image, or each particle of an APR, belongs to. Labels belong to
/// the data that they were found on and are immutable like it. Labels are names, not quantities:
/// nothing adds, filters or interpolates them.
struct Labels {
  /// The label of each pixel / particle, in memory order; 0: none.
  std::vector<std::uint32_t> values;
  /// The largest label, or a larger number.
  std::uint32_t largest = 0;
  /// Findings in ascending order of labels; labels of which nothing is known have none.
  std::vector<LabelFinding> findings;
  /// Cells that have no label because they are open, the largest first.
  std::vector<OpenCell> open;

  [[nodiscard]] std::uint64_t bytes() const;
  /// The finding of a label; null where nothing is known of it.
  [[nodiscard]] const LabelFinding* finding(std::uint32_t label) const;
  friend bool operator==(const Labels&, const Labels&) = default;
};

}  // namespace aprscope

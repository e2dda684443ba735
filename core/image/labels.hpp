#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

/// Which pixels are neighbours: those that share a face (6; in one slice 4), also an edge (18; 8),
/// also a corner (26; 8).
enum class Connectivity { faces, edges, corners };

/// What making a label showed about it beside its voxels: what makes its volume untrustworthy.
struct LabelFinding {
  std::uint32_t label = 0;
  /// Radius of the widest opening through which its inside meets the outside, in the unit of the
  /// voxel size, and where that is; 0: closed, NaN: not looked at.
  double leak_radius = std::numeric_limits<double>::quiet_NaN();
  Index3 leak_at{0, 0, 0};
  /// Voxels of it when each z slice is filled by itself; NaN: not looked at. More than it has where
  /// it is open: a hole, a handle, a cup.
  double voxels_per_slice = std::numeric_limits<double>::quiet_NaN();
  /// The z slice in which those differ most from its own voxels; -1: none.
  std::int64_t most_open_slice = -1;
  /// It was made by filling a membrane, which may leak, and nobody looked whether it does, or it
  /// was changed since.
  bool unchecked = false;

  friend bool operator==(const LabelFinding& a, const LabelFinding& b);
};

/// One of each label from 1 on, about which nothing is known yet.
std::vector<LabelFinding> unknown_findings(std::uint32_t largest);

/// A cell that has no label, since water gets in: through the widest opening at this pixel, which
/// closing by the radius (in the unit of the voxel size) closes.
struct OpenCell {
  Index3 at{0, 0, 0};
  double radius = 0.0;
  friend bool operator==(const OpenCell&, const OpenCell&) = default;
};

/// The radius to close holes with where a leak has this one: three digits, not less, which would
/// close nothing.
double closing_radius(double leak);

/// Which object each pixel of an image, or each particle of an APR, belongs to. Labels belong to
/// the data that they were found on and are immutable like it. They are names, not quantities:
/// nothing adds, filters or interpolates them.
struct Labels {
  /// In memory order of the pixels / of the particles; 0: none.
  std::vector<std::uint32_t> values;
  /// No value is larger.
  std::uint32_t largest = 0;
  /// In ascending order of labels; of those about which something is known.
  std::vector<LabelFinding> findings;
  /// What is missing among them, the largest first.
  std::vector<OpenCell> open;

  [[nodiscard]] std::uint64_t bytes() const;
  /// Null where nothing is known of this label.
  [[nodiscard]] const LabelFinding* finding(std::uint32_t label) const;
  friend bool operator==(const Labels&, const Labels&) = default;
};

}  // namespace aprscope

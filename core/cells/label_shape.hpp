#pragma once

#include <array>
#include <cstdint>

#include "core/cells/crofton.hpp"
#include "core/cells/label_sums.hpp"

namespace aprscope {

/// Size and shape of one object in powers of the voxel's unit. In an image of one slice: area in
/// the place of the volume, perimeter of the surface, circularity of the sphericity.
struct LabelShape {
  double volume = 0.0;
  /// Diameter of the ball (disc) of this volume.
  double diameter = 0.0;
  /// By Crofton's formula, see CroftonWeights; and the sum of the faces of its voxels.
  double surface = 0.0;
  double digital_surface = 0.0;
  /// π^(1/3) (6 V)^(2/3) ÷ surface (Wadell 1935), 1 for a ball; of a disc 4 π area ÷ perimeter².
  double sphericity = 0.0;
  /// Pieces − tunnels + voids of the closed voxels.
  std::int64_t euler = 0;
  /// Mean breadth of the closed voxels, and 2/3 of it, which is that of a smooth body. NaN for one
  /// slice.
  double digital_breadth = 0.0;
  double breadth = 0.0;
  /// Mean position of its voxels: z, x, y in pixels.
  std::array<double, 3> centroid{};
  /// Semi-axes of the ellipsoid with its second moments, falling: √(5 λ) (disc: 2 √λ, and NaN for
  /// the third), with λ the eigenvalues of the covariance of its voxels as boxes.
  std::array<double, 3> semi_axes{};
  /// Direction of the longest one, in degrees: angle within the slice from y towards x, from −90
  /// (not included) to 90, and angle to the slice towards z, −90 to 90.
  double azimuth = 0.0;
  double elevation = 0.0;
  /// Longest ÷ middle, and middle ÷ shortest semi-axis.
  double elongation = 0.0;
  double flatness = 0.0;
  bool touches_border = false;
};

/// The shape from the sums of an object (of at least one voxel) in an image of this size.
/// `weights`: those of this voxel size.
LabelShape label_shape(const LabelSums& sums, const Size3& size, const VoxelSize& voxel,
                       const CroftonWeights& weights);

/// Estimate of the area of a contact, in the square of the unit: exact for a plane of any direction
/// (the faces across an axis are its projection), less than the truth by up to 13 % where it is
/// curved. In an image of one slice (`flat`) its length.
double contact_area(const std::array<std::int64_t, 3>& faces, const VoxelSize& voxel, bool flat);

/// The area of the faces themselves, as in LabelShape::digital_surface.
double face_area(std::int64_t y, std::int64_t x, std::int64_t z, const VoxelSize& voxel, bool flat);

}  // namespace aprscope

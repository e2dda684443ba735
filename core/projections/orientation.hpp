#pragma once

#include <array>

namespace aprscope {

// Axes of electron microscopy: x is the fastest axis of a file (columns; the program's y), y its
// rows (the program's x), z its slices. So the pixels of an image and of a map lie in memory as
// they do everywhere in this program; only the names of two axes differ.

/// A vector (x, y, z) in these axes.
using Vector3 = std::array<double, 3>;

/// A rotation as three rows.
struct Rotation {
  std::array<Vector3, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

  [[nodiscard]] Vector3 operator*(const Vector3& v) const;
  [[nodiscard]] Rotation operator*(const Rotation& other) const;
  [[nodiscard]] Rotation transposed() const;
  /// The largest difference between entries.
  [[nodiscard]] double distance(const Rotation& other) const;
};

/// The rotation of Euler angles in degrees, ZYZ (Heymann, Chagoyen & Belnap 2005; RELION and Xmipp
/// agree): the rows are the image's x and y axes and the viewing direction in the frame of the map.
/// A point p of the map falls on pixel (A p)x, (A p)y of the image, both from their centres.
Rotation from_euler(double rot, double tilt, double psi);

}  // namespace aprscope

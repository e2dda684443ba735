#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/projections/orientation.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

// Molecules of Gaussian atoms: map and projections are known in closed form, for tests and
// demonstrations. Places are in voxels from the map's centre, which is voxel ⌊side/2⌋ of each axis.

/// Density weight · exp(−r²/2σ²), σ in voxels.
struct Atom {
  Vector3 at{0, 0, 0};
  double sigma = 1.0;
  double weight = 1.0;
};

/// The map of `side`³ values, z slowest. Sums in f64.
std::vector<float> phantom_map(std::span<const Atom> atoms, std::int64_t side);

/// The integral of that density along the viewing direction, √(2π) σ weight · exp(−ρ²/2σ²) at the
/// place A p of each atom, as an image of `side`² values, rows of x, that has to be moved by
/// (shift_x, shift_y) pixels to be centred. `out` has that length.
void phantom_projection(std::span<const Atom> atoms, const Rotation& orientation, std::int64_t side,
                        double shift_x, double shift_y, std::span<float> out);

/// A chain of atoms that folds into an ellipsoid without coming near itself.
struct MoleculeSettings {
  std::int64_t atoms = 200;
  /// Half axes of the ellipsoid, in voxels.
  Vector3 half_axes{14, 11, 9};
  /// Centre of the ellipsoid.
  Vector3 centre{0, 0, 0};
  /// Distance from atom to atom, in voxels.
  double step = 2.6;
  double sigma = 0.95;
  std::uint64_t seed = 1;
  /// All rotations of a group, with the identity; each atom is copied by each. Empty: C1.
  std::vector<Rotation> symmetry{};
};

std::vector<Atom> random_molecule(const MoleculeSettings& settings);

/// How a set of projections is drawn.
struct ProjectionSetSettings {
  std::int64_t images = 100;
  std::int64_t side = 64;
  /// Å a pixel.
  double pixel_size = 2.5;
  /// Share of images seen from near the poles; 0: all directions alike.
  double preferred = 0.0;
  /// Standard deviation of the shifts, pixels.
  double shift = 0.0;
  /// Defocus from least to most, Å, and how much less its second axis has at most; 0 to 0: no CTF.
  double least_defocus = 0.0;
  double most_defocus = 0.0;
  double astigmatism = 0.0;
  std::uint64_t seed = 1;
  /// The stack that rows name, in order.
  std::filesystem::path stack = "phantom.mrcs";
};

/// Rows with angles, shifts, halves 1 and 2 in turn and, where it is asked for, a CTF (300 kV,
/// 2.7 mm, .1). Row i depends on seed and i alone.
ProjectionTable random_projection_table(const ProjectionSetSettings& settings);

/// The images of such rows, or of any others that are not mirrored, made when they are read:
/// without CTF, with Gaussian noise of standard deviation `noise` that depends on seed and image
/// number.
Projections phantom_projections(std::vector<Atom> atoms, ProjectionTable table, double noise = 0.0,
                                std::uint64_t seed = 1);

}  // namespace aprscope

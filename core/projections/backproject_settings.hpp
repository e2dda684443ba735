#pragma once

#include <cstdint>
#include <string>

namespace aprscope {

enum class InsertionKernel { slab, blob };
enum class CtfUse { automatic, none, ctf, phase_flipped, premultiplied, xmipp };
enum class Solve { division, least_squares, weights };
enum class Halves { automatic, rows, none };
/// The noise of images that weights assume: the same power at all frequencies of all images, or
/// that of their optics group by frequency, measured in the corners of images (see noise_power()).
enum class NoiseUse { white, corners };

/// Largest BackprojectSettings::tau: beyond it hardly anything is left of a map.
inline constexpr double kMostTau = 10.0;
/// Largest BackprojectSettings::order.
inline constexpr int kMostBlobOrder = 4;

/// How a map is made from projections: 3-D Fourier reconstruction in the manner of Střelák et al.
/// 2019, by planes ("slabs") instead of blobs.
struct BackprojectSettings {
  /// Name of the point group, see symmetry_group().
  std::string symmetry = "C1";
  InsertionKernel kernel = InsertionKernel::slab;
  /// The blob behind both kernels, in frequencies of the padded transform.
  double radius = 1.5;
  double alpha = 10.0;
  /// Order of the blob, 0 … kMostBlobOrder.
  int order = 0;
  /// Side of the padded images ÷ side of the images; 1 … 4.
  double padding = 2.0;
  CtfUse ctf = CtfUse::automatic;
  /// Whether F and CTF² are divided by the noise power σ²(k); corners: with a CTF only.
  NoiseUse noise = NoiseUse::white;
  /// Number of images of each optics group in which noise is measured; 0: all.
  std::int64_t noise_images = 1000;
  Solve solve = Solve::division;
  /// Iterations of Solve::least_squares and Solve::weights.
  int iterations = 5;
  /// Least share of a shell's mean weight that sums are divided by; 0 … kMostTau.
  double tau = 1e-3;
  /// Finest resolution used, Å; 0: Nyquist.
  double max_resolution = 0.0;
  /// automatic: the halves of the table, else odd and even rows; rows: odd and even rows.
  Halves halves = Halves::automatic;
  /// Diameter of a ball, Å, outside of which the map is zero (soft edge). 0: none.
  double mask_diameter = 0.0;
  /// Number of images used, from both halves in proportion, in the order of the table; 0: all.
  std::int64_t images = 0;
  /// Images show dark objects on bright ground.
  bool invert = false;
  /// Leaves out images with pixels that are not numbers, instead of naming them.
  bool skip_unsound = false;
};

}  // namespace aprscope

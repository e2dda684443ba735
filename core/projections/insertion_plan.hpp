#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/projections/aberrations.hpp"
#include "core/projections/backproject_settings.hpp"
#include "core/projections/ctf.hpp"
#include "core/projections/frequency_tiles.hpp"
#include "core/projections/plane_optics.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

/// What the images of one optics group share beside the CTF of each.
struct GroupOptics {
  PlaneOptics plane;
  /// Whether `plane` has anything for a CTF to be corrected with.
  bool aberrated = false;
  /// As plane.magnification says.
  Magnification magnification;
  /// By shell of an image's transform, k cycles over its side, what its data and weights are
  /// multiplied with, read linearly between shells, the last one beyond them; empty: 1.
  std::vector<float> weights;
};

/// What is the same for all images of a reconstruction.
struct InsertionPlan {
  /// Pixels of an image, and of the square that it is padded to (even).
  std::int64_t side = 0;
  std::int64_t padded = 0;
  FrequencyTiles tiles;
  InsertionKernel kernel = InsertionKernel::slab;
  Blob blob;
  SlabKernel slab;
  /// Never automatic.
  CtfUse ctf = CtfUse::none;
  /// Sums that are kept apart: 1 or 2.
  int halves = 1;
  /// Å of the map.
  double pixel_size = 1.0;
  /// Largest frequency of an image's transform that samples are read up to, 1 more and a texel's
  /// width not counted; at most padded ÷ 2 + 1 (the transform goes on periodically).
  std::int64_t image_reach = 0;
  /// Of ImageTerms::scale of all images.
  double largest_scale = 1.0;
  /// One for each of the table's groups; empty: none has more than a CTF.
  std::vector<GroupOptics> optics;
  /// The tiles that are to be summed; empty: all. The sums of a tile are the same bytes whichever
  /// others are summed beside it.
  TileRange share;

  [[nodiscard]] TileRange summed() const {
    return share.size() > 0 ? share : TileRange{0, tiles.count()};
  }
  /// Floats of the sums of a half.
  [[nodiscard]] std::int64_t sum_floats() const { return summed().size() * tiles.stride(); }
};

/// How one image becomes a plane of the transform. Of the image as the file has it, in this order:
/// multiplied with `sign`; multiplied with window(|x| scale ÷ padded) ÷ (sinc²(x ÷ padded) sinc²(y
/// ÷ padded)), slab only (M⁻ᵀ x in the window where there is a magnification M); padded with zeros,
/// the centre ⌊n/2⌋ moved to pixel 0; transformed (exponent −1, not scaled); multiplied with scale²
/// ÷ |M| exp(−2πi (kx shift_x + ky shift_y) ÷ padded), and where a CTF is used with exp(−2πi odd)
/// of its optics, whose `even` is added to the CTF's turns. Then G's and W's data are those of the
/// table of CtfUse with CTF(kx ÷ (padded · pixel), ky ÷ (padded · pixel)); for the modes' `weight`
/// is w.
struct ImageTerms {
  float sign = 1.0F;
  float shift_x = 0.0F;
  float shift_y = 0.0F;
  float weight = 1.0F;
  /// The image's pixel size ÷ the map's.
  float scale = 1.0F;
  /// Å of its pixels.
  double pixel_size = 1.0;
  Ctf ctf;
  /// Which of InsertionPlan::optics; −1: it has nothing but its CTF.
  std::int32_t optics = -1;
};

/// An image with one orientation. `rows` takes a frequency of the map to (x, y) in frequencies of
/// the image (M⁻¹, times ImageTerms::scale) and the distance from its plane (not scaled): a voxel v
/// with q = rows · v gets k(qz) · bilinear(F; qx, qy) where |(qx, qy)| ≤ radius, the conjugate of F
/// at −q where qx < 0. Frequencies beyond the padded image's are its periodic continuation.
struct InsertionSample {
  std::array<float, 9> rows{};
  float radius = 0.0F;
  std::int32_t image = 0;
  /// 0 or 1 (0 where there is one sum).
  std::int32_t half = 0;
};

}  // namespace aprscope

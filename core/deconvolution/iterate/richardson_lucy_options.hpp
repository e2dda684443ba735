#pragma once

#include <memory>
#include <vector>

#include "core/base/disk_floats.hpp"
#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/iterate/observation.hpp"
#include "core/deconvolution/iterate/regulariser.hpp"

namespace aprscope {

/// The estimate that the iterations begin with: the image above offset and background (where that
/// is 0, the blurred image, since an estimate of 0 stays 0), its mean everywhere, or values that
/// are given (an earlier result).
enum class DeconvolutionStart { image, constant, given };

struct RichardsonLucyOptions {
  /// Number of iterations, from 1.
  int iterations = 50;
  /// Ends earlier when the relative change of an iteration falls to this or below; 0: never.
  double stop_change = 0.0;
  /// Weight of the regulariser's term. Tikhonov–Miller: for an image whose largest value is 1.
  double strength = 0.0;
  Regularisation regularisation = Regularisation::none;
  /// Extrapolates along the last change (Biggs and Andrews 1997), but not from an iteration in
  /// which the likelihood fell.
  bool accelerate = false;
  DeconvolutionStart start = DeconvolutionStart::image;
  /// Grey value of the camera without light, at least 0: subtracted from the image; values below it
  /// count as 0.
  float offset = 0.0F;
  /// Light that does not come from the specimen, added to the blurred estimate.
  BackgroundLight background;
  /// Where the blurred estimate is at most `guard` × the image's largest value the ratio counts as
  /// 0: there is nothing to explain the image with. Transforms round to about a tenth of this.
  double guard = 1e-7;
  /// Data held out of the image, see hold_out(): one value for each value of the model, in the unit
  /// of the image above its offset; null: none. Each iteration is judged by them, and iterations
  /// end some time after the best one, see HeldOutStop.
  std::shared_ptr<const std::vector<float>> held_out;
  /// Number of first iterations that project back with another kernel than the flipped PSF (see
  /// wiener_butterworth()). Each sharpens as much as about ten others; use few, since they do not
  /// converge and noise rises. 0: none.
  int unmatched = 0;
  /// The back projector of these iterations, applied by forward(): a blur of the same values,
  /// needed if unmatched > 0. Works in place if the model does.
  std::shared_ptr<BlurModel> back_projector;
  /// The ranks that share model, back projector and regulariser; null: none. All call this with the
  /// same image and options, and have the same result.
  std::shared_ptr<BlurShares> shares;
  /// Where the iterations keep their values if these do not fit into memory; null: in memory.
  std::shared_ptr<DiskFloats> disk;
};

}  // namespace aprscope

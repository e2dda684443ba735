#pragma once

#include <memory>
#include <vector>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/iterate/observation.hpp"
#include "core/deconvolution/iterate/regulariser.hpp"

namespace aprscope {

/// From which estimate the iterations begin: the image itself, above offset and background (where
/// that is 0, the same blurred: what is 0 stays 0), its mean everywhere, or values that are given
/// (an earlier result).
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
  /// What a camera says where there is no light, in grey values from 0: subtracted from the image;
  /// what lies below it counts as 0.
  float offset = 0.0F;
  /// Light that is no specimen's, added to the blurred estimate.
  BackgroundLight background;
  /// Where the blurred estimate is at most `guard` × the image's largest value the ratio counts as
  /// 0: there is nothing to explain the image with. Transforms round to about a tenth of this.
  double guard = 1e-7;
  /// What was held out of the image, see hold_out(): one value for each of the model's, in the unit
  /// of the image above its offset; null: nothing. Each iteration is judged by it, and the
  /// iterations end when it has been long since the best, see HeldOutStop.
  std::shared_ptr<const std::vector<float>> held_out;
  /// The first so many iterations, of all, project back with another kernel than the flipped PSF
  /// (see wiener_butterworth()): they sharpen as much as about ten times as many, and are to be
  /// few, because they come to no end: noise rises. 0: none.
  int unmatched = 0;
  /// What these take, by its forward(): a blur of the same values, needed where there are any. One
  /// that works in place where the model does.
  std::shared_ptr<BlurModel> back_projector;
};

}  // namespace aprscope

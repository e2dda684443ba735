#pragma once

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// How well b agrees with a, the reference.
struct ImageMetrics {
  /// 10 log10(R² / MSE) in dB, R the range (max − min) of a; infinite for equal images.
  double psnr = 0.0;
  /// Mean structural similarity (Wang et al. 2004): Gaussian window σ = 1.5 cut at 3.5 σ, K1 =
  /// 0.01, K2 = 0.03, range of a; over the dimensions that are longer than 1; reflected borders.
  double ssim = 0.0;
  /// Root mean square difference ÷ R.
  double nrmse = 0.0;
  double max_abs_diff = 0.0;
  Index3 max_at{0, 0, 0};
  /// Root mean square of b − a, and its mean.
  double rms_diff = 0.0;
  double mean_diff = 0.0;
};

/// All metrics of two images. Errors: sizes differ, values that are not finite, cancelled.
Result<ImageMetrics> compare_images(const Pixels<float>& a, const Pixels<float>& b,
                                    const JobContext& context = {});

}  // namespace aprscope

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/deconvolution/blur/kernel_split.hpp"
#include "core/deconvolution/blur/near_error.hpp"

namespace aprscope {

struct FullPsfOptions {
  /// Size of the near part in each dimension, odd; 0: the smallest whose estimated error (see
  /// NearError::rms) is at most `tolerance`.
  int near = 0;
  double tolerance = 0.15;
  /// Uses less memory: the far part on a grid one level coarser still, see make_lean_far_field().
  bool lean = false;
  /// Size of the lean scheme's second near part, on level_max − 1; 0: 11.
  int middle = 0;
  Boundary boundary = Boundary::reflect;
  /// The ranks that share the near part; the far part each of them makes whole, and so must know
  /// everything. Null: none.
  std::shared_ptr<BlurShares> shares;
};

/// How the scheme was set up.
struct FullPsfReport {
  /// The near part that is used, with its estimated error.
  NearError near;
  /// The errors of all sizes that were tried; one entry where the size was given.
  std::vector<NearError> tried;
  /// Share of the PSF's weight in the near part.
  double near_weight = 1.0;
};

/// The two kernels of the scheme.
struct FullPsfParts {
  SplitPsf kernels;
  FullPsfReport report;
};

/// The size of the lean scheme's second near part.
inline Size3 middle_size(const FullPsfOptions& options) {
  const int n = options.middle > 0 ? options.middle : 11;
  return {n, n, n};
}

/// "5 × 5 × 5 near part + … , estimated error 0.1"; `far`: a description of the far field, empty if
/// there is no far part.
std::string describe(const FullPsfReport& report, const std::string& far);

/// Chooses the near part and splits the PSF. Errors: as make_full_psf_blur(). Throws
/// std::bad_alloc.
Result<FullPsfParts> split_full_psf(const Stencil& psf, const FullPsfOptions& options);

/// A PSF of any size on particles, as large as the image, say: its near part as a stencil on the
/// particles, restricted to coarser levels as any other, and the rest by Fourier transform on the
/// dense grid of the next coarser level, see FarField. Quality is that of the full PSF on pixels at
/// a fraction of the work, because what is far from a point is smooth there.
class FullPsfBlur : public BlurModel {
 public:
  [[nodiscard]] virtual const FullPsfReport& report() const = 0;
};

/// A blur by the full PSF. Errors: a PSF that check() refuses, an even near size, no memory.
Result<std::unique_ptr<FullPsfBlur>> make_full_psf_blur(std::shared_ptr<const AprAccess> access,
                                                        const Stencil& psf,
                                                        const FullPsfOptions& options = {});

}  // namespace aprscope

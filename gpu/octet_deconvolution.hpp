#pragma once

#include "gpu/octet_filter.hpp"

namespace aprscope::gpu {

/// Richardson–Lucy on an APR, everything resident: estimate ← estimate · ((u / (estimate ∗ w)) ∗
/// w†). Where the blurred estimate is not positive the ratio is 0.
class RichardsonLucy {
 public:
  /// `psf`: one stencil a level; w† is each of them flipped in every dimension.
  RichardsonLucy(const OctetApr& apr, const StencilPyramid& psf, Boundary boundary);

  /// Enqueues one step from `estimate` to `next`; `observed` is u. The three differ.
  void step(const OctetValues& observed, const OctetValues& estimate,
            const OctetValues& next) const;

 private:
  OctetConvolution blur_;
  OctetConvolution spread_;
  OctetValues ratio_;
};

}  // namespace aprscope::gpu

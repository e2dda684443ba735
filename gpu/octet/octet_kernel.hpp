#pragma once

#include <optional>

#include "gpu/octet/octet_filter.hpp"

namespace aprscope::gpu {

/// Convolution of an APR's particles with a kernel, and with the flipped one; `mode` derives the
/// kernel of each level. See NearPart and make_particle_blur().
class OctetKernel {
 public:
  OctetKernel(const OctetApr& apr, const Stencil& kernel, StencilMode mode, Boundary boundary);

  /// Enqueues the convolution, and the filling of the tree of `in` before it.
  void run(const OctetValues& in, bool flip, const OctetValues& out) const;

 private:
  OctetConvolution forward_;
  // Empty where the kernel is its own mirror image.
  std::optional<OctetConvolution> flipped_;
};

}  // namespace aprscope::gpu

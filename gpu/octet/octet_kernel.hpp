#pragma once

#include <optional>

#include "gpu/octet/octet_filter.hpp"

namespace aprscope::gpu {

/// Convolution with a kernel on the particles of an APR, and with the flipped one; the kernel as
/// `mode` makes it on each level. See NearPart and make_particle_blur().
class OctetKernel {
 public:
  OctetKernel(const OctetApr& apr, const Stencil& kernel, StencilMode mode, Boundary boundary);

  /// Enqueues it, tree of `in` included.
  void run(const OctetValues& in, bool flip, const OctetValues& out) const;

 private:
  OctetConvolution forward_;
  // Nothing where the kernel is its own mirror image.
  std::optional<OctetConvolution> flipped_;
};

}  // namespace aprscope::gpu

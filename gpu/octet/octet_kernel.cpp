#include "gpu/octet/octet_kernel.hpp"

#include "core/deconvolution/blur/blur_model.hpp"

namespace aprscope::gpu {
namespace {

OctetConvolution correlation(const OctetApr& apr, const Stencil& stencil, StencilMode mode,
                             Boundary boundary) {
  const auto pyramid = StencilPyramid::create(stencil, mode, false, apr.access().level_max());
  if (!pyramid) throw Failure{pyramid.error()};
  return {apr, *pyramid, boundary};
}

}  // namespace

// A filter correlates, whereas a blur convolves, i.e. needs the flipped kernel.
OctetKernel::OctetKernel(const OctetApr& apr, const Stencil& kernel, StencilMode mode,
                         Boundary boundary)
    : forward_(correlation(apr, flipped(kernel), mode, boundary)) {
  if (flipped(kernel).weights != kernel.weights) {
    flipped_.emplace(correlation(apr, kernel, mode, boundary));
  }
}

void OctetKernel::run(const OctetValues& in, bool flip, const OctetValues& out) const {
  Target target;
  target.out = out.data();
  (flip && flipped_ ? *flipped_ : forward_).run(in, target);
}

}  // namespace aprscope::gpu

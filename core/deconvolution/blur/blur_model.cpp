#include "core/deconvolution/blur/blur_model.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {

Stencil flipped(const Stencil& stencil) {
  Stencil out = stencil;
  std::reverse(out.weights.begin(), out.weights.end());
  return out;
}

bool gives_one_for_one(const Stencil& psf, Boundary boundary) {
  return boundary == Boundary::reflect && std::abs(psf.sum() - 1.0) < 1e-6;
}

}  // namespace aprscope

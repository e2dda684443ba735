#include "gpu/octet_deconvolution.hpp"

#include <algorithm>
#include <utility>

namespace aprscope::gpu {
namespace {

StencilPyramid flipped(const StencilPyramid& psf) {
  std::vector<Stencil> stencils;
  for (int l = 0; l <= psf.level_max(); ++l) {
    Stencil stencil = psf.at(l);
    std::reverse(stencil.weights.begin(), stencil.weights.end());
    stencils.push_back(std::move(stencil));
  }
  auto pyramid = StencilPyramid::from_levels(std::move(stencils));
  if (!pyramid) throw Failure{pyramid.error()};
  return *std::move(pyramid);
}

}  // namespace

RichardsonLucy::RichardsonLucy(const OctetApr& apr, const StencilPyramid& psf, Boundary boundary)
    : blur_(apr, psf, boundary), spread_(apr, flipped(psf), boundary), ratio_(apr.make_values()) {}

void RichardsonLucy::step(const OctetValues& observed, const OctetValues& estimate,
                          const OctetValues& next) const {
  Target target;
  target.out = ratio_.data();
  target.other = observed.data();
  target.epilogue = Epilogue::divide;
  blur_.run(estimate, target);
  target.out = next.data();
  target.other = estimate.data();
  target.epilogue = Epilogue::multiply;
  spread_.run(ratio_, target);
}

}  // namespace aprscope::gpu

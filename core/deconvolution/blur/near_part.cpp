#include "core/deconvolution/blur/near_part.hpp"

#include <utility>

#include "core/deconvolution/blur/blur_model.hpp"

namespace aprscope {

Result<NearPart> NearPart::create(const std::shared_ptr<const AprAccess>& access,
                                  const Stencil& kernel, Boundary boundary,
                                  std::optional<SliceSpan> slices) {
  const auto filter = [&](const Stencil& stencil) -> Result<std::unique_ptr<ParticleFilter>> {
    auto pyramid =
        StencilPyramid::create(stencil, StencilMode::restricted, false, access->level_max());
    if (!pyramid) return pyramid.error();
    return repeated_convolution(access, *pyramid, boundary, slices);
  };
  NearPart part;
  part.size_ = kernel.size;
  // A filter correlates, a blur is a convolution.
  const Stencil turned = flipped(kernel);
  auto forward = filter(turned);
  if (!forward) return forward.error();
  part.forward_ = *std::move(forward);
  if (turned.weights != kernel.weights) {
    auto back = filter(kernel);
    if (!back) return back.error();
    part.flipped_ = *std::move(back);
  }
  return part;
}

Status NearPart::apply(const FilterInput& input, bool flip, std::span<float> out,
                       const JobContext& context) {
  ParticleFilter& filter = flip && flipped_ != nullptr ? *flipped_ : *forward_;
  return filter.apply(input.particles, input.tree, out, JobContext(context.stop_token()));
}

std::uint64_t NearPart::bytes() const {
  return forward_->bytes() + (flipped_ == nullptr ? 0 : flipped_->bytes());
}

}  // namespace aprscope

#pragma once

#include "core/operations/deconvolve/deconvolution_models.hpp"
#include "gpu/deconvolution/device_iterations.hpp"

namespace aprscope::gpu {

/// Richardson–Lucy with the blur of make_pixel_blur() and the regulariser of
/// make_pixel_regulariser(), on a device, see iterate_on_device(). automatic: passes over pixels
/// for small or separable PSFs, Fourier transforms for others. `back`: the back projector of the
/// first options.unmatched iterations; null: none.
Result<DeviceResult> deconvolve_pixels(GpuDevice& device, const Size3& size, const Stencil& psf,
                                       Boundary boundary, PixelBlurMethod method,
                                       std::span<const float> observed,
                                       const RichardsonLucyOptions& options,
                                       std::span<const float> given,
                                       const RichardsonLucyHooks& hooks, const JobContext& context,
                                       const BackProjectorScheme* back = nullptr);

/// Device memory that a back projector of this size takes at most, in bytes, beside that of the
/// deconvolution.
std::uint64_t pixel_back_projector_bytes(const Size3& size, const Size3& kernel, Boundary boundary,
                                         PixelBlurMethod method);

/// Device memory that a deconvolution takes at most, in bytes.
std::uint64_t pixel_deconvolution_bytes(const Size3& size, const Stencil& psf, Boundary boundary,
                                        PixelBlurMethod method,
                                        const RichardsonLucyOptions& options);

}  // namespace aprscope::gpu

#pragma once

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/operations/deconvolve/deconvolution_models.hpp"
#include "gpu/deconvolution/device_iterations.hpp"
#include "gpu/octet/octet_apr.hpp"

namespace aprscope::gpu {

/// Richardson–Lucy with the blur of make_particle_blur() and the regulariser of
/// make_particle_regulariser(), on a device, see iterate_on_device(). `back`: the back projector of
/// the first options.unmatched iterations; null: none. Where it has a far part,
/// can_have_far_part().
Result<DeviceResult> deconvolve_particles(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    StencilMode mode, Boundary boundary, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context,
    const BackProjectorScheme* back = nullptr);

/// The same with the blur of make_full_psf_blur(), where can_have_far_part().
Result<DeviceResult> deconvolve_particles_fully(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    const FullPsfOptions& full, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context,
    const BackProjectorScheme* back = nullptr);

/// Whether there are as many levels as the far part needs here; the CPU needs fewer.
bool can_have_far_part(const AprAccess& access, bool lean);

/// Device memory that a back projector of this size with a far part takes at most, in bytes, beside
/// that of the deconvolution.
std::uint64_t particle_back_projector_bytes(const AprAccess& access, const Size3& kernel, bool lean,
                                            Boundary boundary);

/// Device memory that these deconvolutions take at most, in bytes.
std::uint64_t particle_deconvolution_bytes(const AprAccess& access, const Stencil& psf,
                                           Boundary boundary, const RichardsonLucyOptions& options);
std::uint64_t full_deconvolution_bytes(const AprAccess& access, const Stencil& psf,
                                       const FullPsfOptions& full,
                                       const RichardsonLucyOptions& options);

}  // namespace aprscope::gpu

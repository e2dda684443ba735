#pragma once

#include "core/deconvolution/richardson_lucy.hpp"
#include "core/filter/stencil.hpp"
#include "gpu/octet_apr.hpp"

namespace aprscope::gpu {

/// richardson_lucy() with the blur of make_particle_blur() and the regulariser of
/// make_particle_regulariser(), on a device: everything stays there in octet order, iterates come
/// to the host for the observer only. The formulas, limits and reports are those of the CPU; sums
/// are added up in another order. Takes the device's turn for each iteration and leaves it to
/// others in between. Errors: as there, and CUDA's.
Result<Deconvolved> deconvolve_particles(
    std::shared_ptr<GpuDevice> device, std::shared_ptr<const AprAccess> access, const Stencil& psf,
    StencilMode mode, Boundary boundary, std::span<const float> observed,
    const RichardsonLucyOptions& options, std::span<const float> given,
    const RichardsonLucyHooks& hooks, const JobContext& context);

/// Bytes that it takes on the device at most.
std::uint64_t deconvolution_bytes(const AprAccess& access, const RichardsonLucyOptions& options,
                                  bool keeps_ones);

}  // namespace aprscope::gpu

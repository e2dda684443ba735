#pragma once

#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "core/operations/schema/operation.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Whether a device can run this deconvolution; if not (a far part on an image of few levels), the
/// CPU runs it from the start.
bool can_deconvolve(const DeconvolutionPlan& plan, const Dataset& input);

/// Device memory that a deconvolution takes at most, in bytes.
std::uint64_t device_deconvolution_bytes(const DeconvolutionPlan& plan, const Dataset& input);

/// A complete "deconvolve" on a device, particles or pixels; `id` is the back end's. Errors: those
/// of deconvolve(), and CUDA's.
Result<Data> deconvolve_on_device(const std::shared_ptr<GpuDevice>& device,
                                  const Operation& operation, const DeconvolutionPlan& plan,
                                  const Dataset& input, const IterationHooks& hooks,
                                  const JobContext& context, const std::string& id);

}  // namespace aprscope::gpu

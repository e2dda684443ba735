#pragma once

#include <memory>
#include <vector>

#include "core/pipeline/backend.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// The back end for GPUs: conversion, reconstruction, filters, labels, deconvolution, maps and
/// topology, one engine for each family of operations.
/// What the device cannot do or hold is done by the CPU's back end as a whole; the host is told,
/// and the history of the result says so. The APR that was used last stays on the device, so that
/// previews and chains do not send it again; a preview of a region brings back that region only.
/// With several devices (at least one), all sum up maps of projections together; everything else
/// runs on the first.
std::shared_ptr<const Backend> cuda_backend(std::vector<std::shared_ptr<GpuDevice>> devices);

}  // namespace aprscope::gpu

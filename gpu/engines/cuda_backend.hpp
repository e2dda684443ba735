#pragma once

#include <memory>
#include <vector>

#include "core/pipeline/backend.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Operations on the GPU: conversion, reconstruction, filters, deconvolution and topology, by their
/// families.
/// What it does not do or cannot hold goes to the CPU's backend as a whole; the host is told, and
/// the history of the result says so. The APR that was used last stays on the device, so that
/// previews and chains do not send it again; a preview of a region brings back that region only.
/// Of several devices (at least one) all make the sums of a map of projections together; everything
/// else runs on the first.
std::shared_ptr<const Backend> cuda_backend(std::vector<std::shared_ptr<GpuDevice>> devices);

}  // namespace aprscope::gpu

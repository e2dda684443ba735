#pragma once

#include "core/apr/convert/conversion.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Step 5 of a conversion on the device: Li's thresholds of gradient and scale, from the same
/// samples as masked_thresholds() and with the same sums (integers, hence exact in any order), so
/// that the bits agree. `gradient` and `scale` lie on the device; a gradient below 0 leaves a voxel
/// out, one of at most `noise` counts as 0. Waits for the device. Throws a Failure.
Thresholds device_thresholds(const float* gradient, const float* scale, std::int64_t count,
                             float noise, GpuDevice& device);

}  // namespace aprscope::gpu

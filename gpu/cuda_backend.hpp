#pragma once

#include <memory>

#include "core/pipeline/backend.hpp"
#include "gpu/gpu_device.hpp"

namespace aprscope::gpu {

/// Filters on APRs on the GPU; every other operation goes to the CPU's backend as a whole, and the
/// history of the result says so. The APR that was used last stays on the device, so that previews
/// and chains do not send it again.
std::shared_ptr<const Backend> cuda_backend(std::shared_ptr<GpuDevice> device);

}  // namespace aprscope::gpu

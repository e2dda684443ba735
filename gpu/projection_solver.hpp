#pragma once

#include <memory>

#include "core/projections/map_solver.hpp"
#include "gpu/gpu_device.hpp"

namespace aprscope::gpu {

/// Makes maps on a device: the transform of the sums, and least squares with its boxes of padded³
/// numbers there.
std::unique_ptr<MapSolver> make_cuda_solver(std::shared_ptr<GpuDevice> device);

}  // namespace aprscope::gpu

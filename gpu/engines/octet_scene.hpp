#pragma once

#include <cstdint>
#include <memory>

#include "core/dataset/dataset.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Bytes on the device while a raycaster of an APR is made.
std::uint64_t scene_bytes(const Dataset& input);

/// A raycaster of an APR's main field. Keeps the structure and the maxima on the device. Errors:
/// CUDA, too little memory there (with numbers).
Result<std::shared_ptr<const Raycaster>> make_scene(std::shared_ptr<GpuDevice> device,
                                                    std::shared_ptr<const Dataset> input);

}  // namespace aprscope::gpu

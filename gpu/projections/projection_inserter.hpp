#pragma once

#include <memory>
#include <vector>

#include "core/projections/inserter.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Inserts projections on a device, each time into as many tiles of the plan as fit beside the
/// images (see Inserter::fitting()). `exact`: see InsertionReading. Errors: too little memory to
/// finish in a few passes; pixels more than 1.5 times as large as the map's (the CPU can do that).
Result<std::unique_ptr<Inserter>> make_cuda_inserter(std::shared_ptr<GpuDevice> device,
                                                     const InsertionPlan& plan, bool exact);

/// The same on one or several devices together; a device may be named several times. Images are
/// divided among the devices (see dealt_inserter.hpp). If one device has no room for all tiles,
/// each gets all images and a share of the tiles instead (see split_inserter.hpp).
Result<std::unique_ptr<Inserter>> make_cuda_inserter(
    const std::vector<std::shared_ptr<GpuDevice>>& devices, const InsertionPlan& plan, bool exact,
    const JobContext& context);

}  // namespace aprscope::gpu

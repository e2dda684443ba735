#pragma once

#include <memory>
#include <vector>

#include "core/projections/inserter.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Inserts on a device, into as many of the plan's tiles as there is room for at a time beside the
/// images (see Inserter::fitting()). `exact` as InsertionReading. Errors: too little memory for
/// that in a few passes; pixels more than 1.5 times those of the map, which are for the processor.
Result<std::unique_ptr<Inserter>> make_cuda_inserter(std::shared_ptr<GpuDevice> device,
                                                     const InsertionPlan& plan, bool exact);

/// The same on several devices together, at least one; one may be named several times. Images are
/// dealt out between them (see dealt_inserter.hpp), or where one of them has no room for all tiles,
/// each gets all images and a share of the tiles (see split_inserter.hpp).
Result<std::unique_ptr<Inserter>> make_cuda_inserter(
    const std::vector<std::shared_ptr<GpuDevice>>& devices, const InsertionPlan& plan, bool exact,
    const JobContext& context);

}  // namespace aprscope::gpu

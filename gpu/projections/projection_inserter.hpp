#pragma once

#include <memory>
#include <vector>

#include "core/projections/inserter.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Inserts on a device, into as many of the plan's tiles as there is room for at a time beside the
/// images (see Inserter::fitting()). `exact` as InsertionReading. Errors: too little memory for
/// that in a few passes; the blob kernel and pixels more than 1.5 times those of the map, which are
/// for the processor.
Result<std::unique_ptr<Inserter>> make_cuda_inserter(std::shared_ptr<GpuDevice> device,
                                                     const InsertionPlan& plan, bool exact);

/// The same on several devices together, each with a share of the tiles (see split_inserter.hpp);
/// one may be named several times. At least one.
Result<std::unique_ptr<Inserter>> make_cuda_inserter(
    const std::vector<std::shared_ptr<GpuDevice>>& devices, const InsertionPlan& plan, bool exact,
    const JobContext& context);

}  // namespace aprscope::gpu

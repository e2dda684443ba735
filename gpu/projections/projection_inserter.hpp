#pragma once

#include <memory>

#include "core/projections/inserter.hpp"
#include "gpu/device/gpu_device.hpp"

namespace aprscope::gpu {

/// Inserts on a device. `exact` as InsertionReading. Errors: too little memory; the blob kernel and
/// pixels more than 1.5 times those of the map, which are for the processor.
Result<std::unique_ptr<Inserter>> make_cuda_inserter(std::shared_ptr<GpuDevice> device,
                                                     const InsertionPlan& plan, bool exact);

}  // namespace aprscope::gpu

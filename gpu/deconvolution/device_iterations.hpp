#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "gpu/deconvolution/device_model.hpp"

namespace aprscope::gpu {

/// A result, and the description of the model that computed it.
struct DeviceResult {
  Deconvolved result;
  std::string description;
};

/// richardson_lucy() on a device: everything stays there, iterates come to the host for the
/// observer only. Formulas, limits and reports are those of the CPU; sums are added up in another
/// order. `make` is called with the device current and its turn taken, which is left to others
/// between iterations. `runs`: as BlurModel::weights(). Errors: as richardson_lucy(), and CUDA's.
Result<DeviceResult> iterate_on_device(GpuDevice& device, std::span<const WeightRun> runs,
                                       const std::function<std::unique_ptr<DeviceModel>()>& make,
                                       std::span<const float> observed,
                                       const RichardsonLucyOptions& options,
                                       std::span<const float> given,
                                       const RichardsonLucyHooks& hooks, const JobContext& context);

}  // namespace aprscope::gpu

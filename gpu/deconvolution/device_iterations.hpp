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

/// What is iterated, and for the first `options.unmatched` iterations another model of the same
/// values whose blur projects back; null: there are no such iterations.
struct DeviceModels {
  std::unique_ptr<DeviceModel> blur;
  std::unique_ptr<DeviceModel> back_projector;
};

/// richardson_lucy() on a device: everything stays there, iterates come to the host for the
/// observer only. Formulas, limits and reports are those of the CPU; sums are added up in another
/// order. `make` is called with the device current and its turn taken, which is left to others
/// between iterations. `runs`: as BlurModel::weights(). Errors: as richardson_lucy(), and CUDA's.
Result<DeviceResult> iterate_on_device(GpuDevice& device, std::span<const WeightRun> runs,
                                       const std::function<DeviceModels()>& make,
                                       std::span<const float> observed,
                                       const RichardsonLucyOptions& options,
                                       std::span<const float> given,
                                       const RichardsonLucyHooks& hooks, const JobContext& context);

}  // namespace aprscope::gpu

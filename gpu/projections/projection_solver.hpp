#pragma once

#include <memory>

#include "core/projections/map_solver.hpp"
#include "gpu/device/gpu_device.hpp"
#include "gpu/projections/tile_lines.hpp"

namespace aprscope::gpu {

/// The sums of a reconstruction on a device.
struct SumsOnDevice final : HeldSums {
  SumsOnDevice(std::shared_ptr<GpuDevice> on, const FrequencyTiles& layout,
               DeviceBuffer<float> sums)
      : device(std::move(on)), tiles(layout, std::move(sums), device->main()) {}
  ~SumsOnDevice() override;

  std::shared_ptr<GpuDevice> device;
  DeviceTiles tiles;
};

/// Computes maps on a device: symmetry and statistics of the sums, their transform, and least
/// squares with its boxes of padded³ numbers.
std::unique_ptr<MapSolver> make_cuda_solver(std::shared_ptr<GpuDevice> device);

}  // namespace aprscope::gpu

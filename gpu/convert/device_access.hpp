#pragma once

#include "gpu/convert/particle_cells.hpp"

namespace aprscope::gpu {

/// A linear access on the device, see LinearAccess.
struct DeviceAccess {
  DeviceBuffer<std::uint16_t> y;
  DeviceBuffer<std::uint64_t> xz_end;
};

/// The particles, levels 1 … level_max, and the tree, levels 0 … level_max − 1, of a cell set of an
/// image of `size`. Wait for the device. Throw a Failure.
DeviceAccess particle_access(const ParticleCells& cells, const Size3& size, cudaStream_t stream);
DeviceAccess tree_access(const ParticleCells& cells, const Size3& size, cudaStream_t stream);

}  // namespace aprscope::gpu

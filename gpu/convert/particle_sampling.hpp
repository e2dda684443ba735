#pragma once

#include <vector>

#include "gpu/convert/device_access.hpp"

namespace aprscope::gpu {

/// Values of particles from the pyramid of means on the device, as sample_particles() makes them,
/// from slices that come in ascending order.
class ParticleSampling {
 public:
  /// `truncate`: means are rounded down at each level. Throws a Failure, as all below do.
  ParticleSampling(const Size3& size, int level_max, SampleKind kind, bool truncate,
                   cudaStream_t stream);

  /// Enqueues the means of the 2×2×2 blocks of slices [begin, end); begin is even, and end is, or
  /// it is the image's.
  void add_slices(std::int64_t begin, std::int64_t end, const SliceRing& image);

  /// Enqueues the values of all particles but those of the finest level, once all slices were
  /// added. `values` are of the image's sample type.
  void sample_coarse(const DeviceAccess& access, void* values);
  /// Enqueues the values of the finest level in slices [begin, end).
  void sample_fine(const DeviceAccess& access, std::int64_t begin, std::int64_t end,
                   const SliceRing& image, void* values);

  static std::uint64_t estimate_bytes(const Size3& size);

 private:
  int level_max_;
  SampleKind kind_;
  bool truncate_;
  cudaStream_t stream_;
  std::vector<GridSize> grids_;
  std::vector<std::uint64_t> first_row_;
  // The means of all levels, one after the other from level_max − 1 down.
  DeviceBuffer<float> means_;
};

}  // namespace aprscope::gpu

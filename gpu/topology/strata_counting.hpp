#pragma once

#include <span>

#include "core/base/job_context.hpp"
#include "core/image/volume.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/strata.hpp"
#include "gpu/octet/octet_apr.hpp"
#include "gpu/topology/particle_strata.hpp"
#include "gpu/topology/pixel_strata.hpp"

// Counts strata on a device, with the same results as count_strata() of core/topology.
namespace aprscope::gpu {

/// Neighbouring bins that hold most of a sample of values, and the share that they hold.
struct DenseBins {
  std::uint32_t first = 0;
  double share = 0.0;
};
DenseBins densest_bins(std::span<const std::uint16_t> sample, std::uint32_t bins);

/// Counts the strata of an image in host memory at the levels of `places`, in slabs of slices:
/// while one slab is counted the next one is uploaded. `slab_slices`: slices of a slab; 0 = as
/// memory allows. Errors: cancelled, not even a slice fits (with numbers). Throws a Failure where
/// CUDA fails. The device must be current.
Result<StrataCounts> count_pixel_strata(GpuDevice& device, const Volume& volume,
                                        const LevelPlaces& places, Construction construction,
                                        int slab_slices, const JobContext& context);
/// Device memory in bytes: the least that counting needs, and what it takes if there is enough.
struct PixelStrataBytes {
  std::uint64_t least = 0;
  std::uint64_t plenty = 0;
};
PixelStrataBytes pixel_strata_bytes(const Volume& volume);

/// The memory of counting on the device, besides that of the structure.
class ParticleStrata {
 public:
  /// Throws a Failure, as below.
  ParticleStrata(const OctetApr& apr, std::span<const std::uint16_t> places, int levels,
                 Construction construction);

  /// Enqueues the counting; adds to the counts on the device.
  void enqueue() const;
  /// Enqueues one part of the counting, of parts().
  void enqueue(std::uint32_t part) const;
  [[nodiscard]] std::uint32_t parts() const;
  /// The counts so far.
  [[nodiscard]] StrataCounts counts() const;

  static std::uint64_t bytes(const AprAccess& access, int levels);

 private:
  void place_window(std::span<const std::uint16_t> places);

  const OctetApr& apr_;
  ParticleStrataJob job_;
  DeviceBuffer<StrataCell> cells_;
  DeviceBuffer<unsigned long long> scratch_;
  DeviceBuffer<unsigned long long> sums_;
};

}  // namespace aprscope::gpu

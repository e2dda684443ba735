#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "gpu/octet/octet_apr.hpp"

namespace aprscope::gpu {

/// The part of an APR that some regions touch, for filters that should compute nothing else: its
/// bricks, all of whose particles are computed, and the particles that are copied to the host.
/// Values, tree and halos are those of the whole APR. Throws a Failure where CUDA fails.
class OctetPart {
 public:
  /// Regions (pixels, not empty) lie in the image. `apr` outlives this.
  OctetPart(const OctetApr& apr, std::span<const Region> regions);

  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  /// The view of the whole APR, with the bricks of the part as its work.
  [[nodiscard]] const OctetView& view() const { return view_; }
  /// The range of a level in view().work; for an empty level an empty range in its place.
  [[nodiscard]] OctetStructure::Range work(int level) const {
    return work_[static_cast<std::size_t>(level)];
  }
  [[nodiscard]] std::uint32_t bricks() const { return static_cast<std::uint32_t>(work_count_); }
  /// Particles whose cells intersect a region, in ascending order, with a copy on the device;
  /// listed at the first call, for which the device's lock must be held: slices that are painted
  /// there need no list.
  [[nodiscard]] const std::vector<std::uint32_t>& particles() const;

  /// Copies the values of these particles (`from`: octet order) to their places in `linear`, which
  /// has one value for each particle of the whole APR; the others are unchanged.
  void download(const OctetValues& from, std::span<float> linear) const;

 private:
  std::shared_ptr<GpuDevice> device_;
  // That of the APR, which outlives this.
  const AprAccess& access_;
  std::vector<Region> regions_;
  OctetView view_;
  std::array<OctetStructure::Range, kMaxLevels> work_{};
  std::uint64_t work_count_ = 0;
  DeviceBuffer<BrickWork> bricks_;
  mutable bool listed_ = false;
  mutable std::vector<std::uint32_t> particles_;
  mutable DeviceBuffer<std::uint32_t> indices_;
};

}  // namespace aprscope::gpu

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/projections/inserter.hpp"
#include "gpu/projections/projection_planes.hpp"

namespace aprscope::gpu {

/// The sums G and W of a reconstruction on the device, of the tiles that its plan sums, and planes
/// that are added to them. A tile's sums are the same bytes whichever others are summed beside it.
/// Functions throw a Failure.
class PlaneSums {
 public:
  PlaneSums(const InsertionPlan& plan, cudaStream_t stream);

  /// Bytes on the device for each tile, of all halves, and besides them.
  static std::uint64_t tile_bytes(const InsertionPlan& plan);
  static std::uint64_t other_bytes();

  /// Samples at a time: sums of a batch are kept in single precision before they are added.
  static constexpr std::int64_t kMost = 4096;

  /// Samples on the device, sorted for the kernel.
  struct Batch {
    // By half: where the planes nearest to x, y, z begin, and the end.
    std::int32_t first[2][4] = {};
    bool limited = false;
    std::int64_t count = 0;
  };
  /// Copies at most kMost samples to the device, of which the work enqueued before is the last
  /// reader; the image of `samples` that is `first_image` is layer 0.
  Batch stage(std::span<const InsertionSample> samples, std::span<const ImageTerms> terms,
              std::int64_t first_image);
  /// Enqueues their insertion.
  void add(const Batch& batch, const PlaneStore& planes);

  /// Copies sums of tiles, by their numbers in the plan, to the host, FrequencyTiles::stride()
  /// floats each.
  void read(GpuDevice& device, int half, std::span<const std::int32_t> tiles, float* out);
  /// All sums of a half in memory of `stream`, of what they were added up in nothing is left.
  DeviceBuffer<float> take(int half, cudaStream_t stream);
  /// Lets go of the sums of a half.
  void drop(int half) { sums_[half] = {}; }
  [[nodiscard]] int parts() const { return parts_; }
  void clear();

 private:
  struct Slot {
    std::unique_ptr<PinnedBuffer> pinned;
    Event copied;
  };
  static constexpr int kSlots = 3;

  InsertionPlan plan_;
  TileRange range_;
  cudaStream_t stream_;
  int parts_ = 1;
  DeviceBuffer<float> sums_[2];
  DeviceBuffer<InsertTile> tiles_;
  DeviceBuffer<InsertPlane> planes_;
  DeviceBuffer<float4> normals_;
  InsertBlob blob_{};
  Slot slots_[kSlots];
  std::uint64_t pieces_ = 0;
};

}  // namespace aprscope::gpu

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/projections/inserter.hpp"
#include "gpu/projections/projection_planes.hpp"

namespace aprscope::gpu {

/// The sums G and W of a reconstruction on the device, for the tiles that its plan sums; planes are
/// added to them. The bytes of a tile's sums do not depend on other tiles summed with it.
/// Functions throw a Failure.
class PlaneSums {
 public:
  PlaneSums(const InsertionPlan& plan, cudaStream_t stream);

  /// Bytes on the device for each tile with its sums of all halves / for everything else.
  static std::uint64_t tile_bytes(const InsertionPlan& plan);
  static std::uint64_t other_bytes();

  /// Samples in a batch at most: batches are summed in single precision and then added.
  static constexpr std::int64_t kMost = 4096;

  /// Samples on the device, sorted for the kernel.
  struct Batch {
    // For each half: where the planes nearest to x, y and z begin, and the end.
    std::int32_t first[2][4] = {};
    bool limited = false;
    std::int64_t count = 0;
  };
  /// Copies at most kMost samples to the device, after work enqueued before that reads the previous
  /// ones. Layer 0 is the image `first_image` of `samples`.
  Batch stage(std::span<const InsertionSample> samples, std::span<const ImageTerms> terms,
              std::int64_t first_image);
  /// Enqueues the insertion of a batch.
  void add(const Batch& batch, const PlaneStore& planes);

  /// Copies the sums of tiles, given by their numbers in the plan, to the host:
  /// FrequencyTiles::stride() floats for each tile.
  void read(GpuDevice& device, int half, std::span<const std::int32_t> tiles, float* out);
  /// All sums of a half, in memory of `stream`; frees the memory that they were summed in.
  DeviceBuffer<float> take(int half, cudaStream_t stream);
  /// Frees the sums of a half.
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

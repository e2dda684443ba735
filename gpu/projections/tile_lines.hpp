#pragma once

#include <memory>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/projections/inserter.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/device/line_plan.hpp"
#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// The sums of a plan on a device, and the tables to find a frequency in them. Functions throw a
/// Failure.
class DeviceTiles {
 public:
  /// `sums` are those of `tiles`, in the order of tiles.
  DeviceTiles(const FrequencyTiles& tiles, DeviceBuffer<float> sums, cudaStream_t stream);

  [[nodiscard]] TileView view() const;
  [[nodiscard]] DeviceBuffer<float>& sums() { return sums_; }
  [[nodiscard]] const DeviceBuffer<float>& sums() const { return sums_; }
  /// (x, y, z) of the first voxel of each tile.
  [[nodiscard]] const std::int32_t* origins() const { return origins_.data(); }
  [[nodiscard]] std::int32_t count() const {
    return static_cast<std::int32_t>(origins_.count() / 3);
  }

 private:
  DeviceBuffer<float> sums_;
  DeviceBuffer<std::int32_t> grid_, origins_;
  std::int32_t shift_ = 0, half_ = 0, reach_ = 0;
};

/// The inverse transform of tiles, as in tile_map(): one axis after the other, so that lines that
/// are not needed are not transformed. Functions throw a Failure.
class TileLines {
 public:
  /// `side` voxels are kept; `corner`: the origin is at the first of them, else at ⌊side/2⌋.
  TileLines(const InsertionPlan& plan, std::int64_t side, bool corner, cudaStream_t stream);

  /// Transforms to rows of `pitch` floats. False: the job was cancelled.
  bool run(const TileView& tiles, const TileValues& values, std::int64_t pitch, float* voxels,
           const JobContext& context) const;

  /// Bytes on the device at most, without tiles and voxels.
  static std::uint64_t bytes(const InsertionPlan& plan, std::int64_t side);

 private:
  LineView lines_{};
  cudaStream_t stream_;
  std::int32_t some_rows_ = 0, some_planes_ = 0;
  DeviceBuffer<double> window_;
  DeviceBuffer<float2> z_lines_, y_lines_, x_lines_;
  DeviceBuffer<float> real_;
  std::unique_ptr<LinePlan> z_plan_, y_plan_, x_plan_;
};

}  // namespace aprscope::gpu

#pragma once

#include <memory>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/projections/inserter.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/device/line_plan.hpp"
#include "gpu/projections/tile_transform.hpp"

namespace aprscope::gpu {

/// The sums of a plan on a device with the tables that find a frequency in them. Functions throw a
/// Failure.
class DeviceTiles {
 public:
  /// Sums of this length, in the order of tiles.
  DeviceTiles(const FrequencyTiles& tiles, DeviceBuffer<float> sums, cudaStream_t stream);

  [[nodiscard]] TileView view() const;
  [[nodiscard]] DeviceBuffer<float>& sums() { return sums_; }
  [[nodiscard]] const DeviceBuffer<float>& sums() const { return sums_; }
  /// (x, y, z) of each tile.
  [[nodiscard]] const std::int32_t* origins() const { return origins_.data(); }
  [[nodiscard]] std::int32_t count() const {
    return static_cast<std::int32_t>(origins_.count() / 3);
  }

 private:
  DeviceBuffer<float> sums_;
  DeviceBuffer<std::int32_t> grid_, origins_;
  std::int32_t shift_ = 0, half_ = 0, reach_ = 0;
};

/// The inverse transform of tiles as tile_map() makes it, one axis after the other, so that nothing
/// is transformed that is not kept. Functions throw a Failure.
class TileLines {
 public:
  /// `side` voxels are kept; `corner`: the origin is at the first of them, else at ⌊side/2⌋.
  TileLines(const InsertionPlan& plan, std::int64_t side, bool corner, cudaStream_t stream);

  /// To rows of `pitch` floats. False: the context asked to stop.
  bool run(const TileView& tiles, const TileValues& values, std::int64_t pitch, float* voxels,
           const JobContext& context) const;

  /// Bytes that it takes at most, without tiles and voxels.
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

#pragma once

#include <memory>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/projections/inserter.hpp"
#include "gpu/device_buffer.hpp"
#include "gpu/line_plan.hpp"
#include "gpu/tile_transform.hpp"

namespace aprscope::gpu {

/// The sums of a plan on a device with the table that finds a frequency in them. Functions throw a
/// Failure.
class DeviceTiles {
 public:
  /// Takes what `upload` copies: (from, to, bytes) in the order of `stream`.
  template <class Upload>
  DeviceTiles(const FrequencyTiles& tiles, std::span<const float> sums, const Upload& upload,
              cudaStream_t stream)
      : DeviceTiles(tiles, stream) {
    upload(sums.data(), sums_.data(), sums.size_bytes());
  }
  [[nodiscard]] TileView view() const;

 private:
  DeviceTiles(const FrequencyTiles& tiles, cudaStream_t stream);

  DeviceBuffer<float> sums_;
  DeviceBuffer<std::int32_t> grid_;
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

#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace aprscope::gpu {

/// The sums of a reconstruction on a device, laid out as FrequencyTiles says.
struct TileView {
  const float* sums;
  /// Number of the tile at (z, y, x) in tiles from the corner, x fastest; those that are not there
  /// are not asked for.
  const std::int32_t* grid;
  std::int32_t shift;  // a tile's side is 2^shift
  std::int32_t half;   // tiles from 0 to the end of an axis
  std::int32_t reach;
};

/// What becomes of a voxel's sums.
struct TileValues {
  /// W as it is, else G ÷ (W + tau of the shell), or without tau G as it is.
  bool weight;
  const double* tau;  // by padded shell, or null
};

/// The lines of an inverse transform of padded³ numbers, of which the frequencies |k| ≤ last are
/// used and side³ voxels are kept. Work lies one line after the other.
struct LineView {
  std::int32_t padded, side, last;
  /// Rows of y that are used: 0 … last, then the negative ones.
  std::int32_t rows;
  /// Frequencies of x: 0 … last.
  std::int32_t columns;
  /// The origin of the voxels is at the corner, else at ⌊side/2⌋.
  bool corner;
};

/// z lines of `count` rows from `first` on: columns × padded each.
void spread_along_z(const TileView& tiles, const TileValues& values, const LineView& lines,
                    std::int32_t first, std::int32_t count, float2* z_lines, cudaStream_t stream);
/// From those to y lines, (z, x) of side × columns, padded each: the rows that these are.
void turn_to_y(const LineView& lines, std::int32_t first, std::int32_t count, const float2* z_lines,
               float2* y_lines, cudaStream_t stream);
/// The y lines of `count` voxels of z to x lines, (z, y) of count × side, padded / 2 + 1 each.
void turn_to_x(const LineView& lines, std::int32_t count, const float2* y_lines, float2* x_lines,
               cudaStream_t stream);
/// Real lines of padded floats to voxels from z on, rows of `pitch` floats: times padded⁻³,
/// divided by the window by squared distance.
void crop_lines(const LineView& lines, std::int32_t z, std::int32_t count, const float* real,
                const double* window, std::int64_t pitch, float* voxels, cudaStream_t stream);

}  // namespace aprscope::gpu

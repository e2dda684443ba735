#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace aprscope::gpu {

/// The sums of a reconstruction on a device, laid out as FrequencyTiles says.
struct TileView {
  const float* sums;
  /// The number of the tile at (z, y, x), counted in tiles from the corner, x fastest. Positions
  /// without a tile are never looked up.
  const std::int32_t* grid;
  std::int32_t shift;  // a tile's side is 2^shift
  std::int32_t half;   // number of tiles from 0 to the end of an axis
  std::int32_t reach;
};

/// The value to make of a voxel's sums.
struct TileValues {
  /// true: W; false: G ÷ (W + tau of the shell), or G where there is no tau.
  bool weight;
  const double* tau;  // by padded shell, or null
};

/// The lines of an inverse transform of padded³ numbers: frequencies |k| ≤ last are not 0, and
/// side³ voxels are kept. Lines are stored one after the other.
struct LineView {
  std::int32_t padded, side, last;
  /// The number of rows in y: frequencies 0 … last, then the negative ones.
  std::int32_t rows;
  /// The number of columns in x: frequencies 0 … last.
  std::int32_t columns;
  /// Whether the origin of the voxels is at the corner, else at ⌊side/2⌋.
  bool corner;
};

/// Fills z lines of `count` rows from `first` on: columns × padded numbers for each row.
void spread_along_z(const TileView& tiles, const TileValues& values, const LineView& lines,
                    std::int32_t first, std::int32_t count, float2* z_lines, cudaStream_t stream);
/// Transposes these to y lines, (z, x) of side × columns, padded numbers each, at their rows.
void turn_to_y(const LineView& lines, std::int32_t first, std::int32_t count, const float2* z_lines,
               float2* y_lines, cudaStream_t stream);
/// Transposes y lines of `count` planes z to x lines, (z, y) of count × side, padded / 2 + 1 each.
void turn_to_x(const LineView& lines, std::int32_t count, const float2* y_lines, float2* x_lines,
               cudaStream_t stream);
/// Copies real lines of padded floats to voxels from z on, in rows of `pitch` floats: times
/// padded⁻³, divided by the window at the squared distance.
void crop_lines(const LineView& lines, std::int32_t z, std::int32_t count, const float* real,
                const double* window, std::int64_t pitch, float* voxels, cudaStream_t stream);

}  // namespace aprscope::gpu

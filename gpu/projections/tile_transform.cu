#include "gpu/device/cuda_check.hpp"
#include "gpu/projections/tile_transform.hpp"
#include "gpu/projections/tile_view.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;
constexpr int kTurned = 32;
constexpr int kTurnedRows = 8;

unsigned blocks(std::int64_t count, int each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

// The position on a line of voxel i of the result, as its signed distance from the origin.
__device__ int distance_of(const LineView& v, int i) {
  if (!v.corner) return i - v.side / 2;
  return i < v.padded / 2 ? i : i - v.padded;
}
__device__ int place_of(const LineView& v, int i) {
  const int d = distance_of(v, i);
  return d < 0 ? d + v.padded : d;
}

__device__ float2 value_at(const TileView& t, const TileValues& values, int x, int y, int z) {
  const std::int64_t n = std::int64_t{1} << 3 * t.shift;
  const float* const from = t.sums + offset_of(t, x, y, z);
  if (values.weight) return {from[2 * n], 0.0F};
  float factor = 1.0F;
  if (values.tau != nullptr) {
    const double weight = from[2 * n] + values.tau[shell_of(x, y, z)];
    factor = weight > 0.0 ? static_cast<float>(1.0 / weight) : 0.0F;
  }
  return {factor * from[0], factor * from[n]};
}

__global__ void __launch_bounds__(kThreads)
    spread(const __grid_constant__ TileView t, const __grid_constant__ TileValues values,
           const __grid_constant__ LineView v, int first, float2* lines) {
  const int at = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (at >= v.padded) return;
  const int x = static_cast<int>(blockIdx.y);
  const int row = first + static_cast<int>(blockIdx.z);
  const int y = row <= v.last ? row : row - v.rows;
  const int z = at <= v.padded / 2 ? at : at - v.padded;
  float2 sum = {0.0F, 0.0F};
  if (abs(z) <= v.last && in_ball(t, x, y, z)) {
    // Frequencies ±Nyquist are the same number: their mean is used.
    const int ys = 2 * y == v.padded || 2 * y == -v.padded ? 2 : 1;
    const int zs = 2 * z == v.padded || 2 * z == -v.padded ? 2 : 1;
    for (int i = 0; i < ys; ++i) {
      for (int j = 0; j < zs; ++j) {
        const float2 one = value_at(t, values, x, i == 0 ? y : -y, j == 0 ? z : -z);
        sum.x += one.x;
        sum.y += one.y;
      }
    }
    const float share = 1.0F / static_cast<float>(ys * zs);
    sum.x *= share;
    sum.y *= share;
  }
  lines[(std::int64_t{blockIdx.z} * v.columns + x) * v.padded + at] = sum;
}

// For each x, transposes (row, z) to (z, y).
__global__ void __launch_bounds__(kTurned* kTurnedRows)
    turn_rows(const __grid_constant__ LineView v, int first, int count, const float2* from,
              float2* to) {
  __shared__ float2 square[kTurned][kTurned + 1];
  const std::int64_t x = blockIdx.z;
  const int lane = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.x) * kTurned;
  const int first_z = static_cast<int>(blockIdx.y) * kTurned;
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int row = first_row + i;
    const int z = first_z + lane;
    if (row < count && z < v.side) {
      square[i][lane] = from[(std::int64_t{row} * v.columns + x) * v.padded + place_of(v, z)];
    }
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int z = first_z + i;
    const int row = first_row + lane;
    if (row < count && z < v.side) {
      const int all = first + row;
      const int y = all <= v.last ? all : all - v.rows + v.padded;
      to[(std::int64_t{z} * v.columns + x) * v.padded + y] = square[lane][i];
    }
  }
}

// For each z, transposes (x, y) to (y, x).
__global__ void __launch_bounds__(kTurned* kTurnedRows)
    turn_columns_to_rows(const __grid_constant__ LineView v, const float2* from, float2* to) {
  __shared__ float2 square[kTurned][kTurned + 1];
  const std::int64_t z = blockIdx.z;
  const int lane = static_cast<int>(threadIdx.x);
  const int first_x = static_cast<int>(blockIdx.x) * kTurned;
  const int first_y = static_cast<int>(blockIdx.y) * kTurned;
  const int length = v.padded / 2 + 1;
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int x = first_x + i;
    const int y = first_y + lane;
    float2 value = {0.0F, 0.0F};
    if (x < v.columns && y < v.side) value = from[(z * v.columns + x) * v.padded + place_of(v, y)];
    // Numbers 0 and Nyquist of a real line are real; the latter is the mean of both signs.
    if (x == 0 || 2 * x == v.padded) value.y = 0.0F;
    square[i][lane] = value;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.y); i < kTurned; i += kTurnedRows) {
    const int y = first_y + i;
    const int x = first_x + lane;
    if (x < length && y < v.side) to[(z * v.side + y) * length + x] = square[lane][i];
  }
}

__global__ void __launch_bounds__(kThreads)
    crop(const __grid_constant__ LineView v, int first_z, float scale, const float* real,
         const double* window, std::int64_t pitch, float* voxels) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= v.side) return;
  const int y = static_cast<int>(blockIdx.y);
  const int z = static_cast<int>(blockIdx.z);
  const std::int64_t dx = distance_of(v, x);
  const std::int64_t dy = distance_of(v, y);
  const std::int64_t dz = distance_of(v, first_z + z);
  const std::int64_t line = std::int64_t{z} * v.side + y;
  const float value = scale * real[line * v.padded + place_of(v, x)];
  voxels[((std::int64_t{first_z} + z) * v.side + y) * pitch + x] =
      static_cast<float>(value / window[dx * dx + dy * dy + dz * dz]);
}

}  // namespace

void spread_along_z(const TileView& tiles, const TileValues& values, const LineView& lines,
                    std::int32_t first, std::int32_t count, float2* z_lines, cudaStream_t stream) {
  const dim3 grid(blocks(lines.padded, kThreads), static_cast<unsigned>(lines.columns),
                  static_cast<unsigned>(count));
  spread<<<grid, kThreads, 0, stream>>>(tiles, values, lines, first, z_lines);
  ensure_launched("spreading sums");
}

void turn_to_y(const LineView& lines, std::int32_t first, std::int32_t count, const float2* z_lines,
               float2* y_lines, cudaStream_t stream) {
  const dim3 grid(blocks(count, kTurned), blocks(lines.side, kTurned),
                  static_cast<unsigned>(lines.columns));
  turn_rows<<<grid, dim3(kTurned, kTurnedRows), 0, stream>>>(lines, first, count, z_lines, y_lines);
  ensure_launched("turning lines of a map");
}

void turn_to_x(const LineView& lines, std::int32_t count, const float2* y_lines, float2* x_lines,
               cudaStream_t stream) {
  const dim3 grid(blocks(lines.padded / 2 + 1, kTurned), blocks(lines.side, kTurned),
                  static_cast<unsigned>(count));
  turn_columns_to_rows<<<grid, dim3(kTurned, kTurnedRows), 0, stream>>>(lines, y_lines, x_lines);
  ensure_launched("turning lines of a map");
}

void crop_lines(const LineView& lines, std::int32_t z, std::int32_t count, const float* real,
                const double* window, std::int64_t pitch, float* voxels, cudaStream_t stream) {
  const double p = lines.padded;
  const dim3 grid(blocks(lines.side, kThreads), static_cast<unsigned>(lines.side),
                  static_cast<unsigned>(count));
  crop<<<grid, kThreads, 0, stream>>>(lines, z, static_cast<float>(1.0 / (p * p * p)), real, window,
                                      pitch, voxels);
  ensure_launched("cropping a map");
}

}  // namespace aprscope::gpu

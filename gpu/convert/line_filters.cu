#include "gpu/convert/line_filters.hpp"
#include "gpu/device/cuda_check.hpp"

// Compiled without fusing: every fused multiply–add that the CPU's kernels have is written out.
namespace aprscope::gpu {
namespace {

// One warp takes 32 lines along y. They pass through shared memory in squares of 32 × 32, so that
// loads along the lines and computation across them both access memory without conflicts.
constexpr int kLineWarps = 4;
constexpr int kSquare = 32;

class Square {
 public:
  __device__ Square(const Lines& lines, int first_line, float (*tile)[kSquare + 1])
      : lines_(lines), first_(first_line), lane_(static_cast<int>(threadIdx.x % 32)), tile_(tile) {
    const int mine = min(first_line + lane_, lines.slices * lines.nx - 1);
    const int z = lines.first_slice + mine / lines.nx;
    own_ = (std::int64_t{z % lines.slots} * lines.nx + mine % lines.nx) * lines.ny;
  }
  // Values of columns [column, column + 32) that lie in the image.
  __device__ void fetch(int column, float (&values)[kSquare]) const {
#pragma unroll
    for (int r = 0; r < kSquare; ++r) {
      const std::int64_t row = __shfl_sync(~0U, own_, r);
      const int y = column + lane_;
      values[r] = y >= 0 && y < lines_.ny ? lines_.ring[row + y] : 0.0F;
    }
  }
  __device__ void place(const float (&values)[kSquare]) {
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kSquare; ++r) tile_[r][lane_] = values[r];
    __syncwarp();
  }
  // Column k of this lane's line.
  __device__ float& operator[](int k) { return tile_[lane_][k]; }
  __device__ void store(int column) {
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kSquare; ++r) {
      const std::int64_t row = __shfl_sync(~0U, own_, r);
      const int y = column + lane_;
      if (first_ + r < lines_.slices * lines_.nx && y >= 0 && y < lines_.ny) {
        lines_.ring[row + y] = tile_[r][lane_];
      }
    }
  }

 private:
  const Lines& lines_;
  int first_;
  int lane_;
  std::int64_t own_;
  float (*tile_)[kSquare + 1];
};

__global__ void __launch_bounds__(32 * kLineWarps)
    filter_y(const __grid_constant__ Lines lines, const __grid_constant__ LineWeights f) {
  __shared__ float tiles[kLineWarps][kSquare][kSquare + 1];
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int first = (static_cast<int>(blockIdx.x) * kLineWarps + warp) * 32;
  if (first >= lines.slices * lines.nx) return;
  Square square(lines, first, tiles[warp]);
  const int n = lines.ny;
  float values[kSquare];
  float start0 = 0.0F;
  float start1 = 0.0F;
  float end0 = 0.0F;
  float end1 = 0.0F;
  for (int base = 0; base < max(f.first_count, f.second_count); base += kSquare) {
    square.fetch(base, values);
    square.place(values);
    for (int k = 0; k < kSquare; ++k) {
      const float x = square[k];
      if (base + k < f.first_count) start0 = fmaf(f.first[base + k], x, start0);
      if (base + k < f.second_count) start1 = fmaf(f.second[base + k], x, start1);
    }
  }
  for (int base = 0; base < max(f.last_count, f.before_last_count); base += kSquare) {
    square.fetch(n - kSquare - base, values);
    square.place(values);
    for (int k = 0; k < kSquare; ++k) {
      const float x = square[kSquare - 1 - k];
      if (base + k < f.last_count) end0 = fmaf(f.last[base + k], x, end0);
      if (base + k < f.before_last_count) end1 = fmaf(f.before_last[base + k], x, end1);
    }
  }
  const float f1 = f.feed1;
  const float f2 = f.feed2;
  float c1 = 0.0F;
  float c2 = 0.0F;
  square.fetch(0, values);
  for (int column = 0; column < n; column += kSquare) {
    square.place(values);
    if (column + kSquare < n) square.fetch(column + kSquare, values);
#pragma unroll 8
    for (int k = 0; k < kSquare; ++k) {
      const int y = column + k;
      float c = fmaf(f1, c1, fmaf(f2, c2, square[k]));
      if (y == 0) c = start0;
      if (y == 1) c = start1;
      square[k] = c;
      c2 = c1;
      c1 = c;
    }
    square.store(column);
  }
  __syncwarp();
  __threadfence_block();
  const int last_column = (n - 1) / kSquare * kSquare;
  square.fetch(last_column, values);
  for (int column = last_column; column >= 0; column -= kSquare) {
    square.place(values);
    if (column > 0) square.fetch(column - kSquare, values);
#pragma unroll 8
    for (int k = kSquare - 1; k >= 0; --k) {
      const int y = column + k;
      if (y >= n) continue;
      float c = fmaf(f1, c1, fmaf(f2, c2, square[k]));
      if (y == n - 1) c = end0;
      if (y == n - 2) c = end1;
      square[k] = c;
      c2 = c1;
      c1 = c;
    }
    square.store(column);
  }
}

// One thread filters one column of a slice along x.
constexpr int kAhead = 16;
__global__ void __launch_bounds__(128)
    filter_x(const __grid_constant__ Lines lines, const __grid_constant__ LineWeights f) {
  const int y = static_cast<int>(blockIdx.x * 128 + threadIdx.x);
  if (y >= lines.ny) return;
  const int z = lines.first_slice + static_cast<int>(blockIdx.y);
  const int n = lines.nx;
  const std::int64_t step = lines.ny;
  float* const begin = lines.ring + std::int64_t{z % lines.slots} * n * step + y;
  float* const end = begin + (n - 1) * step;
  const auto weigh = [](const float* weights, int count, const float* from, std::int64_t to_next) {
    float sum = 0.0F;
#pragma unroll 8
    for (int k = 0; k < count; ++k) sum = fmaf(weights[k], from[k * to_next], sum);
    return sum;
  };
  const float start0 = weigh(f.first, f.first_count, begin, step);
  const float start1 = weigh(f.second, f.second_count, begin, step);
  const float end0 = weigh(f.last, f.last_count, end, -step);
  const float end1 = weigh(f.before_last, f.before_last_count, end, -step);
  const float f1 = f.feed1;
  const float f2 = f.feed2;
  const auto pass = [&](float* from, std::int64_t to_next, float first, float second) {
    float c2 = first;
    float c1 = second;
    from[0] = first;
    from[to_next] = second;
    float here[kAhead];
    float next[kAhead];
    const auto fetch = [&](int k, float(&values)[kAhead]) {
#pragma unroll
      for (int i = 0; i < kAhead; ++i) values[i] = k + i < n ? from[(k + i) * to_next] : 0.0F;
    };
    fetch(2, here);
    for (int k = 2; k < n; k += kAhead) {
      fetch(k + kAhead, next);
#pragma unroll
      for (int i = 0; i < kAhead; ++i) {
        if (k + i >= n) continue;
        const float c = fmaf(f1, c1, fmaf(f2, c2, here[i]));
        from[(k + i) * to_next] = c;
        c2 = c1;
        c1 = c;
      }
#pragma unroll
      for (int i = 0; i < kAhead; ++i) here[i] = next[i];
    }
  };
  pass(begin, step, start0, start1);
  pass(end, -step, end0, end1);
}

}  // namespace

void filter_lines_y(const Lines& lines, const LineWeights& weights, cudaStream_t stream) {
  constexpr int kLines = 32 * kLineWarps;
  const int blocks = (lines.slices * lines.nx + kLines - 1) / kLines;
  filter_y<<<static_cast<unsigned>(blocks), kLines, 0, stream>>>(lines, weights);
  ensure_launched("smoothing");
}

void filter_lines_x(const Lines& lines, const LineWeights& weights, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>((lines.ny + 127) / 128),
                  static_cast<unsigned>(lines.slices));
  filter_x<<<grid, 128, 0, stream>>>(lines, weights);
  ensure_launched("smoothing");
}

}  // namespace aprscope::gpu

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octets.cuh"
#include "gpu/pixel/dense_grid.cuh"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "Fourier transform on the GPU";
constexpr int kThreads = 256;
// Rows of a buffer that a block works on, a warp each.
constexpr int kRows = kThreads / 32;

unsigned row_blocks(std::int64_t rows) { return static_cast<unsigned>((rows + kRows - 1) / kRows); }
unsigned blocks(std::uint64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

// The cell, of n, that position i of a dimension padded to m holds; −1: zero.
__device__ int source(int i, int n, int m, Beyond beyond) {
  if (i < n) return i;
  if (beyond == Beyond::zero) return -1;
  if (i >= n + (m - n + 1) / 2) i -= m;
  if (beyond == Beyond::about_cell) return reflect(i, n);
  i %= 2 * n;
  if (i < 0) i += 2 * n;
  return i < n ? i : 2 * n - 1 - i;
}

// The row of this warp; false behind the last row.
__device__ bool own_row(std::int64_t rows, int across, int& z, int& x) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kRows + threadIdx.x / 32;
  if (row >= rows) return false;
  z = static_cast<int>(row / across);
  x = static_cast<int>(row % across);
  return true;
}

// `image` null: extends the buffer's own cells, which are left unchanged.
__global__ void __launch_bounds__(kThreads)
    fill_padded(const __grid_constant__ GridView g, Beyond beyond, const float* image) {
  int z = 0;
  int x = 0;
  if (!own_row(std::int64_t{g.padded.z} * g.padded.x, g.padded.x, z, x)) return;
  float* const to = g.buffer + (std::int64_t{z} * g.padded.x + x) * g.row;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int sz = source(z, g.size.z, g.padded.z, beyond);
  const int sx = source(x, g.size.x, g.padded.x, beyond);
  const bool own = image == nullptr && z < g.size.z && x < g.size.x;
  const float* const from = image != nullptr
                                ? image + (std::int64_t{sz} * g.size.x + sx) * g.size.y
                                : g.buffer + (std::int64_t{sz} * g.padded.x + sx) * g.row;
  for (int y = lane + (own ? g.size.y : 0); y < g.row; y += 32) {
    // The room for a row's spectrum, behind its pixels, becomes 0.
    const int sy = y < g.padded.y ? source(y, g.size.y, g.padded.y, beyond) : -1;
    to[y] = sz >= 0 && sx >= 0 && sy >= 0 ? from[sy] : 0.0F;
  }
}

__global__ void __launch_bounds__(kThreads)
    load(const __grid_constant__ GridView g, const float* image) {
  int z = 0;
  int x = 0;
  if (!own_row(std::int64_t{g.size.z} * g.size.x, g.size.x, z, x)) return;
  const float* const from = image + (std::int64_t{z} * g.size.x + x) * g.size.y;
  for (int y = static_cast<int>(threadIdx.x) % 32; y < g.size.y; y += 32) {
    g.buffer[grid_offset(g, z, x, y)] = from[y];
  }
}

__global__ void __launch_bounds__(kThreads)
    store(const __grid_constant__ GridView g, float* image) {
  int z = 0;
  int x = 0;
  if (!own_row(std::int64_t{g.size.z} * g.size.x, g.size.x, z, x)) return;
  float* const to = image + (std::int64_t{z} * g.size.x + x) * g.size.y;
  for (int y = static_cast<int>(threadIdx.x) % 32; y < g.size.y; y += 32) {
    to[y] = g.buffer[grid_offset(g, z, x, y)];
  }
}

__global__ void __launch_bounds__(kThreads)
    place(const __grid_constant__ GridView g, const float* kernel, Int3 n) {
  int z = 0;
  int x = 0;
  if (!own_row(std::int64_t{n.z} * n.x, n.x, z, x)) return;
  const float* const from = kernel + (std::int64_t{z} * n.x + x) * n.y;
  const auto wrapped = [](int i, int size, int m) {
    const int at = i - size / 2;
    return at < 0 ? at + m : at;
  };
  float* const to = g.buffer + (std::int64_t{wrapped(z, n.z, g.padded.z)} * g.padded.x +
                                wrapped(x, n.x, g.padded.x)) *
                                   g.row;
  for (int y = static_cast<int>(threadIdx.x) % 32; y < n.y; y += 32) {
    to[wrapped(y, n.y, g.padded.y)] = from[y];
  }
}

template <bool real>
__global__ void __launch_bounds__(kThreads)
    keep(const float2* spectrum, std::uint64_t count, float scale, float* out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float2 v = spectrum[i];
  if constexpr (real) {
    out[i] = scale * v.x;
  } else {
    reinterpret_cast<float2*>(out)[i] = {scale * v.x, scale * v.y};
  }
}

template <bool real>
__global__ void __launch_bounds__(kThreads)
    multiply(float2* spectrum, const float* kernel, std::uint64_t count, float sign) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const float2 v = spectrum[i];
  if constexpr (real) {
    const float h = kernel[i];
    spectrum[i] = {v.x * h, v.y * h};
  } else {
    const float2 h = reinterpret_cast<const float2*>(kernel)[i];
    const float im = sign * h.y;
    spectrum[i] = {v.x * h.x - v.y * im, v.x * im + v.y * h.x};
  }
}

}  // namespace

void load_padded(const GridView& g, Beyond beyond, const float* image, cudaStream_t stream) {
  const std::int64_t rows = std::int64_t{g.padded.z} * g.padded.x;
  fill_padded<<<row_blocks(rows), kThreads, 0, stream>>>(g, beyond, image);
  ensure_launched(kWhat);
}

void extend_padded(const GridView& g, Beyond beyond, cudaStream_t stream) {
  load_padded(g, beyond, nullptr, stream);
}

void load_cells(const GridView& g, const float* image, cudaStream_t stream) {
  load<<<row_blocks(std::int64_t{g.size.z} * g.size.x), kThreads, 0, stream>>>(g, image);
  ensure_launched(kWhat);
}

void store_cells(const GridView& g, float* image, cudaStream_t stream) {
  store<<<row_blocks(std::int64_t{g.size.z} * g.size.x), kThreads, 0, stream>>>(g, image);
  ensure_launched(kWhat);
}

void place_kernel(const GridView& g, const float* kernel, Int3 size, cudaStream_t stream) {
  place<<<row_blocks(std::int64_t{size.z} * size.x), kThreads, 0, stream>>>(g, kernel, size);
  ensure_launched(kWhat);
}

void keep_spectrum(const float* spectrum, std::uint64_t count, bool real, float scale, float* out,
                   cudaStream_t stream) {
  const auto* const from = reinterpret_cast<const float2*>(spectrum);
  if (real) {
    keep<true><<<blocks(count), kThreads, 0, stream>>>(from, count, scale, out);
  } else {
    keep<false><<<blocks(count), kThreads, 0, stream>>>(from, count, scale, out);
  }
  ensure_launched(kWhat);
}

void multiply_spectrum(float* spectrum, const float* kernel, std::uint64_t count, bool real,
                       bool conjugate, cudaStream_t stream) {
  auto* const values = reinterpret_cast<float2*>(spectrum);
  const float sign = conjugate ? -1.0F : 1.0F;
  if (real) {
    multiply<true><<<blocks(count), kThreads, 0, stream>>>(values, kernel, count, sign);
  } else {
    multiply<false><<<blocks(count), kThreads, 0, stream>>>(values, kernel, count, sign);
  }
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

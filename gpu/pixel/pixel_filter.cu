#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/neighbourhood.cuh"
#include "gpu/octet/octets.cuh"
#include "gpu/pixel/pixel_filter.hpp"

namespace aprscope::gpu {
namespace {

constexpr int kRun = 8;  // results of one thread along a line

// The index inside an axis of n that index i refers to; −1: the value is zero.
__device__ int inside(int i, int n, bool mirror) {
  if (i >= 0 && i < n) return i;
  return mirror ? reflect(i, n) : -1;
}

// The index of a slice of this image. For slices of the whole image that this one does not have,
// the nearest one: results that would need them are discarded.
__device__ int slice_of(const PixelImage& image, int z) {
  const int at = inside(z + image.first_slice, image.whole_z, image.reflect);
  if (at < 0) return -1;
  return min(max(at - image.first_slice, 0), image.size.z - 1);
}

// Adds value k of a line to kRun sums; the weight k + j is in slot (k − j) modulo kRun.
struct Sums {
  float sum[kRun] = {};
  float w[kRun] = {};
  template <int slot>
  __device__ void add(float weight, float value) {
    w[slot] = weight;
#pragma unroll
    for (int j = 0; j < kRun; ++j) sum[j] = fmaf(w[(slot - j) & (kRun - 1)], value, sum[j]);
  }
};

template <class Value>
__device__ void run_along(Sums& s, const float* __restrict__ weights, int taps,
                          const Value& value) {
  for (int k = 0; k < taps + kRun - 1; k += kRun) {
    s.add<0>(weights[k], value(k));
    s.add<1>(weights[k + 1], value(k + 1));
    s.add<2>(weights[k + 2], value(k + 2));
    s.add<3>(weights[k + 3], value(k + 3));
    s.add<4>(weights[k + 4], value(k + 4));
    s.add<5>(weights[k + 5], value(k + 5));
    s.add<6>(weights[k + 6], value(k + 6));
    s.add<7>(weights[k + 7], value(k + 7));
  }
}

// A pass along z or x: neighbouring threads take neighbouring pixels of a row.
template <int axis>
__global__ void __launch_bounds__(128)
    across(const __grid_constant__ PixelImage image, const float* __restrict__ weights, int taps,
           float* out) {
  const int y = static_cast<int>(blockIdx.x * 128 + threadIdx.x);
  if (y >= image.size.y) return;
  const int first = static_cast<int>(blockIdx.y) * kRun;
  const int other = static_cast<int>(blockIdx.z);
  const int n = axis == 0 ? image.size.z : image.size.x;
  const std::int64_t row = image.size.y;
  const std::int64_t plane = row * image.size.x;
  const std::int64_t step = axis == 0 ? plane : row;
  const std::int64_t base = other * (axis == 0 ? row : plane) + y;
  const int radius = taps / 2;
  Sums s;
  run_along(s, weights, taps, [&](int k) {
    const int i = first + k - radius;
    if (k >= taps + kRun - 1 || i >= n + radius) return 0.0F;
    const int at = axis == 0 ? slice_of(image, i) : inside(i, n, image.reflect);
    return at >= 0 ? image.values[base + at * step] : 0.0F;
  });
#pragma unroll
  for (int j = 0; j < kRun; ++j) {
    if (first + j < n) out[base + (first + j) * step] = s.sum[j];
  }
}

// A pass along y: part of a row in shared memory, spread so that runs begin in different banks.
constexpr int kStretchThreads = 64;
__device__ int spread(int i) { return i + (i >> 3); }

__global__ void __launch_bounds__(kStretchThreads)
    along(const __grid_constant__ PixelImage image, const float* __restrict__ weights, int taps,
          float* out) {
  extern __shared__ float line[];
  const int radius = taps / 2;
  const int first = static_cast<int>(blockIdx.x) * kStretchThreads * kRun;
  const std::int64_t row = (std::int64_t{blockIdx.z} * image.size.x + blockIdx.y) * image.size.y;
  const int n = image.size.y;
  const int count = kStretchThreads * kRun + taps - 1;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kStretchThreads) {
    const int at =
        first + i - radius < n + radius ? inside(first + i - radius, n, image.reflect) : -1;
    line[spread(i)] = at >= 0 ? image.values[row + at] : 0.0F;
  }
  __syncthreads();
  const int own = static_cast<int>(threadIdx.x) * kRun;
  Sums s;
  run_along(s, weights, taps,
            [&](int k) { return k < taps + kRun - 1 ? line[spread(own + k)] : 0.0F; });
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kRun; ++j) line[spread(own + j)] = s.sum[j];
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kStretchThreads * kRun; i += kStretchThreads) {
    if (first + i < n) out[row + first + i] = line[spread(i)];
  }
}

// A block computes 32 × 4 × 16 results (y, x, z) from a patch in shared memory; a thread computes
// kRun neighbouring ones along z.
constexpr int kTileY = 32;
constexpr int kTileX = 4;
constexpr int kTileZ = 2 * kRun;

struct PatchSize {
  int z, x, y;
};
__host__ __device__ PatchSize patch_of(Int3 r) {
  return {kTileZ + 2 * r.z, kTileX + 2 * r.x, kTileY + 2 * r.y};
}
int patch_bytes(Int3 r) {
  const PatchSize p = patch_of(r);
  return p.z * p.x * p.y * static_cast<int>(sizeof(float));
}

__global__ void __launch_bounds__(kTileY* kTileX * 2)
    dense_tile(const __grid_constant__ PixelImage image, const float* __restrict__ weights, Int3 r,
               float* out) {
  extern __shared__ float patch[];
  const PatchSize p = patch_of(r);
  const Int3 corner{static_cast<int>(blockIdx.z) * kTileZ, static_cast<int>(blockIdx.y) * kTileX,
                    static_cast<int>(blockIdx.x) * kTileY};
  const std::int64_t row = image.size.y;
  const std::int64_t plane = row * image.size.x;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < p.z * p.x; i += kTileX * 2) {
    const int qz = corner.z + i / p.x - r.z;
    const int qx = corner.x + i % p.x - r.x;
    const int z = qz < image.size.z + r.z ? slice_of(image, qz) : -1;
    const int x = qx < image.size.x + r.x ? inside(qx, image.size.x, image.reflect) : -1;
    const float* const from = image.values + z * plane + x * row;
    for (int k = lane; k < p.y; k += 32) {
      const int qy = corner.y + k - r.y;
      const int y = qy < image.size.y + r.y ? inside(qy, image.size.y, image.reflect) : -1;
      patch[i * p.y + k] = z >= 0 && x >= 0 && y >= 0 ? from[y] : 0.0F;
    }
  }
  __syncthreads();
  const int ty = lane;
  const int tx = static_cast<int>(threadIdx.x) / 32 % kTileX;
  const int tz = static_cast<int>(threadIdx.x) / 32 / kTileX * kRun;
  float sum[kRun] = {};
  const int side_x = 2 * r.x + 1;
  const int side_y = 2 * r.y + 1;
  const int step = p.x * p.y;
  for (int wx = 0; wx < side_x; ++wx) {
    for (int wy = 0; wy < side_y; ++wy) {
      const float* const column = patch + (tz * p.x + tx + wx) * p.y + ty + wy;
      const float* const w = weights + wx * side_y + wy;
      float value[kRun];
#pragma unroll
      for (int j = 0; j < kRun; ++j) value[j] = column[j * step];
      for (int wz = 0;; ++wz) {
        const float weight = __ldg(w + wz * side_x * side_y);
#pragma unroll
        for (int j = 0; j < kRun; ++j) sum[j] = fmaf(weight, value[j], sum[j]);
        if (wz == 2 * r.z) break;
#pragma unroll
        for (int j = 0; j + 1 < kRun; ++j) value[j] = value[j + 1];
        value[kRun - 1] = column[(kRun + wz) * step];
      }
    }
  }
  const int x = corner.x + tx;
  const int y = corner.y + ty;
  if (x >= image.size.x || y >= image.size.y) return;
#pragma unroll
  for (int j = 0; j < kRun; ++j) {
    const int z = corner.z + tz + j;
    if (z < image.size.z) out[z * plane + x * row + y] = sum[j];
  }
}

// The cells around a pixel, each looked up in the image.
struct PixelCells {
  const PixelImage& image;
  Int3 at;
  __device__ float operator()(int z, int x, int y) const {
    const int pz = slice_of(image, at.z + z);
    const int px = inside(at.x + x, image.size.x, image.reflect);
    const int py = inside(at.y + y, image.size.y, image.reflect);
    if (pz < 0 || px < 0 || py < 0) return 0.0F;
    return image.values[(std::int64_t{pz} * image.size.x + px) * image.size.y + py];
  }
};

template <class Work>
__device__ void at_pixel(const PixelImage& image, float* out, const Work& work) {
  const int y = static_cast<int>(blockIdx.x * 128 + threadIdx.x);
  if (y >= image.size.y) return;
  const Int3 at{static_cast<int>(blockIdx.z), static_cast<int>(blockIdx.y), y};
  out[(std::int64_t{at.z} * image.size.x + at.x) * image.size.y + y] = work(PixelCells{image, at});
}

template <Statistic which>
__global__ void __launch_bounds__(128)
    statistic_at(const __grid_constant__ PixelImage image, Int3 r, float* out) {
  at_pixel(image, out, [&](const PixelCells& cells) { return statistic_of<which>(cells, r); });
}

__global__ void __launch_bounds__(128)
    dense_at(const __grid_constant__ PixelImage image, const float* __restrict__ weights, Int3 r,
             float* out) {
  at_pixel(image, out, [&](const PixelCells& cells) {
    float sum = 0.0F;
    const float* w = weights;
    for_each_cell(cells, r, [&](float f) { sum = fmaf(*w++, f, sum); });
    return sum;
  });
}

__global__ void __launch_bounds__(128)
    variation_at(const __grid_constant__ PixelImage image, float edge, float* out) {
  at_pixel(image, out, [&](const PixelCells& cells) { return variation_of(cells, edge); });
}

unsigned parts(int n, int each) { return static_cast<unsigned>((n + each - 1) / each); }

dim3 pixel_grid(const PixelImage& image) {
  return {parts(image.size.y, 128), static_cast<unsigned>(image.size.x),
          static_cast<unsigned>(image.size.z)};
}

}  // namespace

void pixel_pass(const PixelImage& image, int axis, const float* weights, int taps, float* out,
                cudaStream_t stream) {
  const Int3& n = image.size;
  if (axis == 0) {
    const dim3 grid(parts(n.y, 128), parts(n.z, kRun), static_cast<unsigned>(n.x));
    across<0><<<grid, 128, 0, stream>>>(image, weights, taps, out);
  } else if (axis == 1) {
    const dim3 grid(parts(n.y, 128), parts(n.x, kRun), static_cast<unsigned>(n.z));
    across<1><<<grid, 128, 0, stream>>>(image, weights, taps, out);
  } else {
    const dim3 grid(parts(n.y, kStretchThreads * kRun), static_cast<unsigned>(n.x),
                    static_cast<unsigned>(n.z));
    const int count = kStretchThreads * kRun + taps;
    const auto bytes = static_cast<std::size_t>(count + count / 8 + 1) * sizeof(float);
    along<<<grid, kStretchThreads, bytes, stream>>>(image, weights, taps, out);
  }
  ensure_launched("filtering pixels");
}

void pixel_correlation(const PixelImage& image, const float* weights, Int3 radius, float* out,
                       cudaStream_t stream) {
  int device = 0;
  int most = 0;
  ensure(cudaGetDevice(&device), "asking for the current GPU");
  ensure(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
         "asking what the GPU is");
  const int bytes = patch_bytes(radius);
  if (bytes > most) {
    dense_at<<<pixel_grid(image), 128, 0, stream>>>(image, weights, radius, out);
  } else {
    ensure(cudaFuncSetAttribute(dense_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
           "setting up a filter");
    const dim3 grid(parts(image.size.y, kTileY), parts(image.size.x, kTileX),
                    parts(image.size.z, kTileZ));
    dense_tile<<<grid, kTileY * kTileX * 2, static_cast<std::size_t>(bytes), stream>>>(
        image, weights, radius, out);
  }
  ensure_launched("filtering pixels");
}

void pixel_variation(const PixelImage& image, float edge, float* out, cudaStream_t stream) {
  variation_at<<<pixel_grid(image), 128, 0, stream>>>(image, edge, out);
  ensure_launched("regularising");
}

void pixel_statistic(const PixelImage& image, Statistic statistic, Int3 radius, float* out,
                     cudaStream_t stream) {
  const dim3 grid = pixel_grid(image);
  switch (statistic) {
    case Statistic::deviation:
      statistic_at<Statistic::deviation><<<grid, 128, 0, stream>>>(image, radius, out);
      break;
    case Statistic::median:
      statistic_at<Statistic::median><<<grid, 128, 0, stream>>>(image, radius, out);
      break;
    case Statistic::min:
      statistic_at<Statistic::min><<<grid, 128, 0, stream>>>(image, radius, out);
      break;
    case Statistic::max:
      statistic_at<Statistic::max><<<grid, 128, 0, stream>>>(image, radius, out);
      break;
  }
  ensure_launched("filtering pixels");
}

}  // namespace aprscope::gpu

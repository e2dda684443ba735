#include <algorithm>
#include <vector>

#include "gpu/convert/image_half_grid.hpp"
#include "gpu/convert/local_scale.cuh"

// Compiled without fusing: every fused multiply–add that the CPU's kernels have is written out.
namespace aprscope::gpu {
namespace {

struct BlockJob {
  int nz, nx, ny;  // of the image
  int cols;        // of the half grid
  int first;
  float scale_z, scale_x, scale_y, share;
};

// Gradient and mean of a block of 2×2×2 pixels.
__global__ void __launch_bounds__(kThreads)
    make_blocks(Planes image, BlockJob job, Planes gradient, Planes mean) {
  const int k = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (k >= job.cols) return;
  const int x = static_cast<int>(blockIdx.y);
  const int h = job.first + static_cast<int>(blockIdx.z);
  const float* rows[4][4];
#pragma unroll
  for (int dz = 0; dz < 4; ++dz) {
    const int pz = min(max(2 * h - 1 + dz, 0), job.nz - 1);
#pragma unroll
    for (int dx = 0; dx < 4; ++dx) {
      rows[dz][dx] = image.row(pz, min(max(2 * x - 1 + dx, 0), job.nx - 1));
    }
  }
  float largest = 0.0F;
  float means[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int y = min(2 * k + i, job.ny - 1);
    const int before = max(min(2 * k + i - 1, job.ny - 1), 0);
    const int after = min(2 * k + i + 1, job.ny - 1);
    float sum = 0.0F;
#pragma unroll
    for (int z = 1; z < 3; ++z) {
#pragma unroll
      for (int r = 1; r < 3; ++r) {
        const float gz = (rows[z + 1][r][y] - rows[z - 1][r][y]) * job.scale_z;
        const float gx = (rows[z][r + 1][y] - rows[z][r - 1][y]) * job.scale_x;
        const float gy = (rows[z][r][after] - rows[z][r][before]) * job.scale_y;
        // The order in which the CPU's compiler fuses.
        const float square = fmaf(gz, gz, fmaf(gy, gy, gx * gx));
        largest = fmaxf(square, largest);
        sum += rows[z][r][y];
      }
    }
    means[i] = sum;
  }
  gradient.row(h, x)[k] = sqrtf(largest);
  mean.row(h, x)[k] = (means[0] + means[1]) * job.share;
}

__device__ float weigh(float a, float b, float c) {
  return fmaf(b, 4.0F / 6.0F, (a + c) * (1.0F / 6.0F));
}

struct ValueJob {
  GridSize n;
  int first;
  bool smoothed, whole;
  float mask;
};

// The intensity of a voxel; masks its gradient.
__global__ void __launch_bounds__(kThreads)
    make_values(Planes mean, ValueJob job, const float* offset, Planes gradient, Planes values) {
  const int y = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (y >= job.n.y) return;
  const int x = static_cast<int>(blockIdx.y);
  const int h = job.first + static_cast<int>(blockIdx.z);
  float value = 0.0F;
  if (job.smoothed) {
    const int zs[3] = {mirrored_once(h - 1, job.n.z), h, mirrored_once(h + 1, job.n.z)};
    const int xs[3] = {mirrored_once(x - 1, job.n.x), x, mirrored_once(x + 1, job.n.x)};
    const int ys[3] = {mirrored_once(y - 1, job.n.y), y, mirrored_once(y + 1, job.n.y)};
    float of_x[3][3];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const float* const below = mean.row(zs[0], xs[i]);
      const float* const here = mean.row(zs[1], xs[i]);
      const float* const above = mean.row(zs[2], xs[i]);
#pragma unroll
      for (int k = 0; k < 3; ++k) of_x[i][k] = weigh(below[ys[k]], here[ys[k]], above[ys[k]]);
    }
    float of_y[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) of_y[k] = weigh(of_x[0][k], of_x[1][k], of_x[2][k]);
    value = weigh(of_y[0], of_y[1], of_y[2]);
  } else {
    value = mean.row(h, x)[y];
  }
  values.row(h, x)[y] = value;
  const float shown = value + *offset;
  const float grey = job.whole ? nearbyintf(shown) : shown;
  float& g = gradient.row(h, x)[y];
  if (!(grey > job.mask)) g = -1.0F;
}

// One thread a row: the sum in double keeps the order of the CPU.
__global__ void sum_rows(Planes values, GridSize n, int first, double* sums, float* least) {
  const int x = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (x >= n.x) return;
  const int h = first + static_cast<int>(blockIdx.y);
  const float* const row = values.row(h, x);
  double sum = 0.0;
  float smallest = row[0];
  for (int y = 0; y < n.y; ++y) {
    sum += static_cast<double>(row[y]);
    smallest = fminf(smallest, row[y]);
  }
  sums[std::int64_t{h} * n.x + x] = sum;
  least[std::int64_t{h} * n.x + x] = smallest;
}

__global__ void fill(float* to, std::int64_t count, float value) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) to[i] = value;
}

GridSize border_of(const HalfOptions& o) {
  GridSize b;
  b.z = o.windows.window[0].outer;
  b.x = o.windows.window[1].outer;
  b.y = o.windows.window[2].outer;
  return b;
}

GridSize mirrored_of(const HalfOptions& o) {
  GridSize n(o.half);
  const GridSize b = border_of(o);
  n.z += 2 * b.z;
  n.x += 2 * b.x;
  n.y += 2 * b.y;
  return n;
}

// The size of each ring of planes: one slab, and as far as the windows of the scale reach.
int ring_slots(const HalfOptions& o, int slab_planes) {
  const ScaleWindow& z = o.windows.window[0];
  return std::min(mirrored_of(o).z, slab_planes + 4 * (z.outer + z.inner) + 8);
}

}  // namespace

ImageHalfGrid::ImageHalfGrid(const HalfOptions& options, const ImageSmoother& image,
                             const Size3& image_size, float norm, int slab_planes,
                             cudaStream_t stream)
    : options_(options),
      image_(image),
      size_(image_size),
      norm_(norm),
      stream_(stream),
      half_(options.half),
      border_(border_of(options)),
      mirrored_(mirrored_of(options)),
      slots_(ring_slots(options, slab_planes)) {
  const char* const what = "gradient and scale on the GPU";
  const auto count = static_cast<std::uint64_t>(options.half.count());
  const auto plane = static_cast<std::uint64_t>(options.half.x * options.half.y);
  const auto wide =
      static_cast<std::uint64_t>(mirrored_.x) * static_cast<std::uint64_t>(mirrored_.y);
  const auto slots = static_cast<std::uint64_t>(slots_);
  gradient_ = {count, what, stream};
  scale_ = {count, what, stream};
  means_ = {slots * plane, what, stream};
  values_ = {slots * plane, what, stream};
  if (options.windows.any()) {
    inner_ = {slots * wide, what, stream};
    deviation_ = {slots * wide, what, stream};
    outer_ = {slots * plane, what, stream};
  } else {
    const auto rows = static_cast<std::uint64_t>(options.half.z * options.half.x);
    row_sums_ = {rows, what, stream};
    row_least_ = {rows, what, stream};
  }
}

void ImageHalfGrid::blocks(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  BlockJob job;
  job.nz = size_.z;
  job.nx = size_.x;
  job.ny = size_.y;
  job.cols = half_.y;
  job.first = static_cast<int>(begin);
  job.scale_z = 0.5F / options_.dz * norm_;
  job.scale_x = 0.5F / options_.dx * norm_;
  job.scale_y = 0.5F / options_.dy * norm_;
  job.share = 0.125F * norm_;
  const Planes in{const_cast<float*>(image_.coefficients()), image_.slots(), size_.x, size_.y};
  const Planes means{means_.data(), slots_, half_.x, half_.y};
  make_blocks<<<planes_grid(half_, end - begin), kThreads, 0, stream_>>>(
      in.near(2 * begin), job, {gradient_.data(), half_.z, half_.x, half_.y}, means.near(begin));
}

void ImageHalfGrid::values(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  const Planes values{values_.data(), slots_, half_.x, half_.y};
  const ValueJob job{half_, static_cast<int>(begin), options_.smoothed, options_.whole,
                     *options_.mask};
  const Planes means{means_.data(), slots_, half_.x, half_.y};
  make_values<<<planes_grid(half_, end - begin), kThreads, 0, stream_>>>(
      means.near(begin), job, image_.offset(), {gradient_.data(), half_.z, half_.x, half_.y},
      values.near(begin));
  if (!options_.windows.any()) {
    const dim3 grid(blocks_for(half_.x), static_cast<unsigned>(end - begin));
    sum_rows<<<grid, kThreads, 0, stream_>>>(values.near(begin), half_, static_cast<int>(begin),
                                             row_sums_.data(), row_least_.data());
  }
}

// Computes all of the scale that planes of intensities up to `known` suffice for.
void ImageHalfGrid::scales(std::int64_t known) {
  const auto& window = options_.windows.window;
  ScaleJob job{half_, border_, mirrored_, window[0], window[1], window[2], 0, 0.0F};
  const Planes values{values_.data(), slots_, half_.x, half_.y};
  const Planes inner{inner_.data(), slots_, mirrored_.x, mirrored_.y};
  const Planes deviation{deviation_.data(), slots_, mirrored_.x, mirrored_.y};
  const Planes outer{outer_.data(), slots_, half_.x, half_.y};
  if (values_made_ < known) {
    job.first = static_cast<int>(values_made_);
    make_inner_means(values, job, known - values_made_, inner, stream_);
  }
  const auto ready = [&](std::int64_t pz) {
    const std::int64_t half = window[0].inner;
    for (std::int64_t k = std::max<std::int64_t>(pz - half, 0);
         k < std::min<std::int64_t>(pz + half + 1, mirrored_.z); ++k) {
      if (mirrored_sample(k - border_.z, half_.z) >= known) return false;
    }
    return true;
  };
  std::int64_t end = deviations_made_;
  while (end < mirrored_.z && ready(end)) ++end;
  if (end == deviations_made_) return;
  job.first = static_cast<int>(deviations_made_);
  const std::int64_t count = end - deviations_made_;
  make_deviations(values, inner, job, count, deviation, outer, stream_);
  const std::int64_t first_scale = std::max<std::int64_t>(deviations_made_ - 2 * border_.z, 0);
  const std::int64_t scale_end = end - 2 * border_.z;
  if (first_scale < scale_end) {
    job.first = static_cast<int>(first_scale);
    job.share = options_.windows.factor / static_cast<float>(2 * border_.z + 1);
    make_scales(outer, job, scale_end - first_scale, scale_.data(), stream_);
  }
  deviations_made_ = end;
}

void ImageHalfGrid::run(std::int64_t end) {
  const bool last = end == size_.z;
  const std::int64_t made = last ? half_.z : (end - 1) / 2;
  blocks(blocks_made_, made);
  blocks_made_ = std::max(blocks_made_, made);
  const std::int64_t lag = last ? 0 : HalfStrip::intensity_lag(options_);
  const std::int64_t known = std::max(values_made_, blocks_made_ - lag);
  values(values_made_, known);
  if (options_.windows.any()) scales(known);
  values_made_ = known;
  ensure_launched("gradient and scale");
}

float ImageHalfGrid::mean_less_least() const {
  std::vector<double> sums(row_sums_.count());
  std::vector<float> least(row_least_.count());
  ensure(cudaMemcpyAsync(sums.data(), row_sums_.data(), row_sums_.bytes(), cudaMemcpyDeviceToHost,
                         stream_),
         "reading sums");
  ensure(cudaMemcpyAsync(least.data(), row_least_.data(), row_least_.bytes(),
                         cudaMemcpyDeviceToHost, stream_),
         "reading sums");
  ensure(cudaStreamSynchronize(stream_), "reading sums");
  double sum = 0.0;
  for (const double s : sums) sum += s;
  const float smallest = *std::min_element(least.begin(), least.end());
  return static_cast<float>(sum / static_cast<double>(options_.half.count()) -
                            static_cast<double>(smallest));
}

void ImageHalfGrid::fill_scale(float value) const {
  const auto count = static_cast<std::int64_t>(scale_.count());
  fill<<<blocks_for(count), kThreads, 0, stream_>>>(scale_.data(), count, value);
  ensure_launched("scale");
}

std::uint64_t ImageHalfGrid::estimate_bytes(const HalfOptions& o, int slab_planes) {
  const auto plane = static_cast<std::uint64_t>(o.half.x * o.half.y);
  const GridSize m = mirrored_of(o);
  const auto wide = static_cast<std::uint64_t>(m.x) * static_cast<std::uint64_t>(m.y);
  const auto slots = static_cast<std::uint64_t>(ring_slots(o, slab_planes));
  return (2 * static_cast<std::uint64_t>(o.half.count()) + slots * (3 * plane + 2 * wide)) *
         sizeof(float);
}

}  // namespace aprscope::gpu

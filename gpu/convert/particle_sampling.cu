#include <algorithm>
#include <type_traits>

#include "core/apr/structure/linear_access.hpp"
#include "gpu/convert/particle_sampling.hpp"

// Compiled without fused multiply–adds, as the CPU's sampling is, so that the bits agree.
namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "particle values on the GPU";
constexpr int kThreads = 128;

// An image of slices, or of the means of a level.
template <class T>
struct Grid {
  const T* base;
  int slots;
  GridSize size;
  __device__ const T* row(int z, int x) const {
    return base + (std::int64_t{z % slots} * size.x + x) * size.y;
  }
};

// The mean of the children that exist; summed along rows first, then the two along y.
template <class T>
__global__ void __launch_bounds__(kThreads)
    halve(Grid<T> fine, GridSize to, int first, bool truncate, float* means) {
  const int y = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (y >= to.y) return;
  const int x = static_cast<int>(blockIdx.y);
  const int z = first + static_cast<int>(blockIdx.z);
  const bool alone = 2 * y + 1 >= fine.size.y;
  float even = 0.0F;
  float odd = 0.0F;
  int count = 0;
  for (int fz = 2 * z; fz < min(2 * z + 2, fine.size.z); ++fz) {
    for (int fx = 2 * x; fx < min(2 * x + 2, fine.size.x); ++fx) {
      const T* const row = fine.row(fz, fx) + 2 * y;
      even += static_cast<float>(row[0]);
      if (!alone) odd += static_cast<float>(row[1]);
      ++count;
    }
  }
  float mean =
      alone ? even / static_cast<float>(count) : (even + odd) * (0.5F / static_cast<float>(count));
  if (truncate) mean = floorf(mean);
  means[(std::int64_t{z} * to.x + x) * to.y + y] = mean;
}

template <class T>
__device__ T to_value(float mean) {
  if constexpr (std::is_integral_v<T>) {
    constexpr float kLargest = sizeof(T) == 1 ? 255.0F : 65535.0F;
    return static_cast<T>(fminf(fmaxf(floorf(mean + 0.5F), 0.0F), kLargest));
  } else {
    return mean;
  }
}

// One warp per row of cells.
template <class T, class In>
__global__ void __launch_bounds__(kThreads)
    sample(Grid<In> in, int first_z, std::uint64_t rows, std::uint64_t first_row,
           const std::uint16_t* __restrict__ ys, const std::uint64_t* __restrict__ xz_end,
           T* values) {
  const std::uint64_t i = (std::uint64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  if (i >= rows) return;
  const int z = first_z + static_cast<int>(i / in.size.x);
  const int x = static_cast<int>(i % in.size.x);
  const In* const row = in.row(z, x);
  const std::uint64_t at = first_row + static_cast<std::uint64_t>(z) * in.size.x + x;
  const std::uint64_t end = xz_end[at];
  for (std::uint64_t k = xz_end[at - 1] + threadIdx.x % 32; k < end; k += 32) {
    if constexpr (std::is_same_v<T, In>) {
      values[k] = row[ys[k]];
    } else {
      values[k] = to_value<T>(row[ys[k]]);
    }
  }
}

dim3 grid_of(const GridSize& n, int planes) {
  return {static_cast<unsigned>((n.y + kThreads - 1) / kThreads), static_cast<unsigned>(n.x),
          static_cast<unsigned>(planes)};
}

unsigned row_blocks(std::uint64_t rows) {
  return static_cast<unsigned>((rows * 32 + kThreads - 1) / kThreads);
}

std::uint64_t cells(const GridSize& n) {
  return static_cast<std::uint64_t>(n.z) * static_cast<std::uint64_t>(n.x) *
         static_cast<std::uint64_t>(n.y);
}

}  // namespace

ParticleSampling::ParticleSampling(const Size3& size, int level_max, SampleKind kind, bool truncate,
                                   cudaStream_t stream)
    : level_max_(level_max),
      kind_(kind),
      truncate_(truncate && kind != SampleKind::f32),
      stream_(stream) {
  std::uint64_t row = 1;
  std::uint64_t values = 0;
  for (int l = 0; l <= level_max; ++l) {
    const GridSize grid(level_grid(size, level_max, l));
    grids_.push_back(grid);
    first_row_.push_back(l == 0 ? 0 : row);
    if (l > 0) row += static_cast<std::uint64_t>(grid.z) * static_cast<std::uint64_t>(grid.x);
    if (l > 0 && l < level_max) values += cells(grid);
  }
  means_ = {values, kWhat, stream};
}

void ParticleSampling::add_slices(std::int64_t begin, std::int64_t end, const SliceRing& image) {
  const GridSize& to = grids_[static_cast<std::size_t>(level_max_ - 1)];
  const int first = static_cast<int>(begin / 2);
  const int planes = static_cast<int>((end + 1) / 2) - first;
  if (planes <= 0) return;
  with_samples(kind_, [&](auto type) {
    using T = decltype(type);
    halve<T><<<grid_of(to, planes), kThreads, 0, stream_>>>(
        {static_cast<const T*>(image.base), image.slots, grids_.back()}, to, first, truncate_,
        means_.data());
  });
  ensure_launched(kWhat);
}

void ParticleSampling::sample_coarse(const DeviceAccess& access, void* values) {
  float* here = means_.data();
  for (int l = level_max_ - 1; l >= 1; --l) {
    const GridSize& grid = grids_[static_cast<std::size_t>(l)];
    const std::uint64_t rows =
        static_cast<std::uint64_t>(grid.z) * static_cast<std::uint64_t>(grid.x);
    with_samples(kind_, [&](auto type) {
      using T = decltype(type);
      sample<T, float><<<row_blocks(rows), kThreads, 0, stream_>>>(
          {here, grid.z, grid}, 0, rows, first_row_[static_cast<std::size_t>(l)], access.y.data(),
          access.xz_end.data(), static_cast<T*>(values));
    });
    if (l == 1) break;
    const GridSize& to = grids_[static_cast<std::size_t>(l - 1)];
    float* const next = here + cells(grid);
    halve<float>
        <<<grid_of(to, to.z), kThreads, 0, stream_>>>({here, grid.z, grid}, to, 0, truncate_, next);
    here = next;
  }
  ensure_launched(kWhat);
}

void ParticleSampling::sample_fine(const DeviceAccess& access, std::int64_t begin, std::int64_t end,
                                   const SliceRing& image, void* values) {
  const GridSize& grid = grids_.back();
  const std::uint64_t rows =
      static_cast<std::uint64_t>(end - begin) * static_cast<std::uint64_t>(grid.x);
  with_samples(kind_, [&](auto type) {
    using T = decltype(type);
    sample<T, T><<<row_blocks(rows), kThreads, 0, stream_>>>(
        {static_cast<const T*>(image.base), image.slots, grid}, static_cast<int>(begin), rows,
        first_row_.back(), access.y.data(), access.xz_end.data(), static_cast<T*>(values));
  });
  ensure_launched(kWhat);
}

std::uint64_t ParticleSampling::estimate_bytes(const Size3& size) {
  const Size3 half{(size.z + 1) / 2, (size.x + 1) / 2, (size.y + 1) / 2};
  return static_cast<std::uint64_t>(half.count()) * sizeof(float) * 4 / 3;
}

}  // namespace aprscope::gpu

#include "gpu/device/cuda_check.hpp"
#include "gpu/device/device_buffer.hpp"
#include "gpu/octet/octet_cube.hpp"
#include "gpu/octet/octet_lines.cuh"
#include "gpu/octet/octet_store.cuh"
#include "gpu/octet/octet_window.cuh"

namespace aprscope::gpu {
namespace {

constexpr const char* kWhat = "setting up the convolution";

// Patches up to this size are small: with what a block needs besides, four of them fit on a
// multiprocessor that has 228 KiB.
constexpr int kSmallFloats = 12896;

// Passes along z, x and then y. In this order the longest pass reads neighbouring cells in
// neighbouring lanes, and the last one reads four cells at a time.
template <int radius, int threads, int each>
__global__ void __launch_bounds__(threads, each)
    separable_cube(const __grid_constant__ OctetView v, const __grid_constant__ Target t,
                   const CubeItem* items, const float* in,
                   const __grid_constant__ SeparableWeights weights) {
  constexpr int kHalo = (radius + 1) / 2;
  constexpr int kSkip = 2 * kHalo - radius;
  extern __shared__ float4 shared[];
  float* const patch = reinterpret_cast<float*>(shared);
  __shared__ WindowIndex<kHalo> index;
  const CubeItem item = items[blockIdx.x];
  Window w;
  w.from = {item.from[0], item.from[1], item.from[2]};
  w.octets = {item.extent[0], item.extent[1], item.extent[2]};
  w.row = item.row;
  w.plane = item.plane;
  std::uint32_t octet = item.first_octet + threadIdx.x;
  const std::uint32_t end = item.first_octet + item.octets;
  std::uint32_t info = octet < end ? v.info[octet] : 0U;
  index_window(v, item.level, w, index);
  __syncthreads();
  stage_window<threads>(w, index, SmallDivisor(w.octets.y, item.by_extent), in, patch);
  __syncthreads();
  if (item.surface != 0) reflect_window(w, v.levels[item.level], t.reflect, patch);

  const Int3 cells{2 * (w.octets.z - 2 * kHalo), 2 * (w.octets.x - 2 * kHalo),
                   2 * (w.octets.y - 2 * kHalo)};
  float* const corner = patch + kSkip * (w.plane + w.row);
  // There are many lines along z, so a thread takes two.
  sum_all_lines<float2, radius, threads>(corner, (w.octets.x - kSkip) * w.row, w.plane, cells.z,
                                         weights.w[0], [](int i) { return 2 * i; });
  __syncthreads();
  const SmallDivisor along_y(w.row, item.by_row);
  sum_all_lines<float, radius, threads>(corner, cells.z * w.row, w.row, cells.x, weights.w[1],
                                        [&](int i) {
                                          const int z = along_y.quotient(i);
                                          return z * w.plane + i - z * w.row;
                                        });
  __syncthreads();
  const SmallDivisor along_x(cells.x, item.by_cells);
  sum_all_rows<radius, kSkip, threads>(corner, cells.z * cells.x, cells.y, weights.w[2],
                                       [&](int i) {
                                         const int z = along_x.quotient(i);
                                         return z * w.plane + (i - z * cells.x) * w.row;
                                       });
  __syncthreads();
  const Int3 low = info_place(item.low);
  for (; octet < end; octet += threads) {
    const std::uint32_t next = octet + threads < end ? v.info[octet + threads] : 0U;
    if (info_leaves(info) != 0) {
      const Int3 p = info_place(info);
      const float* const at =
          corner + 2 * (p.z - low.z) * w.plane + 2 * (p.x - low.x) * w.row + 2 * (p.y - low.y);
      const auto two = [&](int offset) { return *reinterpret_cast<const float2*>(at + offset); };
      const float2 a = two(0);
      const float2 b = two(w.row);
      const float2 c = two(w.plane);
      const float2 d = two(w.plane + w.row);
      float sum[8] = {a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y};
      store(t, octet, info, sum);
    }
    info = next;
  }
}

// Fills `items` from both ends. counts: the number of small bricks, and of large ones.
__global__ void order(OctetView v, std::uint32_t first_work, std::uint32_t work_count, int halo,
                      CubeItem* items, std::uint32_t* counts) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= work_count) return;
  const BrickWork work = v.work[first_work + i];
  const LevelLayout& l = v.levels[work.level];
  const Int3 low = box_low(work);
  const Int3 high = box_high(work);
  const Int3 box{high.z - low.z + 1, high.x - low.x + 1, high.y - low.y + 1};
  const Window w({work.z * 8 + low.z, work.x * 8 + low.x, work.y * 8 + low.y}, box, halo, true);
  const auto beyond = [](int from, int octets, int cells) {
    return from < 0 || 2 * (from + octets) > cells;
  };
  const auto factor = [](int n) { return static_cast<std::uint16_t>(SmallDivisor::factor_of(n)); };
  CubeItem item;
  item.first_octet = work.first_octet;
  item.octets = work.octets;
  item.level = work.level;
  item.from[0] = w.from.z;
  item.from[1] = w.from.x;
  item.from[2] = w.from.y;
  item.extent[0] = static_cast<std::uint8_t>(w.octets.z);
  item.extent[1] = static_cast<std::uint8_t>(w.octets.x);
  item.extent[2] = static_cast<std::uint8_t>(w.octets.y);
  item.surface = beyond(w.from.z, w.octets.z, l.cells.z) ||
                         beyond(w.from.x, w.octets.x, l.cells.x) ||
                         beyond(w.from.y, w.octets.y, l.cells.y)
                     ? 1
                     : 0;
  item.row = static_cast<std::uint16_t>(w.row);
  item.plane = static_cast<std::uint16_t>(w.plane);
  item.by_extent = factor(w.octets.y);
  item.by_row = factor(w.row);
  item.by_cells = factor(2 * box.x);
  item.low = static_cast<std::uint16_t>(octet_info(low, 0, 0));
  const std::uint32_t at = 2 * w.octets.z * w.plane <= kSmallFloats
                               ? atomicAdd(counts, 1U)
                               : work_count - 1 - atomicAdd(counts + 1, 1U);
  items[at] = item;
}

template <int radius, int threads, int each, int bytes>
void launch(const OctetView& v, const WideJob& job, const CubeItem* items, std::uint32_t count,
            const SeparableWeights& weights, cudaStream_t stream) {
  if (count == 0) return;
  const auto kernel = separable_cube<radius, threads, each>;
  // Set before each launch, as the attribute belongs to the current device.
  ensure(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), kWhat);
  kernel<<<count, threads, bytes, stream>>>(v, job.target, items, job.in, weights);
}

template <int radius>
void launch_all(const OctetView& v, const WideJob& job, const CubeWork& work,
                const SeparableWeights& weights, cudaStream_t stream) {
  constexpr int kAll = window_floats((radius + 1) / 2) * 4;
  constexpr int kFew = kSmallFloats * 4;
  launch<radius, 512, 2, kAll>(v, job, work.items + work.small, work.large, weights, stream);
  launch<radius, 256, 4, kFew>(v, job, work.items, work.small, weights, stream);
}

bool fits(Int3 radius, int other_bytes) {
  if (radius.z != radius.x || radius.z != radius.y || radius.z < 3 || radius.z > 6) return false;
  int device = 0;
  int bytes = 0;
  ensure(cudaGetDevice(&device), "asking for the current GPU");
  ensure(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
         "asking what the GPU offers");
  return window_floats((radius.z + 1) / 2) * 4 + other_bytes <= bytes;
}

}  // namespace

bool has_separable_cube(Int3 radius) { return fits(radius, sizeof(WindowIndex<3>)); }
bool has_dense_cube(Int3 radius) { return fits(radius, kDenseShared); }

std::uint32_t order_by_patch(const OctetView& v, std::uint32_t first_work, std::uint32_t work_count,
                             int radius, CubeItem* items, cudaStream_t stream) {
  if (work_count == 0) return 0;
  const DeviceBuffer<std::uint32_t> counts(2, "filter", stream);
  counts.zero();
  order<<<(work_count + 127) / 128, 128, 0, stream>>>(v, first_work, work_count, (radius + 1) / 2,
                                                      items, counts.data());
  ensure_launched(kWhat);
  std::uint32_t small = 0;
  ensure(cudaMemcpyAsync(&small, counts.data(), sizeof small, cudaMemcpyDeviceToHost, stream),
         kWhat);
  ensure(cudaStreamSynchronize(stream), kWhat);
  return small;
}

void convolve_separable_cube(const OctetView& v, const WideJob& job, const CubeWork& work,
                             const SeparableWeights& weights, cudaStream_t stream) {
  switch (job.radius.z) {
    case 3:
      launch_all<3>(v, job, work, weights, stream);
      break;
    case 4:
      launch_all<4>(v, job, work, weights, stream);
      break;
    case 5:
      launch_all<5>(v, job, work, weights, stream);
      break;
    default:
      launch_all<6>(v, job, work, weights, stream);
  }
  ensure_launched("convolving");
}

}  // namespace aprscope::gpu

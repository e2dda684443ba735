#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_reconstruction.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;

// The value of a cell of a level: its own, the mean of finer particles, or that of a coarser one.
__device__ float cell_value(const OctetView& v, const float* values, int level, int z, int x,
                            int y) {
  const Cover cover = find_cover(v, level, z >> 1, x >> 1, y >> 1);
  const auto child = static_cast<std::uint32_t>((z & 1) * 4 + (x & 1) * 2 + (y & 1));
  return values[cover.octet != kNoOctet ? std::uint64_t{cover.octet} * 8 + child : cover.slot];
}

// Level of the particle that covers octet position (z, x, y) of the finest level.
__device__ int particle_level(const OctetView& v, int z, int x, int y) {
  int level = v.level_max;
  while (level > 1 && find_octet(v, level, z, x, y) == kNoOctet) {
    --level;
    z >>= 1;
    x >>= 1;
    y >>= 1;
  }
  return level;
}

// One thread takes an octet position of the finest level, i.e. up to 8 pixels with one look-up.
template <Reconstruct mode>
__global__ void paint(const __grid_constant__ OctetView v, const float* values, Int3 begin,
                      Int3 size, Int3 octets, float* out) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::uint64_t count = std::uint64_t(octets.z) * octets.x * octets.y;
  if (i >= count) return;
  const Int3 at{(begin.z >> 1) + static_cast<int>(i / octets.y / octets.x),
                (begin.x >> 1) + static_cast<int>(i / octets.y % octets.x),
                (begin.y >> 1) + static_cast<int>(i % octets.y)};
  Cover cover;
  float all = 0.0F;
  if (mode == Reconstruct::constant) cover = find_cover(v, v.level_max, at.z, at.x, at.y);
  if (mode == Reconstruct::constant && cover.octet == kNoOctet) all = values[cover.slot];
  if (mode == Reconstruct::level) all = static_cast<float>(particle_level(v, at.z, at.x, at.y));
  for (int c = 0; c < 8; ++c) {
    const Int3 p{2 * at.z + (c >> 2), 2 * at.x + (c >> 1 & 1), 2 * at.y + (c & 1)};
    const Int3 q{p.z - begin.z, p.x - begin.x, p.y - begin.y};
    if (q.z < 0 || q.x < 0 || q.y < 0 || q.z >= size.z || q.x >= size.x || q.y >= size.y) continue;
    float value = all;
    if (mode == Reconstruct::constant && cover.octet != kNoOctet) {
      value = values[std::uint64_t{cover.octet} * 8 + c];
    }
    out[(std::int64_t{q.z} * size.x + q.x) * size.y + q.y] = value;
  }
}

__global__ void __launch_bounds__(kThreads)
    paint_level(const __grid_constant__ OctetView v, const float* values, int level, int begin,
                std::int64_t count, float* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Int3& n = v.levels[level].cells;
  out[i] = cell_value(v, values, level, begin + static_cast<int>(i / n.y / n.x),
                      static_cast<int>(i / n.y % n.x), static_cast<int>(i % n.y));
}

}  // namespace

void reconstruct_level(const OctetView& v, const float* values, int level, int begin, int slices,
                       float* out, cudaStream_t stream) {
  const Int3& n = v.levels[level].cells;
  const std::int64_t count = std::int64_t{slices} * n.x * n.y;
  if (count == 0) return;
  paint_level<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      v, values, level, begin, count, out);
  ensure_launched("reconstructing pixels");
}

void reconstruct(const OctetView& v, const float* values, Reconstruct mode, Int3 begin, Int3 size,
                 float* out, cudaStream_t stream) {
  if (size.z <= 0 || size.x <= 0 || size.y <= 0) return;
  const Int3 octets{((begin.z + size.z + 1) >> 1) - (begin.z >> 1),
                    ((begin.x + size.x + 1) >> 1) - (begin.x >> 1),
                    ((begin.y + size.y + 1) >> 1) - (begin.y >> 1)};
  const std::uint64_t count =
      std::uint64_t(octets.z) * std::uint64_t(octets.x) * std::uint64_t(octets.y);
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  switch (mode) {
    case Reconstruct::constant:
      paint<Reconstruct::constant>
          <<<blocks, kThreads, 0, stream>>>(v, values, begin, size, octets, out);
      break;
    case Reconstruct::smooth:
      reconstruct_smooth(v, values, begin, size, out, stream);
      break;
    case Reconstruct::level:
      paint<Reconstruct::level>
          <<<blocks, kThreads, 0, stream>>>(v, values, begin, size, octets, out);
      break;
  }
  ensure_launched("reconstructing pixels");
}

}  // namespace aprscope::gpu

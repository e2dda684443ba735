#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octet_halo.hpp"
#include "gpu/octet/octets.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 128;
constexpr const char* kWhat = "APR structure";

// Positions of octets that a brick needs around those with particles: 10 × 10 rows of 10 bits.
struct Needed {
  std::uint32_t leaf[10][10];
  std::uint32_t near[10][10];  // dilated in y and x
};

// Prefix sums of a block over words that hold two counts, each below 2^16.
__device__ std::uint32_t block_exclusive_sum(std::uint32_t value, std::uint32_t* warps,
                                             std::uint32_t& total) {
  std::uint32_t sum = value;
  const unsigned lane = threadIdx.x % 32;
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  std::uint32_t before = 0;
  total = 0;
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w < threadIdx.x / 32) before += warps[w];
    total += warps[w];
  }
  __syncthreads();
  return before + sum - value;
}

// Lists the halo of a brick; only counts it where `work` is null.
__global__ void list_halo(OctetView v, std::uint32_t first_brick, const BrickWork* work,
                          std::uint32_t* active, std::uint32_t* counts, std::uint32_t* source,
                          std::uint16_t* place) {
  __shared__ Needed needed;
  __shared__ std::uint32_t warps[kThreads / 32];
  __shared__ int box[6];
  const std::uint32_t brick = work != nullptr ? work[blockIdx.x].brick : first_brick + blockIdx.x;
  int level = v.level_max;
  while (level > 1 && brick < v.levels[level].first_brick) --level;
  const LevelLayout& l = v.levels[level];
  const std::uint32_t begin = v.bases[std::uint64_t{brick} * 8];
  const std::uint32_t end = v.bases[std::uint64_t{brick} * 8 + 8];
  if (begin == end) {
    if (threadIdx.x == 0) active[brick] = counts[brick] = 0;
    return;
  }
  for (int i = threadIdx.x; i < 100; i += kThreads) needed.leaf[i / 10][i % 10] = 0;
  if (threadIdx.x < 6) box[threadIdx.x] = threadIdx.x < 3 ? 7 : 0;
  __syncthreads();
  for (std::uint32_t o = begin + threadIdx.x; o < end; o += kThreads) {
    const std::uint32_t info = v.info[o];
    if (info_leaves(info) == 0) continue;
    const Int3 p = info_place(info);
    atomicOr(&needed.leaf[p.z + 1][p.x + 1], 2U << p.y);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 100; i += kThreads) {
    std::uint32_t bits = 0;
    for (int x = max(i % 10 - 1, 0); x <= min(i % 10 + 1, 9); ++x) bits |= needed.leaf[i / 10][x];
    needed.near[i / 10][i % 10] = (bits | bits << 1 | bits >> 1) & 0x3FFU;
    const std::uint32_t own = needed.leaf[i / 10][i % 10] >> 1;
    if (work == nullptr || own == 0) continue;
    atomicMin(&box[0], i / 10 - 1);
    atomicMin(&box[1], i % 10 - 1);
    atomicMin(&box[2], __ffs(static_cast<int>(own)) - 1);
    atomicMax(&box[3], i / 10 - 1);
    atomicMax(&box[4], i % 10 - 1);
    atomicMax(&box[5], 31 - __clz(static_cast<int>(own)));
  }
  __syncthreads();

  const std::uint32_t i = brick - l.first_brick;
  const Int3 corner{static_cast<int>(i / l.bricks.y / l.bricks.x) * 8 - 1,
                    static_cast<int>(i / l.bricks.y % l.bricks.x) * 8 - 1,
                    static_cast<int>(i % l.bricks.y) * 8 - 1};
  // Each thread takes up to 8 neighbouring positions.
  Cover found[8];
  std::uint32_t which = 0;  // bit k: an octet; bit 8 + k: a coarser particle
  for (int k = 0; k < 8; ++k) {
    const int p = static_cast<int>(threadIdx.x) * 8 + k;
    if (p >= 1000) break;
    const int z = p / 100;
    const int x = p / 10 % 10;
    const int y = p % 10;
    const bool own = z >= 1 && z <= 8 && x >= 1 && x <= 8 && y >= 1 && y <= 8;
    std::uint32_t bits = needed.near[z][x];
    if (z > 0) bits |= needed.near[z - 1][x];
    if (z < 9) bits |= needed.near[z + 1][x];
    if (((bits >> y) & 1U) == 0) continue;
    const Int3 at{corner.z + z, corner.x + x, corner.y + y};
    if (at.z < 0 || at.x < 0 || at.y < 0 || at.z >= l.octets.z || at.x >= l.octets.x ||
        at.y >= l.octets.y) {
      continue;
    }
    found[k] = find_cover(v, level, at.z, at.x, at.y);
    if (found[k].octet == kNoOctet) {
      which |= 256U << k;
    } else if (!own) {
      which |= 1U << k;
    }
  }
  const auto octets = static_cast<std::uint32_t>(__popc(which & 255U));
  const auto coarse = static_cast<std::uint32_t>(__popc(which >> 8));
  std::uint32_t total = 0;
  const std::uint32_t before = block_exclusive_sum(octets << 16 | coarse, warps, total);
  if (work == nullptr) {
    int any = 0;
    for (int r = threadIdx.x; r < 100; r += kThreads) any |= needed.leaf[r / 10][r % 10] != 0;
    any = __syncthreads_or(any);
    if (threadIdx.x == 0) {
      active[brick] = any != 0 ? 1U : 0U;
      counts[brick] = any != 0 ? (total >> 16) + (total & 0xFFFFU) : 0U;
    }
    return;
  }
  const BrickWork& mine = work[blockIdx.x];
  std::uint32_t to_octet = mine.halo_first + (before >> 16);
  std::uint32_t to_coarse = mine.halo_first + (total >> 16) + (before & 0xFFFFU);
  if (threadIdx.x == 0) {
    const_cast<BrickWork&>(mine).halo = static_cast<std::uint16_t>(total >> 16);
    const_cast<BrickWork&>(mine).coarse = static_cast<std::uint16_t>(total & 0xFFFFU);
    std::uint32_t packed = 0;
    for (const int edge : box) packed = packed << 3 | static_cast<std::uint32_t>(edge);
    const_cast<BrickWork&>(mine).box = packed;
  }
  for (int k = 0; k < 8; ++k) {
    const int p = static_cast<int>(threadIdx.x) * 8 + k;
    const auto offset = static_cast<std::uint16_t>(2 * (p / 100) * kPatchPlane +
                                                   2 * (p / 10 % 10) * kPatchRow + p % 10);
    if (((which >> k) & 1U) != 0) {
      source[to_octet] = found[k].octet;
      place[to_octet++] = offset;
    } else if (((which >> k) & 256U) != 0) {
      source[to_coarse] = found[k].slot;
      place[to_coarse++] = offset;
    }
  }
}

__global__ void compact_work(OctetView v, std::uint32_t bricks, const std::uint32_t* active_before,
                             const std::uint32_t* count_before, BrickWork* work) {
  const std::uint32_t brick = blockIdx.x * blockDim.x + threadIdx.x;
  if (brick >= bricks || active_before[brick] == active_before[brick + 1]) return;
  int level = v.level_max;
  while (level > 1 && brick < v.levels[level].first_brick) --level;
  const LevelLayout& l = v.levels[level];
  const std::uint32_t i = brick - l.first_brick;
  BrickWork w;
  w.brick = brick;
  w.first_octet = v.bases[std::uint64_t{brick} * 8];
  w.octets = static_cast<std::uint16_t>(v.bases[std::uint64_t{brick} * 8 + 8] - w.first_octet);
  w.halo_first = count_before[brick];
  w.level = static_cast<std::uint16_t>(level);
  w.z = static_cast<std::uint16_t>(i / l.bricks.y / l.bricks.x);
  w.x = static_cast<std::uint16_t>(i / l.bricks.y % l.bricks.x);
  w.y = static_cast<std::uint16_t>(i % l.bricks.y);
  const bool inner = w.z > 0 && w.x > 0 && w.y > 0 && w.z * 16 + 18 <= l.cells.z &&
                     w.x * 16 + 18 <= l.cells.x && w.y * 16 + 18 <= l.cells.y;
  w.surface = inner ? 0 : 1;
  work[active_before[brick]] = w;
}

// Copies totals for the host, see read_halo_totals().
__global__ void read_totals(OctetView v, std::uint32_t bricks, const std::uint32_t* active_before,
                            const std::uint32_t* count_before, std::uint32_t* out) {
  const int l = threadIdx.x;
  if (l <= v.level_max) out[l] = active_before[v.levels[l].first_brick];
  if (l == v.level_max + 1) out[l] = active_before[bricks];
  if (l == v.level_max + 2) out[l] = count_before[bricks];
}

}  // namespace

void count_halos(const OctetView& v, std::uint32_t bricks, std::uint32_t* active,
                 std::uint32_t* counts, cudaStream_t stream) {
  list_halo<<<bricks, kThreads, 0, stream>>>(v, 0, nullptr, active, counts, nullptr, nullptr);
  ensure_launched(kWhat);
}

void read_halo_totals(const OctetView& v, std::uint32_t bricks, const std::uint32_t* active_before,
                      const std::uint32_t* count_before, std::uint32_t* out, cudaStream_t stream) {
  read_totals<<<1, 32, 0, stream>>>(v, bricks, active_before, count_before, out);
  ensure_launched(kWhat);
}

void list_work(const OctetView& v, std::uint32_t bricks, const std::uint32_t* active_before,
               const std::uint32_t* count_before, BrickWork* work, cudaStream_t stream) {
  compact_work<<<(bricks + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
      v, bricks, active_before, count_before, work);
  ensure_launched(kWhat);
}

void list_halos(const OctetView& v, BrickWork* work, std::uint32_t work_count,
                std::uint32_t* source, std::uint16_t* place, cudaStream_t stream) {
  list_halo<<<work_count, kThreads, 0, stream>>>(v, 0, work, nullptr, nullptr, source, place);
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

#include <algorithm>

#include "gpu/device/cuda_check.hpp"
#include "gpu/topology/octet_faces.cuh"
#include "gpu/topology/particle_strata.hpp"
#include "gpu/topology/strata_patch.cuh"
#include "gpu/topology/strata_tally.cuh"

namespace aprscope::gpu {
namespace {

using strata::kCells;
using strata::kClasses;
using strata::kCounting;
using strata::kGroup;
using strata::kOutsideOfClosed;
using strata::kOutsideOfVertices;
using strata::kPlanes;

constexpr int kThreads = 256;
constexpr const char* kWhat = "counting strata of particles";

// The most strata of one class in an octet; and the number of octets after which words of the tally
// are checked for overflow.
constexpr int kOfOctet = 27;
constexpr int kMostOctets = (0xFFFF - static_cast<int>(kTallySpill)) / kOfOctet;
static_assert(kMostOctets >= 512);

__global__ void __launch_bounds__(kThreads)
    make_cells(const __grid_constant__ OctetView v, const std::uint16_t* __restrict__ linear,
               bool reverse, std::uint32_t levels, StrataCell* cells) {
  const std::uint64_t octet = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (octet > v.octet_count) return;
  const std::uint32_t info = octet == 0 ? 0U : v.info[octet];
  const uint4 rows = reinterpret_cast<const uint4*>(v.rows)[octet];
  const std::uint32_t begin[4] = {rows.x, rows.y, rows.z, rows.w};
  const std::uint32_t leaves = info_leaves(info);
  StrataCell out[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    if ((leaves >> c & 1U) != 0) {
      const std::uint32_t skip = c % 2 != 0 ? leaves >> (c - 1) & 1U : 0U;
      const std::uint32_t place = linear[begin[c / 2] + skip];
      out[c] = strata::kPart | (reverse ? levels - 1 - place : place);
    } else if (child_exists(info, c)) {
      out[c] = strata::kDivided;
    } else {
      out[c] = reverse ? kOutsideOfVertices : kOutsideOfClosed;
    }
  }
  uint4* const to = reinterpret_cast<uint4*>(cells + octet * 8);
  to[0] = {out[0], out[1], out[2], out[3]};
  to[1] = {out[4], out[5], out[6], out[7]};
}

// Whether the last of `cells` cells with this side reaches beyond the image.
__device__ bool is_cut(int cells, int side, int extent) { return cells * side != extent; }

// Blocks for each level, so that a block writes its counts only once. The finest level has the
// first blocks.
struct Shares {
  std::uint32_t first[kMaxLevels];
  std::uint32_t count[kMaxLevels];
};

// How many of these blocks a multiprocessor should hold at once. Compute capabilities below 8.0 may
// have only 1024 threads there, too few for two.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <int blocks>
constexpr int kAtOnce = 1;
#else
template <int blocks>
constexpr int kAtOnce = blocks;
#endif

// `blocks`: on a multiprocessor at once, if shared memory allows.
template <int words, bool whole, int blocks>
__global__ void __launch_bounds__(kCounting, kAtOnce<blocks>)
    count(const __grid_constant__ OctetView v, const __grid_constant__ ParticleStrataJob job,
          const __grid_constant__ Shares shares, unsigned long long* scratch,
          unsigned long long* sums) {
  extern __shared__ std::uint32_t shared[];
  __shared__ __align__(16) StrataCell patch[kCells];
  using T = strata::Tally<words, whole>;
  int level = v.level_max;
  while (level > 1 &&
         (shares.count[level] == 0 || blockIdx.x >= shares.first[level] + shares.count[level])) {
    --level;
  }
  const LevelLayout& l = v.levels[level];
  T tally{shared_address(shared),
          job.window_first,
          job.window_count,
          words + threadIdx.x % 32,
          job.levels,
          scratch + std::uint64_t(level - 1) * job.levels * kPlanes};
  for (int i = static_cast<int>(threadIdx.x); i < kPlanes * T::kWords; i += kCounting) {
    shared[i] = 0;
  }
  int octets = 0;
  const auto spill_some = [&](bool all) {
    spill<kPlanes, T::kWords>(shared, tally.first, tally.count, tally.sums, tally.places, all);
  };
  const std::uint32_t count = job.work_count[level];
  std::uint32_t i = blockIdx.x - shares.first[level];
  const BrickWork* const bricks = v.work + job.first_work[level];
  // The current and the next brick; not in registers, as threads have few.
  __shared__ BrickWork works[2];
  if (threadIdx.x == 0) works[0] = bricks[i];
  for (int turn = 0; i < count; turn ^= 1) {
    __syncthreads();
    const BrickWork& work = works[turn];
    i += shares.count[level];
    if (threadIdx.x == 0 && i < count) works[turn ^ 1] = bricks[i];
    octets += work.octets;
    if (octets > kMostOctets) {
      spill_some(false);
      octets = work.octets;
    }
    strata::stage(v, work, job.cells, patch);
    __syncthreads();
    if (work.surface != 0) {
      strata::stage_outside(l, work, job.reverse ? kOutsideOfVertices : kOutsideOfClosed, patch);
      __syncthreads();
    }
    const int side = 1 << (v.level_max - level);
    const bool cut_z = is_cut(l.cells.z, side, job.size.z);
    const bool cut_x = is_cut(l.cells.x, side, job.size.x);
    const bool cut_y = is_cut(l.cells.y, side, job.size.y);
    const int group = static_cast<int>(threadIdx.x) / kGroup;
    for (int o = static_cast<int>(threadIdx.x) % kGroup; o < work.octets; o += kGroup) {
      const std::uint32_t info = v.info[work.first_octet + static_cast<std::uint32_t>(o)];
      if (info_leaves(info) == 0) continue;
      const Int3 p = info_place(info);
      const Int3 at{work.z * 8 + p.z, work.x * 8 + p.x, work.y * 8 + p.y};
      const StrataCell* const octet = patch + strata::own_offset(info);
      if ((cut_z && at.z == l.octets.z - 1) || (cut_x && at.x == l.octets.x - 1) ||
          (cut_y && at.y == l.octets.y - 1)) {
        if (group == 0) strata::count_clipped(octet, at, l, side, job.size, sums);
      } else {
        strata::count_layer(octet, group, tally);
      }
    }
  }
  __syncthreads();
  spill_some(true);
}

// Adds up the faces of cells of all levels as strata of pixels; one thread takes a place.
__global__ void __launch_bounds__(kThreads)
    add_levels(int level_max, std::uint32_t places, unsigned long long* scratch,
               unsigned long long* sums) {
  const std::uint32_t place = blockIdx.x * kThreads + threadIdx.x;
  if (place >= places) return;
  for (int level = 1; level <= level_max; ++level) {
    const int side = 1 << (level_max - level);
    const int n[3] = {side, side, side};
    for (int j = 0; j < kPlanes; ++j) {
      unsigned long long& from =
          scratch[(std::uint64_t(level - 1) * kPlanes + static_cast<unsigned>(j)) * places + place];
      const unsigned long long two = from;
      if (two == 0) continue;
      from = 0;
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned long long count = k == 0 ? two & 0xFFFFFFFFULL : two >> 32;
        if (count == 0) continue;
        strata::add_box(2U * static_cast<unsigned>(j) + k, n, count,
                        sums + std::uint64_t{place} * kClasses);
      }
    }
  }
}

unsigned blocks(std::uint64_t items) {
  return static_cast<unsigned>((items + kThreads - 1) / kThreads);
}

}  // namespace

void to_strata_cells(const OctetView& v, const std::uint16_t* linear, bool reverse,
                     std::uint32_t levels, StrataCell* cells, cudaStream_t stream) {
  make_cells<<<blocks(std::uint64_t{v.octet_count} + 1), kThreads, 0, stream>>>(v, linear, reverse,
                                                                                levels, cells);
  ensure_launched(kWhat);
}

std::uint64_t particle_strata_scratch(int level_max, std::uint32_t levels) {
  return static_cast<std::uint64_t>(level_max) * levels * kPlanes;
}

namespace {

constexpr std::uint32_t bytes_of(int words) {
  return static_cast<std::uint32_t>(kPlanes * (words + 32)) * sizeof(std::uint32_t);
}

// Divides about `blocks` blocks among the levels by the time they take; returns how many there are.
std::uint32_t share(const OctetView& v, const ParticleStrataJob& job, int blocks, Shares& shares) {
  // The fixed cost of a brick, in octets.
  constexpr std::uint64_t kBrick = 50;
  const int finest = v.level_max;
  std::uint64_t cost[kMaxLevels] = {};
  std::uint64_t all = 0;
  for (int level = 1; level <= finest; ++level) {
    const LevelLayout& l = v.levels[level];
    if (job.work_count[level] == 0) continue;
    const std::uint64_t octets =
        std::uint64_t{l.octet_count} / std::max(job.level_count[level], 1U) + kBrick;
    cost[level] = octets * job.work_count[level];
    all += cost[level];
  }
  const auto most = static_cast<std::uint64_t>(blocks);
  std::uint64_t coarser = 0;
  std::uint32_t first = 0;
  for (int level = 1; level <= finest; ++level) {
    std::uint64_t mine = (cost[level] * most + all - 1) / all;
    // The finest level gets the remaining blocks.
    if (level == finest) mine = most > coarser ? most - coarser : 1;
    mine = std::min<std::uint64_t>(mine, job.work_count[level]);
    shares.count[level] = static_cast<std::uint32_t>(mine);
    coarser += mine;
  }
  for (int level = finest; level >= 1; --level) {
    shares.first[level] = first;
    first += shares.count[level];
  }
  return first;
}

template <int words, bool whole, int blocks>
void launch(const OctetView& v, const ParticleStrataJob& job, unsigned long long* scratch,
            unsigned long long* sums, int multiprocessors, cudaStream_t stream) {
  const auto kernel = count<words, whole, blocks>;
  ensure(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes_of(words))),
         kWhat);
  int each = 0;
  ensure(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kCounting, bytes_of(words)),
         kWhat);
  Shares shares{};
  const std::uint32_t grid = share(v, job, multiprocessors * each, shares);
  kernel<<<grid, kCounting, bytes_of(words), stream>>>(v, job, shares, scratch, sums);
  ensure_launched(kWhat);
}

// A window with less shared memory allows more blocks at once.
constexpr int kFew = 1024;
constexpr int kMany = 5120;
constexpr int kMost = 12288;

}  // namespace

std::vector<std::uint32_t> particle_strata_windows() {
  int device = 0;
  int most = 0;
  ensure(cudaGetDevice(&device), "asking for the current GPU");
  ensure(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
         "asking what the GPU is");
  std::vector<std::uint32_t> out;
  for (const int words : {kFew, kMany, kMost}) {
    if (bytes_of(words) + kCells * sizeof(StrataCell) > static_cast<std::uint32_t>(most)) continue;
    out.push_back(static_cast<std::uint32_t>(words));
  }
  return out;
}

void count_particle_strata(const OctetView& v, const ParticleStrataJob& job,
                           unsigned long long* scratch, unsigned long long* sums,
                           int multiprocessors, cudaStream_t stream) {
  const bool whole = job.window_count == job.levels;
  const auto run =
      job.window_count <= kFew    ? (whole ? launch<kFew, true, 2> : launch<kFew, false, 2>)
      : job.window_count <= kMany ? (whole ? launch<kMany, true, 2> : launch<kMany, false, 2>)
                                  : (whole ? launch<kMost, true, 1> : launch<kMost, false, 1>);
  run(v, job, scratch, sums, multiprocessors, stream);
  add_levels<<<blocks(job.levels), kThreads, 0, stream>>>(v.level_max, job.levels, scratch, sums);
  ensure_launched(kWhat);
}

}  // namespace aprscope::gpu

#include <algorithm>

#include "gpu/device/cuda_check.hpp"
#include "gpu/octet/octets.cuh"
#include "gpu/topology/particle_strata.hpp"
#include "gpu/topology/strata_tally.cuh"

namespace aprscope::gpu {
namespace {

constexpr int kThreads = 256;
// Threads of the counting kernel: a group for each of the five layers of an octet's faces.
constexpr int kGroup = 128;
constexpr int kCounting = 5 * kGroup;
constexpr const char* kWhat = "counting strata of particles";

// The kind of a cell, in the upper half of a word. The smallest word of the cells that a face
// touches then says everything about the face. 0: nothing is counted, since a cell is divided
// (finer ones have the face), outside of the image (vertices), or of an octet that comes first; 1:
// counted here, as a cell of this octet is a particle; larger: neither.
constexpr StrataCell kPart = 0x10000U;
constexpr StrataCell kDivided = 0xFFFFU;
constexpr StrataCell kCoarser = 0x20000U;
constexpr StrataCell kOutsideOfClosed = 0x3FFFFU;
constexpr StrataCell kOutsideOfVertices = 0xFFFFU;

// The sides of a patch of 20³ cells: a brick of 16³ and one octet on each side.
constexpr int kSide = 20;
constexpr int kPlane = kSide * kSide;
constexpr int kCells = kSide * kPlane;

constexpr int kClasses = 8;
constexpr int kPlanes = kClasses / 2;  // words of 16 + 16 bits, see strata_tally.cuh
// The most strata of one class in an octet; and the number of octets after which words of the tally
// are checked for overflow.
constexpr int kOfOctet = 27;
constexpr int kMostOctets = (0xFFFF - static_cast<int>(kTallySpill)) / kOfOctet;
static_assert(kMostOctets >= 512);

__device__ StrataCell least(StrataCell a, StrataCell b) { return __vminu2(a, b); }

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
      out[c] = kPart | (reverse ? levels - 1 - place : place);
    } else if (child_exists(info, c)) {
      out[c] = kDivided;
    } else {
      out[c] = reverse ? kOutsideOfVertices : kOutsideOfClosed;
    }
  }
  uint4* const to = reinterpret_cast<uint4*>(cells + octet * 8);
  to[0] = {out[0], out[1], out[2], out[3]};
  to[1] = {out[4], out[5], out[6], out[7]};
}

// Writes half an octet, i.e. two rows of two cells, to the patch.
__device__ void place_half(StrataCell* patch, int offset, uint4 v) {
  *reinterpret_cast<uint2*>(patch + offset) = {v.x, v.y};
  *reinterpret_cast<uint2*>(patch + offset + kSide) = {v.z, v.w};
}

// The offset in the patch of the first cell of one of the brick's own octets.
__device__ int own_offset(std::uint32_t info) {
  const Int3 p = info_place(info);
  return (2 * p.z + 2) * kPlane + (2 * p.x + 2) * kSide + 2 * p.y + 2;
}
// The same for an octet of the halo, from its place in the halo list (an offset in a Patch3).
__device__ int halo_offset(int place) {
  return place / kPatchPlane * kPlane + place % kPatchPlane / kPatchRow * kSide +
         place % kPatchRow * 2;
}

// Copies own octets, halo octets and coarser particles to the patch; two neighbouring lanes take
// one. All indices are loaded before the first is used, and so are all cells.
__device__ void stage(const OctetView& v, const BrickWork& work, const StrataCell* cells,
                      StrataCell* patch) {
  constexpr int kPairs = kCounting / 2;
  constexpr int kOwn = 1;
  constexpr int kAround = 2;
  const int half = static_cast<int>(threadIdx.x & 1U);
  const int pair = static_cast<int>(threadIdx.x >> 1);
  const std::uint32_t* const source = v.halo_source + work.halo_first;
  const std::uint16_t* const place = v.halo_place + work.halo_first;
  const int around = work.halo + work.coarse;
  for (int begin = 0; begin < work.octets || begin * kAround < around; begin += kOwn * kPairs) {
    const int own = begin + pair;
    std::uint32_t from[kAround];
    int to[kAround];
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      const int i = begin * kAround + k * kPairs + pair;
      from[k] = i < around ? source[i] : 0U;
      to[k] = i < around ? place[i] : 0;
    }
    uint4 mine{};
    std::uint32_t info = 0;
    if (own < work.octets) {
      const std::uint32_t octet = work.first_octet + static_cast<std::uint32_t>(own);
      info = v.info[octet];
      mine = *reinterpret_cast<const uint4*>(cells + std::uint64_t{octet} * 8 + half * 4);
    }
    uint4 other[kAround];
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      const int i = begin * kAround + k * kPairs + pair;
      if (i < work.halo) {
        other[k] = *reinterpret_cast<const uint4*>(cells + std::uint64_t{from[k]} * 8 + half * 4);
      } else if (i < around) {
        const StrataCell cell = (cells[from[k]] & 0xFFFFU) | kCoarser;
        other[k] = {cell, cell, cell, cell};
      }
    }
    if (own < work.octets) place_half(patch, own_offset(info) + half * kPlane, mine);
#pragma unroll
    for (int k = 0; k < kAround; ++k) {
      if (begin * kAround + k * kPairs + pair < around) {
        place_half(patch, halo_offset(to[k]) + half * kPlane, other[k]);
      }
    }
  }
}

// Fills the octets of the patch that are outside of the image.
__device__ void stage_outside(const LevelLayout& l, const BrickWork& work, StrataCell outside,
                              StrataCell* patch) {
  const int low[3] = {work.z * 16 - 2, work.x * 16 - 2, work.y * 16 - 2};
  for (int i = static_cast<int>(threadIdx.x); i < kCells; i += kCounting) {
    const int z = low[0] + i / kPlane;
    const int x = low[1] + i / kSide % kSide;
    const int y = low[2] + i % kSide;
    if (z < 0 || x < 0 || y < 0 || z >= l.cells.z || x >= l.cells.x || y >= l.cells.y) {
      patch[i] = outside;
    }
  }
}

// A cell of the 4³ around an octet, as this octet sees it. If a face touches several octets with
// particles, the first in the order z, x, y counts it. `order`: of the cell's octet to this one.
__device__ StrataCell seen(StrataCell cell, int order) {
  if (order < 0) return cell & ~kPart;
  return order > 0 ? cell | (cell << 1 & kCoarser) : cell;
}
// Cell 0 is in the octet before, cells 1 and 2 in this one, cell 3 in the octet after.
__host__ __device__ constexpr int octet_of(int cell) { return cell == 0 ? -1 : cell == 3 ? 1 : 0; }
__host__ __device__ constexpr int order_of(int z, int x, int y) {
  return octet_of(z) != 0 ? octet_of(z) : octet_of(x) != 0 ? octet_of(x) : octet_of(y);
}

// The counts of a block: places from `first` on, either some of them or, if `whole`, all. Planes
// have room for `words` words, and for one more for each thread of a warp: counts to be ignored are
// added there, which is faster than a branch that skips them.
template <int words, bool whole>
struct Tally {
  static constexpr int kWords = words + 32;
  static constexpr bool kWhole = whole;
  std::uint32_t shared;  // its address in shared memory
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t aside;
  std::uint32_t places;      // number of all places
  unsigned long long* sums;  // of all blocks, for this level

  __device__ std::uint32_t plane(int i) const {
    return shared + static_cast<std::uint32_t>(i * kWords * 4);
  }
  __device__ void add(int at_plane, std::uint32_t at, std::uint32_t pair) const {
    if (pair == 0) return;
    if (whole || at < count) {
      add_shared<0, kWords>(plane(at_plane) + at * 4, pair);
    } else {
      atomicAdd(sums + std::uint64_t{places} * at_plane + (first + at), widen_pair(pair));
    }
  }
};

// The sum of a value over the lanes of a mask; all these lanes have to call it.
__device__ inline std::uint32_t sum_of_lanes(unsigned lanes, std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(lanes, value);
#else
  std::uint32_t sum = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
    sum += __shfl_sync(lanes, value, __ffs(static_cast<int>(rest)) - 1);
  }
  return sum;
#endif
}

// The counts of a thread in a layer. Most faces enter with the first cell (`usual`): they are
// counted here and added to the tally at the end, which avoids many additions to one place at once.
template <class Tally>
struct Counter {
  const Tally& tally;
  int plane;                 // plane of the layer's first two classes
  std::uint32_t usual;       // place of the first cell in the tally
  std::uint32_t counts = 0;  // the four classes of the layer, a byte each

  template <int axes>
  __device__ void face(StrataCell cell) {
    constexpr std::uint32_t kOne = axes % 2 != 0 ? 0x10000U : 1U;
    // If the face is not to be counted, `at` is not the place of any particle.
    const std::uint32_t at = cell - kPart - tally.first;
    const bool is_usual = at == usual;
    if (is_usual) counts += 1U << (axes % 4 * 8);
    const std::uint32_t to = is_usual ? tally.aside : min(at, tally.aside);
    add_shared<axes / 2, Tally::kWords>(tally.plane(plane) + to * 4, kOne);
    if (Tally::kWhole || at < tally.count || is_usual || cell - kPart >= kPart) return;
    atomicAdd(tally.sums + std::uint64_t{tally.places} * (plane + axes / 2) + (cell - kPart),
              widen_pair(kOne));
  }
  __device__ void end() const {
    std::uint32_t first = (counts & 0xFFU) | (counts & 0xFF00U) << 8;
    std::uint32_t second = (counts >> 16 & 0xFFU) | (counts >> 24) << 16;
    // In flat data all threads of a warp would add to the same place in turn: one does it for all.
    const unsigned here = __activemask();
    int same = 0;
    (void)__match_all_sync(here, usual, &same);
    if (same != 0) {
      first = sum_of_lanes(here, first);
      second = sum_of_lanes(here, second);
      if (threadIdx.x % 32 + 1 != static_cast<unsigned>(__ffs(static_cast<int>(here)))) return;
    }
    tally.add(plane, usual, first);
    tally.add(plane + 1, usual, second);
  }
};

// The 4² cells around an octet in x and y, of one z.
struct Slice {
  StrataCell cell[4][4];
};
// `order`: the order of the slice's octets, if not this octet and those beside it.
template <int order, class Each>
__device__ void read_slice(const StrataCell* octet, int z, const Each& each) {
  const StrataCell* const corner = octet + (z - 1) * kPlane - kSide - 1;
#pragma unroll
  for (int x = 0; x < 4; ++x) {
    const StrataCell* const from = corner + x * kSide;
    const uint2 own = *reinterpret_cast<const uint2*>(from + 1);
    const StrataCell cells[4] = {from[0], own.x, own.y, from[3]};
#pragma unroll
    for (int y = 0; y < 4; ++y) {
      each(x, y, seen(cells[y], order != 0 ? order : order_of(1, x, y)));
    }
  }
}
// Counts along a line of cells: walls and cells alternate, and the wall before the octet's first
// cell comes first. `axes`: the other axes along which the faces in these cells extend.
template <int axes, class Counter>
__device__ void count_line(const StrataCell (&cell)[4], Counter& counter) {
  counter.template face<axes>(least(cell[0], cell[1]));
  counter.template face<axes | 1>(cell[1]);
  counter.template face<axes>(least(cell[1], cell[2]));
  counter.template face<axes | 1>(cell[2]);
  counter.template face<axes>(least(cell[2], cell[3]));
}
template <class Counter>
__device__ void count_slice(const Slice& slice, Counter& counter) {
  const auto wall = [&](int x) {
    StrataCell line[4];
#pragma unroll
    for (int y = 0; y < 4; ++y) line[y] = least(slice.cell[x][y], slice.cell[x + 1][y]);
    count_line<0>(line, counter);
  };
  wall(0);
  count_line<2>(slice.cell[1], counter);
  wall(1);
  count_line<2>(slice.cell[2], counter);
  wall(2);
}
__device__ std::uint32_t least_own(const Slice& slice) {
  return least(least(slice.cell[1][1], slice.cell[1][2]),
               least(slice.cell[2][1], slice.cell[2][2])) &
         0xFFFFU;
}

// Counts a layer of an octet's faces: even layers are the walls before, between and behind its
// cells along z, odd ones the cells. All layers share the code: each warp has another layer, and
// separate code would have to be fetched, too.
template <class Tally>
__device__ void count_layer(const StrataCell* octet, int layer, const Tally& tally) {
  const bool walls = layer % 2 == 0;
  Slice slice;
  read_slice<0>(octet, layer < 3 ? 1 : 2,
                [&](int x, int y, StrataCell cell) { slice.cell[x][y] = cell; });
  std::uint32_t usual = least_own(slice);
  const auto join = [&](int x, int y, StrataCell cell) {
    slice.cell[x][y] = least(slice.cell[x][y], cell);
  };
  if (layer == 0) {
    read_slice<-1>(octet, 0, join);
  } else if (layer == 4) {
    read_slice<1>(octet, 3, join);
  } else if (layer == 2) {
    read_slice<0>(octet, 2, join);
    usual = least_own(slice);
  }
  Counter<Tally> counter{tally, walls ? 0 : kPlanes / 2, usual - tally.first};
  count_slice(slice, counter);
  counter.end();
}

// Adds an open box of n pixels along each axis as the strata of pixels that it consists of: n
// pixels and, between them, n − 1 walls.
__device__ void add_box(unsigned axes, const int (&n)[3], unsigned long long count,
                        unsigned long long* sums) {
  for (unsigned some = axes;; some = (some - 1) & axes) {
    unsigned long long strata = count;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((axes >> axis & 1U) != 0) {
        strata *= static_cast<unsigned>((some >> axis & 1U) != 0 ? n[axis] : n[axis] - 1);
      }
    }
    if (strata != 0) atomicAdd(sums + some, strata);
    if (some == 0) return;
  }
}

// Counts an octet that the end of the image cuts: its faces as pixels, one by one.
__device__ void count_clipped(const StrataCell* octet, Int3 at, const LevelLayout& l, int side,
                              Int3 size, unsigned long long* sums) {
  const auto length = [side](int cell, int cells, int extent) {
    return cell == cells - 1 ? extent - cell * side : side;
  };
  for (int face = 0; face < 125; ++face) {
    const int q[3] = {face / 25, face / 5 % 5, face % 5};  // even: walls; odd: cells
    StrataCell enters = ~0U;
    for (int z = q[0] / 2 + q[0] % 2; z <= q[0] / 2 + 1; ++z) {
      for (int x = q[1] / 2 + q[1] % 2; x <= q[1] / 2 + 1; ++x) {
        for (int y = q[2] / 2 + q[2] % 2; y <= q[2] / 2 + 1; ++y) {
          const StrataCell cell = octet[(z - 1) * kPlane + (x - 1) * kSide + y - 1];
          enters = least(enters, seen(cell, order_of(z, x, y)));
        }
      }
    }
    const std::uint32_t place = enters - kPart;
    if (place >= kPart) continue;
    const int n[3] = {length(2 * at.y + q[2] / 2, l.cells.y, size.y),
                      length(2 * at.x + q[1] / 2, l.cells.x, size.x),
                      length(2 * at.z + q[0] / 2, l.cells.z, size.z)};
    const auto axes = static_cast<unsigned>(q[0] % 2 * 4 + q[1] % 2 * 2 + q[2] % 2);
    add_box(axes, n, 1, sums + std::uint64_t{place} * kClasses);
  }
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
  using T = Tally<words, whole>;
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
    stage(v, work, job.cells, patch);
    __syncthreads();
    if (work.surface != 0) {
      stage_outside(l, work, job.reverse ? kOutsideOfVertices : kOutsideOfClosed, patch);
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
      const StrataCell* const octet = patch + own_offset(info);
      if ((cut_z && at.z == l.octets.z - 1) || (cut_x && at.x == l.octets.x - 1) ||
          (cut_y && at.y == l.octets.y - 1)) {
        if (group == 0) count_clipped(octet, at, l, side, job.size, sums);
      } else {
        count_layer(octet, group, tally);
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
        add_box(2U * static_cast<unsigned>(j) + k, n, count,
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

#pragma once

#include <cstdint>

#include "gpu/topology/strata_patch.cuh"
#include "gpu/topology/strata_tally.cuh"

// Counts the faces of an octet's cells in its patch, each for the cell that it enters with.
namespace aprscope::gpu::strata {

constexpr int kClasses = 8;
constexpr int kPlanes = kClasses / 2;  // words of 16 + 16 bits, see strata_tally.cuh

__device__ inline StrataCell least(StrataCell a, StrataCell b) { return __vminu2(a, b); }

// A cell of the 4³ around an octet, as this octet sees it. If a face touches several octets with
// particles, the first in the order z, x, y counts it. `order`: of the cell's octet to this one.
__device__ inline StrataCell seen(StrataCell cell, int order) {
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
__device__ inline void read_slice(const StrataCell* octet, int z, const Each& each) {
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
__device__ inline void count_line(const StrataCell (&cell)[4], Counter& counter) {
  counter.template face<axes>(least(cell[0], cell[1]));
  counter.template face<axes | 1>(cell[1]);
  counter.template face<axes>(least(cell[1], cell[2]));
  counter.template face<axes | 1>(cell[2]);
  counter.template face<axes>(least(cell[2], cell[3]));
}
template <class Counter>
__device__ inline void count_slice(const Slice& slice, Counter& counter) {
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
__device__ inline std::uint32_t least_own(const Slice& slice) {
  return least(least(slice.cell[1][1], slice.cell[1][2]),
               least(slice.cell[2][1], slice.cell[2][2])) &
         0xFFFFU;
}

// Counts a layer of an octet's faces: even layers are the walls before, between and behind its
// cells along z, odd ones the cells. All layers share the code: each warp has another layer, and
// separate code would have to be fetched, too.
template <class Tally>
__device__ inline void count_layer(const StrataCell* octet, int layer, const Tally& tally) {
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
__device__ inline void add_box(unsigned axes, const int (&n)[3], unsigned long long count,
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
__device__ inline void count_clipped(const StrataCell* octet, Int3 at, const LevelLayout& l,
                                     int side, Int3 size, unsigned long long* sums) {
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

}  // namespace aprscope::gpu::strata

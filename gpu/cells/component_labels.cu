#include <cub/device/device_scan.cuh>

#include "gpu/cells/component_labels.hpp"

namespace aprscope::gpu {
namespace {

// A tile: 64 words, each a row of 32 pixels, kDepth slices deep. Eight warps take eight rows each.
constexpr int kRows = 64;
constexpr int kWarps = 8;
constexpr int kRowsEach = kRows / kWarps;
constexpr int kThreads = kWarps * 32;

// A label that still names its parent, a pixel; others are numbers already.
constexpr std::uint32_t kParent = 0x80000000U;
constexpr std::uint32_t kAll = 0xFFFFFFFFU;

constexpr const char* kWhat = "labels on the GPU";

// An image as words; pixel p is bit p % 32 of word p / 32.
struct Grid {
  Int3 size;
  std::uint32_t row_words = 0;
  Int3 tiles;

  __device__ std::uint32_t word(int z, int x, int w) const {
    return (static_cast<std::uint32_t>(z) * static_cast<std::uint32_t>(size.x) +
            static_cast<std::uint32_t>(x)) *
               row_words +
           static_cast<std::uint32_t>(w);
  }
};

// The first pixel of the run that pixel `lane` belongs to.
__device__ std::uint32_t run_start(std::uint32_t word, unsigned lane) {
  const std::uint32_t gaps = ~word & ((1U << lane) - 1U);
  return 32U - static_cast<unsigned>(__clz(static_cast<int>(gaps)));
}

// A word, and the words in whose place of each pixel stands the one before / after it.
struct Row {
  std::uint32_t at = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};
__device__ Row alone(std::uint32_t word) { return {word, word << 1, word >> 1}; }

// Contacts of the pixels of a row with those of one before it: straight, and with the one before /
// after it. Of several in a row between the same two runs the first.
struct Contacts {
  std::uint32_t straight = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

// Of rows that share faces. Slanted contacts only where none of the two pixels that both touch is
// set: else these join them.
template <Connectivity connectivity>
__device__ Contacts face_contacts(const Row& m, const Row& n) {
  Contacts found;
  const std::uint32_t both = m.at & n.at;
  found.straight = both & ~(both << 1);
  if constexpr (connectivity != Connectivity::faces) {
    const std::uint32_t free = m.at & ~n.at;
    found.left = free & n.left & ~m.left;
    found.right = free & n.right & ~m.right;
  }
  return found;
}

// Of rows that share edges; p and q are those between them.
template <Connectivity connectivity>
__device__ Contacts edge_contacts(const Row& m, const Row& n, const Row& p, const Row& q) {
  Contacts found;
  const std::uint32_t free = m.at & ~(p.at | q.at);
  const std::uint32_t both = free & n.at;
  found.straight = both & ~(both << 1);
  if constexpr (connectivity == Connectivity::corners) {
    const std::uint32_t apart = free & ~n.at;
    found.left = apart & n.left & ~(m.left | p.left | q.left);
    found.right = apart & n.right & ~(m.right | p.right | q.right);
  }
  return found;
}

// Rows in shared memory, spread over its banks: pixel `lane` of row r is node 33 r + lane.
constexpr std::uint32_t kStride = 33;

// The root of a's tree; halves the way there. Nodes never lie before their parents.
template <std::uint32_t flag>
__device__ std::uint32_t find(std::uint32_t* nodes, std::uint32_t a) {
  auto* const parents = static_cast<volatile std::uint32_t*>(nodes);
  std::uint32_t at = parents[a] & ~flag;
  if (at == a) return a;
  for (;;) {
    const std::uint32_t next = parents[at] & ~flag;
    if (next == at) return at;
    parents[a] = next | flag;
    a = at;
    at = next;
  }
}

// The larger root hangs on the smaller one. `flag`: a bit that all parents have.
template <std::uint32_t flag>
__device__ void join(std::uint32_t* nodes, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = find<flag>(nodes, a);
    b = find<flag>(nodes, b);
    if (a == b) return;
    const std::uint32_t most = max(a, b);
    const std::uint32_t least = min(a, b);
    const std::uint32_t old = atomicMin(nodes + most, least | flag) & ~flag;
    if (old == most) return;
    a = old;
    b = least;
  }
}

// Of straight contacts (of `both`, from their first pixels on) those without a pixel of `square`,
// at which the rows beside both touch them and each other: these join nothing new. In reverse order
// of bits the carry of such a pixel runs through to behind the contact's first one.
__device__ std::uint32_t without_squares(std::uint32_t starts, std::uint32_t both,
                                         std::uint32_t square) {
  const std::uint32_t reversed = __brev(both);
  const std::uint64_t sum = std::uint64_t{reversed} + __brev(both & square);
  return starts & ~__brev(static_cast<std::uint32_t>((sum & ~std::uint64_t{reversed}) >> 1));
}

// Joins the runs of two rows of a tile where they meet.
__device__ void join_runs(std::uint32_t* nodes, int row, std::uint32_t m, int before,
                          std::uint32_t n, const Contacts& contacts) {
  const std::uint32_t mine = static_cast<std::uint32_t>(row) * kStride;
  const std::uint32_t other = static_cast<std::uint32_t>(before) * kStride;
  for (std::uint32_t rest = contacts.straight | contacts.left; rest != 0; rest &= rest - 1U) {
    const int bit = __ffs(static_cast<int>(rest)) - 1;
    const bool left = (contacts.left >> bit & 1U) != 0;
    const auto at = static_cast<unsigned>(bit);
    join<0>(nodes, mine + run_start(m, at), other + run_start(n, left ? at - 1U : at));
  }
  for (std::uint32_t rest = contacts.right; rest != 0; rest &= rest - 1U) {
    const auto at = static_cast<unsigned>(__ffs(static_cast<int>(rest)) - 1);
    join<0>(nodes, mine + run_start(m, at), other + at + 1U);
  }
}

// A thread takes a row and one of those before it; where there are but two of these, half a row.
template <Connectivity connectivity, int kDepth>
__device__ void join_rows(const std::uint32_t* words, std::uint32_t* nodes) {
  constexpr int kWide = kRows / kDepth;
  const int row = static_cast<int>(threadIdx.x) % kRows;
  const int kind = static_cast<int>(threadIdx.x) / kRows;
  const int x = row % kWide;
  const std::uint32_t m = words[row];
  if (m == 0) return;
  if constexpr (connectivity == Connectivity::faces) {
    const bool along_z = kind >= 2;
    const int before = row - (along_z ? kWide : 1);
    if (along_z ? before < 0 : x == 0) return;
    const std::uint32_t n = words[before];
    std::uint32_t square = 0;
    if (along_z && x > 0) square = words[row - 1] & words[before - 1];
    Contacts c = face_contacts<connectivity>(alone(m), alone(n));
    c.straight =
        without_squares(c.straight, m & n, square) & (kind % 2 == 0 ? 0xFFFFU : 0xFFFF0000U);
    join_runs(nodes, row, m, before, n, c);
  } else {
    if (kind == 0) {
      if (x == 0) return;
      const std::uint32_t n = words[row - 1];
      join_runs(nodes, row, m, row - 1, n, face_contacts<connectivity>(alone(m), alone(n)));
      return;
    }
    const int below = row - kWide;
    if (kDepth == 1 || below < 0) return;
    const std::uint32_t n = words[below];
    if (kind == 1) {
      const std::uint32_t square = x > 0 ? words[row - 1] & words[below - 1] : 0;
      Contacts c = face_contacts<connectivity>(alone(m), alone(n));
      c.straight = without_squares(c.straight, m & n, square);
      join_runs(nodes, row, m, below, n, c);
      return;
    }
    const int side = kind == 2 ? -1 : 1;
    if (x + side < 0 || x + side >= kWide) return;
    const std::uint32_t far = words[below + side];
    join_runs(
        nodes, row, m, below + side, far,
        edge_contacts<connectivity>(alone(m), alone(far), alone(n), alone(words[row + side])));
  }
}

// Puts the label of each run in the place of its node. A thread takes the runs that begin in a
// quarter of a row; parents that others have replaced already say what is asked for.
template <unsigned kWide>
__device__ void label_runs(const std::uint32_t* words, std::uint32_t* nodes, std::uint32_t tile,
                           const Grid& grid) {
  auto* const parents = static_cast<volatile std::uint32_t*>(nodes);
  const std::uint32_t step = grid.row_words * 32U;
  const std::uint32_t slice = step * static_cast<std::uint32_t>(grid.size.x);
  const unsigned row = threadIdx.x % kRows;
  const std::uint32_t m = words[row];
  const std::uint32_t quarter = 0xFFU << 8U * (threadIdx.x / kRows);
  for (std::uint32_t rest = m & ~(m << 1) & quarter; rest != 0; rest &= rest - 1U) {
    const std::uint32_t node =
        row * kStride + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
    std::uint32_t at = node;
    std::uint32_t label = 0;
    for (;;) {
      label = parents[at];
      if ((label & kParent) != 0) break;
      if (label == at) {
        const std::uint32_t its = at / kStride;
        label = kParent | (tile + its / kWide * slice + its % kWide * step + at % kStride);
        break;
      }
      at = label;
    }
    parents[node] = label;
  }
}

template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    label_tiles(const std::uint8_t* __restrict__ mask, bool inverted, Grid grid,
                std::uint32_t* __restrict__ labels, std::uint32_t* __restrict__ bits,
                std::uint32_t* __restrict__ nodes) {
  constexpr int kWide = kRows / kDepth;
  __shared__ std::uint32_t words[kRows];
  __shared__ std::uint32_t parents[kRows * kStride];
  const unsigned lane = threadIdx.x % 32;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int w = static_cast<int>(blockIdx.x % static_cast<unsigned>(grid.tiles.y));
  const unsigned rest = blockIdx.x / static_cast<unsigned>(grid.tiles.y);
  const int x0 = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide;
  const int z0 = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth;
  // A warp's rows follow one another along x.
  const int z = z0 + warp * kRowsEach / kWide;
  const int x = x0 + warp * kRowsEach % kWide;
  const int rows = z < grid.size.z ? min(kRowsEach, grid.size.x - x) : 0;
  const int y = w * 32 + static_cast<int>(lane);
  const std::uint8_t* const from =
      mask +
      (std::uint64_t{static_cast<unsigned>(z)} * static_cast<unsigned>(grid.size.x) +
       static_cast<unsigned>(x)) *
          static_cast<unsigned>(grid.size.y) +
      static_cast<unsigned>(y);
  const int there = y < grid.size.y ? rows : 0;
  std::uint8_t values[kRowsEach];
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    values[i] = inverted ? 1 : 0;
    if (i < there) values[i] = from[static_cast<std::ptrdiff_t>(i) * grid.size.y];
  }
  for (unsigned i = threadIdx.x; i < kRows * kStride; i += kThreads) parents[i] = i;
  std::uint32_t mine = 0;
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    const std::uint32_t m = __ballot_sync(kAll, (values[i] != 0) != inverted);
    if (static_cast<int>(lane) == i) mine = m;
  }
  const auto own = static_cast<unsigned>(warp * kRowsEach);
  if (lane < kRowsEach) words[own + lane] = mine;
  const bool any = __syncthreads_or(mine != 0 ? 1 : 0) != 0;
  if (any) {
    const bool full = __syncthreads_count(mine == kAll ? 1 : 0) == kRows;
    if (!full) {
      join_rows<connectivity, kDepth>(words, parents);
    } else if (threadIdx.x < kRows) {
      parents[threadIdx.x * kStride] = 0;
    }
    __syncthreads();
    label_runs<kWide>(words, parents, grid.word(z0, x0, w) * 32U, grid);
    __syncthreads();
  }
  const std::uint32_t word0 = grid.word(z, x, w);
  std::uint32_t firsts = 0;
#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    const std::uint32_t m = __shfl_sync(kAll, mine, i);
    const std::uint32_t here = (word0 + static_cast<unsigned>(i) * grid.row_words) * 32U + lane;
    std::uint32_t label = 0;
    if ((m >> lane & 1U) != 0) {
      label = parents[(own + static_cast<unsigned>(i)) * kStride + run_start(m, lane)];
    }
    const bool first = label == (kParent | here);
    const std::uint32_t found = __ballot_sync(kAll, first);
    if (static_cast<int>(lane) == i) firsts = found;
    if (i < rows) labels[here] = label;
  }
  if (static_cast<int>(lane) < rows) {
    bits[word0 + lane * grid.row_words] = mine;
    nodes[word0 + lane * grid.row_words] = firsts;
  }
}

// Of the whole image, while tiles are joined.
__device__ std::uint32_t load(const std::uint32_t* labels, std::uint32_t a) {
  return *static_cast<const volatile std::uint32_t*>(labels + a);
}

// Two nodes that a lane joined last: neighbours often ask for the same again.
struct Last {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// Joins pixels a and b where `wanted`; all lanes of a warp come here.
__device__ void join_pixels(std::uint32_t* labels, std::uint32_t a, std::uint32_t b, bool wanted,
                            Last& last) {
  std::uint32_t node_a = 0;
  std::uint32_t node_b = 0;
  if (wanted) {
    node_a = load(labels, a) & ~kParent;
    node_b = load(labels, b) & ~kParent;
    wanted = node_a != node_b && (node_a != last.a || node_b != last.b);
    last = {node_a, node_b};
  }
  // What many ask for is done once.
  const std::uint32_t asking = __ballot_sync(kAll, wanted);
  if (asking == 0) return;
  const int leader = __ffs(static_cast<int>(asking)) - 1;
  const std::uint32_t its_a = __shfl_sync(kAll, node_a, leader);
  const std::uint32_t its_b = __shfl_sync(kAll, node_b, leader);
  if (wanted &&
      (static_cast<int>(threadIdx.x % 32) == leader || node_a != its_a || node_b != its_b)) {
    join<kParent>(labels, node_a, node_b);
  }
}

// A word with its neighbours in the row; nothing where there is no such row.
__device__ Row row_at(const std::uint32_t* __restrict__ bits, const Grid& grid, int z, int x,
                      int w) {
  Row row;
  if (z < 0 || x < 0 || z >= grid.size.z || x >= grid.size.x) return row;
  const std::uint32_t i = grid.word(z, x, w);
  row.at = bits[i];
  row.left = row.at << 1;
  row.right = row.at >> 1;
  if (w > 0) row.left |= bits[i - 1] >> 31;
  if (w + 1 < static_cast<int>(grid.row_words)) row.right |= bits[i + 1] << 31;
  return row;
}

// Joins tiles along rows: a thread takes a row, a warp half a tile. Only ends of words matter.
template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    join_ends(const std::uint32_t* __restrict__ bits, Grid grid, std::uint32_t* labels) {
  constexpr int kWide = kRows / kDepth;
  const std::uint32_t tile = (blockIdx.x * kThreads + threadIdx.x) / kRows;
  const int r = static_cast<int>(threadIdx.x) % kRows;
  const int w = static_cast<int>(tile % static_cast<unsigned>(grid.tiles.y));
  const std::uint32_t rest = tile / static_cast<unsigned>(grid.tiles.y);
  const int x = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide + r % kWide;
  const int z = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth + r / kWide;
  const bool there = z < grid.size.z && x < grid.size.x;
  const bool has_x = there && r % kWide > 0;
  const Row m = there ? row_at(bits, grid, z, x, w) : Row{};
  const Row before = has_x ? row_at(bits, grid, z, x - 1, w) : Row{};
  const std::uint32_t first = there ? grid.word(z, x, w) * 32U : 0U;
  Last last;
  // Where the row before goes on as well, all four pixels are joined by that.
  join_pixels(labels, first, first - 1U, (m.at & m.left & ~(before.at & before.left) & 1U) != 0,
              last);
  if constexpr (connectivity != Connectivity::faces) {
    // What of other rows of this tile is behind its ends.
    const auto meet = [&](const Contacts& c, int dz, int dx) {
      const std::uint32_t other = there ? grid.word(z + dz, x + dx, w) * 32U : 0U;
      join_pixels(labels, first, other - 1U, (c.left & 1U) != 0, last);
      join_pixels(labels, first + 31U, other + 32U, c.right >> 31 != 0, last);
    };
    meet(face_contacts<connectivity>(m, before), 0, -1);
    if constexpr (kDepth > 1) {
      const bool has_z = there && r / kWide > 0;
      const Row below = has_z ? row_at(bits, grid, z - 1, x, w) : Row{};
      meet(face_contacts<connectivity>(m, below), -1, 0);
      if constexpr (connectivity == Connectivity::corners) {
        const Row a = has_z && has_x ? row_at(bits, grid, z - 1, x - 1, w) : Row{};
        meet(edge_contacts<connectivity>(m, a, before, below), -1, -1);
        const bool has_next = has_z && r % kWide + 1 < kWide;
        const Row b = has_next ? row_at(bits, grid, z - 1, x + 1, w) : Row{};
        const Row after = has_next ? row_at(bits, grid, z, x + 1, w) : Row{};
        meet(edge_contacts<connectivity>(m, b, after, below), -1, 1);
      }
    }
  }
}

// Joins tiles with those before them in other rows: a thread takes a pair of rows. Blocks of
// blockIdx.y = 0 take those that share faces, 1 and 2 those that share edges, on either side.
constexpr int kPairs = 16;  // of a tile
template <Connectivity connectivity, int kDepth>
__global__ void __launch_bounds__(kThreads)
    join_tiles(const std::uint32_t* __restrict__ bits, Grid grid, std::uint32_t* labels) {
  constexpr int kWide = kRows / kDepth;
  const std::uint32_t tile = (blockIdx.x * kThreads + threadIdx.x) / kPairs;
  const int pair = static_cast<int>(threadIdx.x) % kPairs;
  const int w = static_cast<int>(tile % static_cast<unsigned>(grid.tiles.y));
  const std::uint32_t rest = tile / static_cast<unsigned>(grid.tiles.y);
  const int side = blockIdx.y == 2 ? 1 : -1;
  // The first half lies across x, the other one across z.
  const bool across_z = pair >= kPairs / 2;
  const int lz = across_z ? 0 : pair % (kPairs / 2);
  const int lx = across_z ? pair % (kPairs / 2) : side < 0 ? 0 : kWide - 1;
  const int x = static_cast<int>(rest % static_cast<unsigned>(grid.tiles.x)) * kWide + lx;
  const int z = static_cast<int>(rest / static_cast<unsigned>(grid.tiles.x)) * kDepth + lz;
  Contacts c;
  std::uint32_t mine = 0;
  std::uint32_t other = 0;
  bool there = lz < kDepth && z < grid.size.z && x < grid.size.x;
  if (blockIdx.y == 0) {
    const int other_z = z - (across_z ? 1 : 0);
    const int other_x = x - (across_z ? 0 : 1);
    there = there && other_z >= 0 && other_x >= 0;
    if (there) {
      const Row m = row_at(bits, grid, z, x, w);
      const Row n = row_at(bits, grid, other_z, other_x, w);
      c = face_contacts<connectivity>(m, n);
      // The rows beside both in the same two tiles.
      if (across_z ? lx > 0 : lz > 0) {
        const int dz = across_z ? 0 : -1;
        const int dx = across_z ? -1 : 0;
        const std::uint32_t square =
            bits[grid.word(z + dz, x + dx, w)] & bits[grid.word(other_z + dz, other_x + dx, w)];
        c.straight = without_squares(c.straight, m.at & n.at, square);
      }
      mine = grid.word(z, x, w) * 32U;
      other = grid.word(other_z, other_x, w) * 32U;
    }
  } else {
    // Those across both are among those across z.
    there = there && (across_z || lz > 0) && z > 0 && x + side >= 0 && x + side < grid.size.x;
    if (there) {
      c = edge_contacts<connectivity>(
          row_at(bits, grid, z, x, w), row_at(bits, grid, z - 1, x + side, w),
          row_at(bits, grid, z, x + side, w), row_at(bits, grid, z - 1, x, w));
      mine = grid.word(z, x, w) * 32U;
      other = grid.word(z - 1, x + side, w) * 32U;
    }
  }
  Last last;
  std::uint32_t todo = c.straight | c.left;
  while (__any_sync(kAll, todo != 0)) {
    const int bit = __ffs(static_cast<int>(todo)) - 1;
    const bool wanted = todo != 0;
    const bool left = wanted && (c.left >> bit & 1U) != 0;
    todo &= todo - 1U;
    const auto at = static_cast<std::uint32_t>(bit);
    join_pixels(labels, mine + at, other + at - (left ? 1U : 0U), wanted, last);
  }
  if constexpr (connectivity != Connectivity::faces) {
    while (__any_sync(kAll, c.right != 0)) {
      const auto at = static_cast<std::uint32_t>(__ffs(static_cast<int>(c.right)) - 1);
      join_pixels(labels, mine + at, other + at + 1U, c.right != 0, last);
      c.right &= c.right - 1U;
    }
  }
}

// What touches the border: a thread a word.
__global__ void mark_outside(const std::uint32_t* __restrict__ bits, Grid grid, std::uint32_t words,
                             std::uint32_t* labels, std::uint32_t* outside) {
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= words) return;
  const std::uint32_t row = i / grid.row_words;
  const std::uint32_t w = i % grid.row_words;
  const auto z = static_cast<int>(row / static_cast<unsigned>(grid.size.x));
  const auto x = static_cast<int>(row % static_cast<unsigned>(grid.size.x));
  const bool whole =
      x == 0 || x == grid.size.x - 1 || (grid.size.z > 1 && (z == 0 || z == grid.size.z - 1));
  std::uint32_t ends = 0;
  if (w == 0) ends |= 1U;
  if (w == grid.row_words - 1) ends |= 1U << (static_cast<unsigned>(grid.size.y) - 1U) % 32U;
  if (!whole && ends == 0) return;
  const std::uint32_t m = bits[i];
  std::uint32_t touching = whole ? m & ~(m << 1) : m & ends;  // runs once
  for (; touching != 0; touching &= touching - 1U) {
    const auto at = static_cast<std::uint32_t>(__ffs(static_cast<int>(touching)) - 1);
    const std::uint32_t node = find<kParent>(labels, i * 32U + at);
    const std::uint32_t bit = 1U << node % 32U;
    if ((load(outside, node / 32U) & bit) == 0) atomicOr(outside + node / 32U, bit);
  }
}

// Of the nodes those that are roots, and how many there are a word; a warp 32 words.
__global__ void keep_roots(const std::uint32_t* __restrict__ nodes,
                           const std::uint32_t* __restrict__ outside, std::uint32_t words,
                           const std::uint32_t* labels, std::uint32_t* firsts,
                           std::uint32_t* counts) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * 32U;
  if (first > words) return;
  const std::uint32_t mine = first + lane < words ? nodes[first + lane] : 0U;
  std::uint32_t kept = 0;
#pragma unroll 8
  for (unsigned j = 0; j < 32; ++j) {
    const std::uint32_t word = __shfl_sync(kAll, mine, static_cast<int>(j));
    const std::uint32_t p = (first + j) * 32U + lane;
    const bool is_root = (word >> lane & 1U) != 0 && labels[p] == (kParent | p);
    const std::uint32_t roots = __ballot_sync(kAll, is_root);
    if (lane == j) kept = roots;
  }
  if (outside != nullptr && first + lane < words) kept &= ~outside[first + lane];
  if (first + lane < words) firsts[first + lane] = kept;
  // One more: its rank is the number of all.
  if (first + lane <= words) counts[first + lane] = static_cast<std::uint32_t>(__popc(kept));
}

// The number of what hangs on a root, by way of labels that are parents or numbers already.
__device__ std::uint32_t number_of(const std::uint32_t* labels,
                                   const std::uint32_t* __restrict__ outside,
                                   const std::uint32_t* __restrict__ firsts,
                                   const std::uint32_t* __restrict__ ranks, std::uint32_t node) {
  for (;;) {
    const std::uint32_t next = load(labels, node);
    if ((next & kParent) == 0) return next;  // another thread has got its number
    if (next == (kParent | node)) break;
    node = next & ~kParent;
  }
  const std::uint32_t at = node / 32U;
  const std::uint32_t bit = 1U << node % 32U;
  if (outside != nullptr && (outside[at] & bit) != 0) return kOutside;
  return ranks[at] + static_cast<std::uint32_t>(__popc(firsts[at] & (bit - 1U))) + 1U;
}

// The numbers of nodes; a warp 32 words.
__global__ void number_nodes(const std::uint32_t* __restrict__ nodes,
                             const std::uint32_t* __restrict__ outside,
                             const std::uint32_t* __restrict__ firsts,
                             const std::uint32_t* __restrict__ ranks, std::uint32_t words,
                             std::uint32_t* labels) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * 32U;
  if (first >= words) return;
  const bool there = first + lane < words;
  const std::uint32_t mine = there ? nodes[first + lane] : 0U;
  const std::uint32_t its_roots = there ? firsts[first + lane] : 0U;
  const std::uint32_t its_rank = there ? ranks[first + lane] : 0U;
  for (std::uint32_t rest = __ballot_sync(kAll, mine != 0); rest != 0; rest &= rest - 1U) {
    const int j = __ffs(static_cast<int>(rest)) - 1;
    const std::uint32_t word = __shfl_sync(kAll, mine, j);
    const std::uint32_t roots = __shfl_sync(kAll, its_roots, j);
    const std::uint32_t rank = __shfl_sync(kAll, its_rank, j);
    if ((word >> lane & 1U) == 0) continue;
    const std::uint32_t p = (first + static_cast<unsigned>(j)) * 32U + lane;
    // Most nodes of noise are roots themselves.
    labels[p] = (roots >> lane & 1U) != 0
                    ? rank + static_cast<std::uint32_t>(__popc(roots & ((1U << lane) - 1U))) + 1U
                    : number_of(labels, outside, firsts, ranks, p);
  }
}

// The numbers of all pixels; a thread four of them.
template <bool padded>
__global__ void number_pixels(std::uint32_t quads, std::uint32_t row_quads, int row,
                              std::uint32_t* labels, std::uint32_t* out) {
  const std::uint32_t q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= quads) return;
  uint4 v = reinterpret_cast<const uint4*>(labels)[q];
  const auto number = [&](std::uint32_t& label) {
    if ((label & kParent) != 0) label = load(labels, label & ~kParent);
  };
  const bool changes = ((v.x | v.y | v.z | v.w) & kParent) != 0;
  number(v.x);
  number(v.y);
  number(v.z);
  number(v.w);
  if constexpr (!padded) {
    if (changes) reinterpret_cast<uint4*>(labels)[q] = v;
  } else {
    const int y = static_cast<int>(q % row_quads) * 4;
    std::uint32_t* const to =
        out + std::uint64_t{q / row_quads} * static_cast<std::uint64_t>(row) + y;
    if (y < row) to[0] = v.x;
    if (y + 1 < row) to[1] = v.y;
    if (y + 2 < row) to[2] = v.z;
    if (y + 3 < row) to[3] = v.w;
  }
}

struct Job {
  const std::uint8_t* mask;
  bool inverted;
  Grid grid;
  std::uint32_t* labels;
  std::uint32_t* bits;
  std::uint32_t* nodes;
  cudaStream_t stream;
};

template <Connectivity connectivity, int kDepth>
void find_components(Job job) {
  constexpr int kWide = kRows / kDepth;
  Grid& grid = job.grid;
  grid.tiles = {(grid.size.z + kDepth - 1) / kDepth, (grid.size.x + kWide - 1) / kWide,
                static_cast<int>(grid.row_words)};
  const unsigned tiles = static_cast<unsigned>(grid.tiles.z) * static_cast<unsigned>(grid.tiles.x) *
                         static_cast<unsigned>(grid.tiles.y);
  const auto blocks = [&](unsigned each) {
    return static_cast<unsigned>((std::uint64_t{tiles} * each + kThreads - 1) / kThreads);
  };
  label_tiles<connectivity, kDepth><<<tiles, kThreads, 0, job.stream>>>(
      job.mask, job.inverted, grid, job.labels, job.bits, job.nodes);
  ensure_launched(kWhat);
  if (grid.tiles.y > 1) {
    join_ends<connectivity, kDepth>
        <<<blocks(kRows), kThreads, 0, job.stream>>>(job.bits, grid, job.labels);
    ensure_launched(kWhat);
  }
  constexpr unsigned kKinds = kDepth == 1 || connectivity == Connectivity::faces ? 1 : 3;
  join_tiles<connectivity, kDepth>
      <<<dim3(blocks(kPairs), kKinds), kThreads, 0, job.stream>>>(job.bits, grid, job.labels);
  ensure_launched(kWhat);
}

void find_components(const Job& job, Connectivity connectivity) {
  const bool flat = job.grid.size.z == 1;
  switch (connectivity) {
    case Connectivity::faces:
      flat ? find_components<Connectivity::faces, 1>(job)
           : find_components<Connectivity::faces, 8>(job);
      break;
    case Connectivity::edges:
      flat ? find_components<Connectivity::edges, 1>(job)
           : find_components<Connectivity::edges, 8>(job);
      break;
    case Connectivity::corners:
      // In one slice they are the same.
      flat ? find_components<Connectivity::edges, 1>(job)
           : find_components<Connectivity::corners, 8>(job);
      break;
  }
}

std::uint64_t row_words_of(std::int64_t row) { return static_cast<std::uint64_t>(row + 31) / 32; }

std::size_t scan_bytes(std::uint32_t count) {
  std::size_t bytes = 0;
  std::uint32_t* const none = nullptr;
  ensure(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, count), kWhat);
  return bytes;
}

}  // namespace

ComponentLabels::ComponentLabels(const Int3& size, cudaStream_t stream)
    : size_(size),
      row_words_(static_cast<std::uint32_t>(row_words_of(size.y))),
      words_(static_cast<std::uint32_t>(size.z) * static_cast<std::uint32_t>(size.x) * row_words_),
      stream_(stream),
      bits_(words_, kWhat, stream),
      nodes_(words_, kWhat, stream),
      firsts_(words_, kWhat, stream),
      ranks_(std::uint64_t{words_} + 1, kWhat, stream),
      outside_(words_, kWhat, stream),
      padded_(size.y % 32 != 0 ? std::uint64_t{words_} * 32 : 0, kWhat, stream),
      scan_(scan_bytes(words_ + 1), kWhat, stream) {}

bool ComponentLabels::can_index(const Size3& size) {
  // Rows alone may be longer than the product can hold.
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (size.z >= kMost || size.x >= kMost || size.y >= kMost) return false;
  const auto words = static_cast<double>(size.z) * static_cast<double>(size.x) *
                     static_cast<double>(row_words_of(size.y));
  return words * 32.0 < static_cast<double>(kOutside);
}

std::uint64_t ComponentLabels::bytes(const Size3& size) {
  const auto words = static_cast<std::uint64_t>(size.z * size.x) * row_words_of(size.y);
  // The scan takes less than 1/100 of what it scans.
  constexpr std::uint64_t kScan = 1U << 20U;
  return words * sizeof(std::uint32_t) * (5U + (size.y % 32 != 0 ? 32U : 0U)) + words / 16 + kScan;
}

void ComponentLabels::enqueue(const std::uint8_t* mask, Labelled what, Connectivity connectivity,
                              std::uint32_t* labels) const {
  if (words_ == 0) return;
  const bool holes = what == Labelled::holes;
  const bool padded = padded_.count() != 0;
  std::uint32_t* const work = padded ? padded_.data() : labels;
  const Grid grid{size_, row_words_, {}};
  find_components({mask, holes, grid, work, bits_.data(), nodes_.data(), stream_}, connectivity);
  const std::uint32_t* outside = nullptr;
  if (holes) {
    outside_.zero();
    mark_outside<<<(words_ + kThreads - 1) / kThreads, kThreads, 0, stream_>>>(
        bits_.data(), grid, words_, work, outside_.data());
    ensure_launched(kWhat);
    outside = outside_.data();
  }
  constexpr unsigned kWordsEach = kWarps * 32;
  const unsigned blocks = words_ / kWordsEach + 1;
  keep_roots<<<blocks, kThreads, 0, stream_>>>(nodes_.data(), outside, words_, work, firsts_.data(),
                                               ranks_.data());
  ensure_launched(kWhat);
  std::size_t bytes = scan_.bytes();
  ensure(cub::DeviceScan::ExclusiveSum(scan_.data(), bytes, ranks_.data(), ranks_.data(),
                                       words_ + 1, stream_),
         kWhat);
  number_nodes<<<blocks, kThreads, 0, stream_>>>(nodes_.data(), outside, firsts_.data(),
                                                 ranks_.data(), words_, work);
  ensure_launched(kWhat);
  const std::uint32_t quads = words_ * 8;
  const unsigned parts = (quads + kThreads - 1) / kThreads;
  if (padded) {
    number_pixels<true>
        <<<parts, kThreads, 0, stream_>>>(quads, row_words_ * 8, size_.y, work, labels);
  } else {
    number_pixels<false>
        <<<parts, kThreads, 0, stream_>>>(quads, row_words_ * 8, size_.y, work, labels);
  }
  ensure_launched(kWhat);
}

std::uint32_t ComponentLabels::count() const {
  std::uint32_t found = 0;
  if (words_ == 0) return found;
  ensure(cudaMemcpyAsync(&found, ranks_.data() + words_, sizeof(found), cudaMemcpyDeviceToHost,
                         stream_),
         kWhat);
  ensure(cudaStreamSynchronize(stream_), kWhat);
  return found;
}

}  // namespace aprscope::gpu
